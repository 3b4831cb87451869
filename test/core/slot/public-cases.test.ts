import { describe, expect, it } from 'vitest';
import type { DialectName } from '#core/slot/dialect.ts';
import { dstNotes } from '#core/slot/notes.ts';
import { countBetween, enumerateSlots, firstAfter, latestAtOrBefore, neverFires } from '#core/slot/search.ts';
import { compileTiming } from '#core/slot/timing.ts';
import { zoneNameProblem } from '#core/time/zone-name.ts';
import { parseExtendedDays } from '#source/cron-parser-days.ts';
import { at, compiled, problemOf, shown } from '#test/core/slot/support/compiled.ts';

/* What became of public bug reports, at the level of the engine; ids are those of the case file. */

const dialects: readonly DialectName[] = ['kubernetes', 'defrag', 'plan', 'kopiur'];

describe('pub-002: a date that never comes', () => {
  it.each(dialects)('is a value of its own in dialect %s, never a date', (dialect) => {
    const timing = compiled('0 0 30 2 *', { dialect });
    const now = at('2026-06-10T03:00:10Z');
    expect(neverFires(timing)).toBe(true);
    expect(firstAfter(timing, now)).toBeUndefined();
    expect(latestAtOrBefore(timing, now)).toBeUndefined();
    expect(countBetween(timing, at('2026-01-01T00:00Z'), now)).toBe(0);
    expect(enumerateSlots(timing, at('2026-01-01T00:00Z'), now, 10)).toEqual([]);
  });
});

describe('pub-003: 02:00 in Berlin on the last Sunday of October', () => {
  const window = [at('2026-10-24T12:00Z'), at('2026-10-26T12:00Z')] as const;

  it('has two slots as in the cluster, with a note that names both', () => {
    const timing = compiled('0 2 * * *', { zone: 'Europe/Berlin' });
    const slots = enumerateSlots(timing, ...window, 10);
    expect(slots.map(shown)).toEqual([
      '2026-10-25T00:00:00Z',
      '2026-10-25T01:00:00Z',
      '2026-10-26T01:00:00Z',
    ]);
    expect(slots.slice(0, 2).map((slot) => slot / 60)).toEqual([29881440, 29881500]);
    const [note] = dstNotes(timing, ...window);
    expect(note?.instants).toEqual(slots.slice(0, 2));
  });

  it('has one slot under the safe rule', () => {
    const timing = compiled('0 2 * * *', { zone: 'Europe/Berlin', dst: 'safe' });
    expect(enumerateSlots(timing, ...window, 10).map(shown)).toEqual([
      '2026-10-25T00:00:00Z',
      '2026-10-26T01:00:00Z',
    ]);
  });
});

describe('pub-042: zone names', () => {
  it.each(['europe/berlin', 'Europe/Berln', 'Local', 'UTC+2', '+02:00', ' Europe/Berlin', 'US/Pacific-New'])(
    'refuses %j',
    (zone) => {
      expect(problemOf('0 3 * * *', { zone })).toMatchObject({ code: 'UnknownTimeZone', text: zone });
    },
  );

  it.each(['Etc/UTC', 'Asia/Calcutta'])('accepts %s', (zone) => {
    expect(compiled('0 3 * * *', { zone }).zone.name).toBe(zone);
  });

  it('suggests the right name', () => {
    expect(zoneNameProblem('Europe/Berln')?.fix).toBe('write Europe/Berlin');
  });
});

describe('pub-045: leap days', () => {
  it.each([
    ['0 * * * 1-5', '2028-02-29T11:00Z', ['2028-02-29T12:00:00Z']],
    ['0 0 29 2 *', '2026-03-01T00:00Z', ['2028-02-29T00:00:00Z']],
    [
      '0 3 31 * *',
      '2026-01-31T03:00Z',
      ['2026-03-31T03:00:00Z', '2026-05-31T03:00:00Z', '2026-07-31T03:00:00Z', '2026-08-31T03:00:00Z'],
    ],
    [
      '0 0 29 2 1',
      '2026-01-31T00:00Z',
      ['2026-02-02', '2026-02-09', '2026-02-16', '2026-02-23', '2027-02-01'].map((day) => `${day}T00:00:00Z`),
    ],
    ['0 0 29 2 *', '2096-03-01T00:00Z', ['2104-02-29T00:00:00Z']],
  ])('%s after %s', (expression, after, wanted) => {
    const timing = compiled(expression);
    const found: (string | null)[] = [];
    let slot = firstAfter(timing, at(after));
    while (slot !== undefined && found.length < wanted.length) {
      found.push(shown(slot));
      slot = firstAfter(timing, slot);
    }
    expect(found).toEqual(wanted);
  });
});

describe('pub-101: Sunday as 7', () => {
  it.each(['0 6 * * 7', '0 6 * * 6,7'])(
    '%s is refused by the Kubernetes grammar with the way out',
    (expression) => {
      for (const dialect of ['kubernetes', 'defrag', 'plan'] as const) {
        const problem = problemOf(expression, { dialect });
        expect(problem).toMatchObject({ field: 'day of week', text: '7', fix: 'write `0` or `sun`' });
        expect(problem.why).toContain('0 to 6');
      }
    },
  );

  it.each([
    ['0 6 * * 7', 'kopiur', '2026-05-03T06:00:00Z'],
    ['@weekly', 'kubernetes', '2026-05-03T00:00:00Z'],
    ['0 0 * * 1', 'kubernetes', '2026-05-04T00:00:00Z'],
    ['0 0 * * sun', 'kubernetes', '2026-05-03T00:00:00Z'],
  ] as const)('%s in dialect %s is next on %s', (expression, dialect, next) => {
    expect(shown(firstAfter(compiled(expression, { dialect }), at('2026-05-01T00:00Z')))).toBe(next);
  });
});

describe('pub-102: the border of the dialects', () => {
  it.each(['0 0 6 * * *', '@reboot', '0 6 L * *', '5-1 * * * *', '*/0 * * * *'])(
    '%s is no CronJob schedule',
    (expression) => {
      expect(compileTiming({ expression, dialect: 'kubernetes', zone: 'UTC' }).ok).toBe(false);
    },
  );

  it('question marks and runs of blanks are fine', () => {
    const after = at('2026-05-01T00:00Z');
    expect(shown(firstAfter(compiled('?/5 ? * * ?'), after))).toBe('2026-05-01T00:05:00Z');
    expect(compiled('0  2  *  *  *').fields).toEqual(compiled('0 2 * * *').fields);
  });

  it('a SnapshotSchedule knows the last day and no seconds', () => {
    const input = { dialect: 'kopiur', extend: parseExtendedDays } as const;
    expect(shown(firstAfter(compiled('0 6 L * *', input), at('2026-05-01T00:00Z')))).toBe(
      '2026-05-31T06:00:00Z',
    );
    expect(problemOf('0 0 6 * * *', input).what).toBe('expected exactly 5 fields, found 6');
  });
});
