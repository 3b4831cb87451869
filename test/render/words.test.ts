import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import { openZone } from '#core/time/zone.ts';
import { conditionLines } from '#render/condition-text.ts';
import { momentText } from '#render/moment-text.ts';
import { listed, plural } from '#render/plural.ts';
import { distanceText, spanText } from '#render/span-text.ts';
import { cut, hanging, wrap } from '#render/wrap.ts';
import { at } from '#test/support/given-tick.ts';

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [61, '1 min 1 s'],
  [3600, '1 h'],
  [18_720, '5 h 12 min'],
  [3601, '1 h'],
  [86_399, '23 h 59 min'],
  [86_400 * 3 + 3600 * 4, '3 d 4 h'],
  [86_400 * 99 + 7200, '99 d 2 h'],
  [86_400 * 1234 + 7200, '1,234 d'],
  [-90, '1 min 30 s'],
])('%d seconds are told in their two largest units', (seconds, want) => {
  expect(spanText(seconds)).toBe(want);
});

test('a distance is told as future, past or now', () => {
  expect([distanceText(40), distanceText(-40), distanceText(0)]).toEqual(['in 40 s', '40 s ago', 'now']);
});

describe('an instant is told in its zone and in UTC', () => {
  test.each([
    ['UTC alone', '2026-11-29T03:00:00Z', 'UTC', 'Sun 2026-11-29 03:00 UTC'],
    [
      'the same day',
      '2026-11-29T03:00:00Z',
      'Europe/Berlin',
      'Sun 2026-11-29 04:00 +01:00 Europe/Berlin (03:00 UTC)',
    ],
    [
      'another day',
      '2026-11-29T03:00:00Z',
      'America/New_York',
      'Sat 2026-11-28 22:00 -05:00 America/New_York (Sun 2026-11-29 03:00 UTC)',
    ],
    ['with seconds', '2026-11-29T03:00:07Z', 'UTC', 'Sun 2026-11-29 03:00:07 UTC'],
    [
      'first pass of a repeated hour',
      '2026-10-25T00:30:00Z',
      'Europe/Berlin',
      'Sun 2026-10-25 02:30 +02:00 Europe/Berlin (00:30 UTC)',
    ],
    [
      'second pass of a repeated hour',
      '2026-10-25T01:30:00Z',
      'Europe/Berlin',
      'Sun 2026-10-25 02:30 +01:00 Europe/Berlin (01:30 UTC)',
    ],
    [
      'an offset of quarters',
      '2026-11-29T10:30:00Z',
      'Asia/Kathmandu',
      'Sun 2026-11-29 16:15 +05:45 Asia/Kathmandu (10:30 UTC)',
    ],
    ['before the epoch', '1969-12-31T23:59:00Z', 'UTC', 'Wed 1969-12-31 23:59 UTC'],
    ['a leap day', '2028-02-29T12:00:00Z', 'UTC', 'Tue 2028-02-29 12:00 UTC'],
  ])('%s', (_name, time, zone, want) => {
    expect(momentText(at(time), openZone(zone))).toBe(want);
  });

  test('in UTC where nobody knows the zone', () => {
    expect(momentText(instant(0), undefined)).toBe('Thu 1970-01-01 00:00 UTC');
  });
});

test('counts agree with their words', () => {
  expect([plural(1, 'slot'), plural(0, 'slot'), plural(12_345, 'status', 'statuses')]).toEqual([
    '1 slot',
    '0 slots',
    '12,345 statuses',
  ]);
});

test('a list of names ends in "and", a long one in a number', () => {
  expect(listed([])).toBe('');
  expect(listed(['a'])).toBe('a');
  expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
  expect(listed(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a, b, c, d, e and 2 more');
});

test('lines break at blanks but not inside of a time or a distance', () => {
  expect(wrap('next Sun 2026-11-29 04:00 +01:00 Europe/Berlin, in 23 h 59 min', 30)).toEqual([
    'next',
    'Sun 2026-11-29 04:00 +01:00',
    'Europe/Berlin, in 23 h 59 min',
  ]);
  expect(wrap('averyveryverylongword short', 10)).toEqual(['averyveryverylongword', 'short']);
});

test('the further lines of a paragraph stand under its first', () => {
  expect(hanging('    label  ', 'one two three four five six', 31)).toBe(
    '    label  one two three four\n           five six',
  );
});

test('a condition that only tells of another generation is named with its state', () => {
  const ready = { type: 'Ready', status: 'True', reason: 'Scheduled', message: 'm', observedGeneration: 1 };
  const stalled = { ...ready, type: 'Stalled', status: 'False', reason: '' };
  const later = (one: object): object => ({ ...one, observedGeneration: 2 });
  const lines = conditionLines(
    { conditions: [ready, stalled] } as JsonObject,
    { conditions: [later(ready), later(stalled)] } as JsonObject,
  );
  expect(lines).toEqual(['brought up to date: Ready=True (Scheduled), Stalled=False']);
});

test('what is cut ends in an ellipsis, and a character is never split', () => {
  expect([cut('abc', 3), cut('abcd', 3), cut('💾💾💾', 2)]).toEqual(['abc', 'ab…', '💾…']);
});
