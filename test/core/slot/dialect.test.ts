import { describe, expect, it } from 'vitest';
import type { DialectName } from '#core/slot/dialect.ts';
import { firstAfter, neverFires } from '#core/slot/search.ts';
import { compileTiming } from '#core/slot/timing.ts';
import { parseExtendedDays } from '#source/cron-parser-days.ts';
import { at, compiled, problemOf, shown } from '#test/core/slot/support/compiled.ts';

const UID = '7c1f6a0e-2d55-4a8e-9b1a-0f4c6e1d2a33';
const AFTER = at('2026-05-01T00:00Z');

type Answer = string | 'refused';

/** One row of the table of cron.md 2: the first slot after 2026-05-01, or that it is refused. */
interface Row {
  readonly name: string;
  readonly expression: string;
  readonly answers: Readonly<Record<DialectName, Answer>>;
}

function same(name: string, expression: string, answer: Answer): Row {
  return { name, expression, answers: { kubernetes: answer, defrag: answer, plan: answer, kopiur: answer } };
}

function only(name: string, expression: string, answers: Partial<Record<DialectName, Answer>>): Row {
  return {
    ...same(name, expression, 'refused'),
    answers: { ...same('', '', 'refused').answers, ...answers },
  };
}

const rows: readonly Row[] = [
  same('five fields', '30 4 * * *', '2026-05-01T04:30:00Z'),
  same('lists with repeats and empty elements', '5,,5,7 4 * * *', '2026-05-01T04:05:00Z'),
  same('a question mark in any field', '?/5 ? * ? ?', '2026-05-01T00:05:00Z'),
  same('blanks before the fields', '  30 4 * * *  ', '2026-05-01T04:30:00Z'),
  same('six fields', '0 30 4 * * *', 'refused'),
  same('seven fields', '0 30 4 * * * 2026', 'refused'),
  same('an empty text', '', 'refused'),
  same('blanks only', ' \t ', 'refused'),
  same('@reboot', '@reboot', 'refused'),
  same('a range that wraps', '0 22-2 * * *', 'refused'),
  same('the nearest weekday', '0 0 15W * *', 'refused'),
  same('a step of zero', '*/0 * * * *', 'refused'),
  only('@daily', '@daily', {
    kubernetes: '2026-05-02T00:00:00Z',
    plan: '2026-05-02T00:00:00Z',
    kopiur: '2026-05-02T00:00:00Z',
  }),
  only('@midnight', '@midnight', {
    kubernetes: '2026-05-02T00:00:00Z',
    plan: '2026-05-02T00:00:00Z',
    kopiur: '2026-05-02T00:00:00Z',
  }),
  only('@yearly', '@yearly', {
    kubernetes: '2027-01-01T00:00:00Z',
    plan: '2027-01-01T00:00:00Z',
    kopiur: '2027-01-01T00:00:00Z',
  }),
  same('a macro in capitals', '@DAILY', 'refused'),
  only('blanks around a macro', ' @weekly ', { plan: '2026-05-03T00:00:00Z' }),
  only('@every', '@every 90m', { kubernetes: '2026-05-01T01:30:00Z' }),
  only('a zone prefix', 'CRON_TZ=Europe/Berlin 0 3 * * *', {
    defrag: '2026-05-01T01:00:00Z',
    plan: '2026-05-01T01:00:00Z',
  }),
  only('a short zone prefix', 'TZ=Europe/Berlin 0 3 * * *', {
    defrag: '2026-05-01T01:00:00Z',
    plan: '2026-05-01T01:00:00Z',
  }),
  only('an empty zone in the prefix', 'CRON_TZ= 0 3 * * *', {
    defrag: '2026-05-01T03:00:00Z',
    plan: '2026-05-01T03:00:00Z',
  }),
  only('a macro after a prefix', 'CRON_TZ=Europe/Berlin   @daily', { plan: '2026-05-01T22:00:00Z' }),
  same('a prefix without a blank', 'CRON_TZ=Europe/Berlin', 'refused'),
  same('a prefix with a tab instead of the blank', 'CRON_TZ=Europe/Berlin\t0 3 * * *', 'refused'),
  same('an unknown zone in the prefix', 'TZ=Europe/Berln 0 3 * * *', 'refused'),
  same('a prefix in lower case', 'cron_tz=UTC 0 3 * * *', 'refused'),
  only('a blank before the prefix', ' TZ=UTC 0 3 * * *', {
    defrag: '2026-05-01T03:00:00Z',
    plan: '2026-05-01T03:00:00Z',
  }),
  only('H', 'H 2 * * *', { kopiur: '2026-05-01T02:35:00Z' }),
  same('H with a step', 'H/15 * * * *', 'refused'),
  same('H with a range', 'H(0-29) * * * *', 'refused'),
  same('a small h', 'h 2 * * *', 'refused'),
  same('H in a list', 'H,30 2 * * *', 'refused'),
  only('Sunday as 7', '0 6 * * 7', { kopiur: '2026-05-03T06:00:00Z' }),
  only('a range to 7', '0 6 * * 6-7', { kopiur: '2026-05-02T06:00:00Z' }),
  same('an open weekday step ends on Saturday', '0 0 * * 4/3', '2026-05-07T00:00:00Z'),
  same('weekday 8', '0 6 * * 8', 'refused'),
  only('the last day', '0 6 L * *', { kopiur: '2026-05-31T06:00:00Z' }),
  only('the last day in a list', '0 6 15,L * *', { kopiur: '2026-05-15T06:00:00Z' }),
  only('the last Friday', '0 6 * * 5L', { kopiur: '2026-05-29T06:00:00Z' }),
  only('the last Friday by name', '0 6 * * friL', { kopiur: '2026-05-29T06:00:00Z' }),
  only('the last Sunday as 7L', '0 6 * * 7L', { kopiur: '2026-05-31T06:00:00Z' }),
  only('the second Tuesday', '0 6 * * 2#2', { kopiur: '2026-05-12T06:00:00Z' }),
  only('first and third Monday', '0 6 * * MON#1,1#3', { kopiur: '2026-05-04T06:00:00Z' }),
  only('the last day or a Monday: either is enough', '0 6 L * 1', { kopiur: '2026-05-04T06:00:00Z' }),
  same('a sixth Friday', '0 6 * * 5#6', 'refused'),
  same('the last day as a weekday', '0 6 * * L', 'refused'),
  same('days before the last', '0 6 L-3 * *', 'refused'),
  same('an L among the minutes', 'L 6 * * *', 'refused'),
];

