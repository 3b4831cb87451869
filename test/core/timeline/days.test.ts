import { describe, expect, test } from 'vitest';
import { formatInstant } from '#core/time/instant.ts';
import { formatLocal, openZone } from '#core/time/zone.ts';
import { daysOf, secondOfDay, startOfDay } from '#core/timeline/days.ts';
import { at } from '#test/support/given-tick.ts';

function days(zone: string, from: string, end: string): readonly string[] {
  return daysOf(openZone(zone), at(from), at(end)).map(
    (day) => `${formatInstant(day.from)} ${(day.end - day.from) / 3600} h`,
  );
}

describe('the days of a calendar', () => {
  test('are cut to the window at both ends', () => {
    expect(days('UTC', '2026-11-30T10:00:00Z', '2026-12-02T06:00:00Z')).toEqual([
      '2026-11-30T10:00:00Z 14 h',
      '2026-12-01T00:00:00Z 24 h',
      '2026-12-02T00:00:00Z 6 h',
    ]);
  });

  test('have 25 and 23 hours where clocks change', () => {
    expect(days('Europe/Berlin', '2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z')).toEqual([
      '2026-10-23T22:00:00Z 24 h',
      '2026-10-24T22:00:00Z 25 h',
      '2026-10-25T23:00:00Z 24 h',
    ]);
    expect(days('Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z')).toEqual([
      '2026-03-28T23:00:00Z 23 h',
    ]);
  });

  test('begin behind the gap where there is no midnight', () => {
    // Clocks in Santiago go from 24:00 to 01:00 on the first Sunday of September.
    const zone = openZone('America/Santiago');
    const begin = startOfDay(zone, at('2026-09-06T15:00:00Z'));
    expect(formatLocal(zone, begin)).toBe('2026-09-06T01:00:00-03:00');
    expect(secondOfDay(zone, begin)).toBe(3600);
  });

  test('leave out a day that a zone never had', () => {
    expect(days('Pacific/Apia', '2011-12-29T10:00:00Z', '2011-12-31T10:00:00Z')).toEqual([
      '2011-12-29T10:00:00Z 24 h',
      '2011-12-30T10:00:00Z 24 h',
    ]);
  });

  test('of an empty window are none', () => {
    expect(days('UTC', '2026-11-30T10:00:00Z', '2026-11-30T10:00:00Z')).toEqual([]);
  });
});