const dialects: readonly DialectName[] = ['kubernetes', 'defrag', 'plan', 'kopiur'];

describe.each(dialects)('dialect %s', (dialect) => {
  it.each(rows)('reads $name: $expression', ({ expression, answers }) => {
    const result = compileTiming({
      expression,
      dialect,
      zone: 'UTC',
      seed: UID,
      every: AFTER,
      extend: parseExtendedDays,
    });
    expect(result.ok ? shown(firstAfter(result.timing, AFTER)) : 'refused').toBe(answers[dialect]);
  });

  it.each(['0 0 30 2 *', ', * * * *', '0 0 31 2,4,6,9,11 *'])(
    'compiles %s, and knows that it never fires',
    (expression) => {
      const timing = compiled(expression, { dialect });
      expect(neverFires(timing)).toBe(true);
      expect(firstAfter(timing, AFTER)).toBeUndefined();
    },
  );

  it('has the rule of its column for clock changes', () => {
    expect(compiled('30 2 * * *', { dialect }).dst).toBe(dialect === 'kopiur' ? 'safe' : 'clean');
    expect(compiled('30 2 * * *', { dialect, dst: 'safe' }).dst).toBe('safe');
    expect(compiled('30 2 * * *', { dialect, dst: 'clean' }).dst).toBe('clean');
  });

  it('refuses zones by name before it looks at the fields', () => {
    expect(problemOf('0 0 * * 9', { dialect, zone: 'europe/berlin' })).toMatchObject({
      code: 'UnknownTimeZone',
      field: 'zone',
      text: 'europe/berlin',
      fix: 'write Europe/Berlin',
    });
  });
});

describe('dialect kubernetes', () => {
  it('refuses a prefix in the words of the API server, and uses a stored one as it stands', () => {
    const expression = 'CRON_TZ=Europe/Berlin 0 3 * * *';
    expect(problemOf(expression).what).toBe(
      'cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    );
    const timing = compiled(expression, { allowStoredPrefix: true, zone: 'Asia/Tokyo' });
    expect(timing.storedPrefix).toBe(true);
    expect(timing.zone.name).toBe('Europe/Berlin');
    expect(compiled('0 3 * * *', { allowStoredPrefix: true }).storedPrefix).toBe(false);
  });

  it('counts @every from its anchor, which is no slot itself', () => {
    const timing = compiled('@every 1h30m', { every: at('2026-05-01T00:10Z') });
    expect(shown(firstAfter(timing, at('2020-01-01T00:00Z')))).toBe('2026-05-01T01:40:00Z');
    expect(shown(firstAfter(timing, at('2026-05-01T01:40Z')))).toBe('2026-05-01T03:10:00Z');
  });
});

describe('dialect kopiur', () => {
  it('tells that L and # need their parser when none was handed in', () => {
    expect(problemOf('0 6 L * *', { dialect: 'kopiur' }).code).toBe('UnsupportedSchedule');
  });

  it('keeps the expression as written beside the one that counts', () => {
    const timing = compiled('H  H * * *', { dialect: 'kopiur', seed: UID });
    expect([timing.expression, timing.resolved]).toEqual(['H  H * * *', '35 16 * * *']);
  });

  it('waits forty years for a fifth Monday in February', () => {
    const timing = compiled('0 6 * 2 1#5', { dialect: 'kopiur', extend: parseExtendedDays });
    expect(shown(firstAfter(timing, at('2072-03-01T00:00Z')))).toBe('2112-02-29T06:00:00Z');
  });
});
