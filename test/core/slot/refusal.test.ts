import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DialectName } from '#core/slot/dialect.ts';
import { compileTiming } from '#core/slot/timing.ts';
import { parseExtendedDays } from '#source/cron-parser-days.ts';
import { compiled, problemOf } from '#test/core/slot/support/compiled.ts';

describe('a refusal', () => {
  it.each([
    ['0 6 * * 7', 'kubernetes', 'day of week', '7', 'write `0` or `sun`'],
    ['0 6 * * 1-7', 'plan', 'day of week', '1-7', 'write `1-6,0`'],
    ['0 6 * * 0-7', 'defrag', 'day of week', '0-7', 'write `0-6`'],
    ['0 24 * * *', 'kubernetes', 'hour', '24', 'write `0`'],
    ['60 * * * *', 'kubernetes', 'minute', '60', 'write a value from 0 to 59'],
    ['0 22-2 * * *', 'kubernetes', 'hour', '22-2', 'write `22-23,0-2`'],
    ['0 23-2 * * *', 'kubernetes', 'hour', '23-2', 'write `23,0-2`'],
    ['0 22-0 * * *', 'kubernetes', 'hour', '22-0', 'write `22-23,0`'],
    ['0 20-5/3 * * *', 'kubernetes', 'hour', '20-5/3', 'write `20-23/3,2-5/3`'],
    ['0 0 * * fri-mon', 'kubernetes', 'day of week', 'fri-mon', 'write `fri-sat,sun-mon`'],
    ['0 0 * nov-feb *', 'kubernetes', 'month', 'nov-feb', 'write `nov-dec,jan-feb`'],
    ['0 0 * * monday', 'kubernetes', 'day of week', 'monday', 'write `mon`'],
    ['0 0 * * MONTUE', 'kubernetes', 'day of week', 'MONTUE', 'write `mon,tue`'],
    ['*/0 * * * *', 'kubernetes', 'minute', '*/0', 'write a step of 1 or more'],
    ['/5 * * * *', 'kubernetes', 'minute', '/5', 'write `*/5`'],
    ['H 2 * * *', 'kubernetes', 'minute', 'H', 'write a number from 0 to 59'],
    ['H/15 2 * * *', 'kopiur', 'minute', 'H/15', 'write `H`, without range, step or list'],
    ['h 2 * * *', 'kopiur', 'minute', 'h', 'write `H`, without range, step or list'],
    [
      '0 6 * * 5#6',
      'kopiur',
      'day of week',
      '5#6',
      'write for example `5#2`, the second Friday, or `5L`, the last one',
    ],
    ['0 6 LW * *', 'kopiur', 'day of month', 'LW', 'write days or weekdays'],
    ['0 0 * * 8', 'kopiur', 'day of week', '8', 'write a value from 0 to 7'],
  ] as const)(
    'of %s in dialect %s names the field %s, the characters %s and the way out',
    (expression, dialect, field, text, fix) => {
      const problem = problemOf(expression, { dialect, extend: parseExtendedDays });
      expect(problem).toMatchObject({ code: 'InvalidSchedule', field, text, fix });
      expect(problem.what).toBe(`${field} \`${text}\` cannot be read`);
      expect(problem.why.length).toBeGreaterThan(10);
    },
  );

  it.each([
    [
      '0 0 6 * * *',
      'kubernetes',
      'expected exactly 5 fields, found 6',
      'there is no field for seconds; write `0 6 * * *`',
    ],
    [
      '10 */6 * * * *',
      'kubernetes',
      'expected exactly 5 fields, found 6',
      'write `*/6 * * * *` if the first field means seconds, for which there is none, or `10 */6 * * *` if the last one is too many',
    ],
    [
      '',
      'kubernetes',
      'the schedule is empty',
      'write `*` for a field that may have any value, as in `0 3 * * *`',
    ],
    [
      '@daily',
      'defrag',
      'the shortcut `@daily` cannot be read',
      'write the five fields, such as `0 0 * * *`',
    ],
    ['@every 1h', 'plan', 'the shortcut `@every 1h` cannot be read', 'write a step, such as `*/30 * * * *`'],
    [
      '@every 1h',
      'defrag',
      'the shortcut `@every 1h` cannot be read',
      'write the five fields, such as `0 3 * * *`',
    ],
    ['@every 2d', 'kubernetes', 'the shortcut `@every 2d` cannot be read', 'write `@every 48h`'],
    ['@Daily', 'kubernetes', 'the shortcut `@Daily` cannot be read', 'write `@daily`'],
    [
      'tz=UTC 0 3 * * *',
      'kubernetes',
      'expected exactly 5 fields, found 6',
      'write the zone in the timeZone field',
    ],
    [
      'TZ=UTC 0 3 * * *',
      'kopiur',
      'the zone prefix `TZ=UTC` is not read here',
      'write the zone in schedule.timezone and the five fields alone',
    ],
    ['TZ=UTC', 'plan', 'the zone prefix `TZ=UTC` has no schedule after it', 'write `TZ=UTC 0 3 * * *`'],
  ] as const)('of %j in dialect %s: %s', (expression, dialect, what, fix) => {
    expect(problemOf(expression, { dialect })).toMatchObject({ what, fix });
  });

  it('names H as what a SnapshotSchedule has', () => {
    expect(problemOf('H 2 * * *').why).toContain('SnapshotSchedule');
  });

  it('meets an expression of more than a thousand characters unread', () => {
    const problem = problemOf(`${'0,'.repeat(500)}0 0 * * *`);
    expect(problem).toMatchObject({ code: 'InvalidSchedule', what: 'the schedule has 1009 characters' });
    expect(
      compileTiming({ expression: `${'0,'.repeat(490)}0 0 * * *`, dialect: 'plan', zone: 'UTC' }).ok,
    ).toBe(true);
  });

  it('meets a jitter window that spans more than a million slots', () => {
    const year = 365 * 86_400;
    expect(problemOf('* * * * *', { jitterSeconds: 3 * year })).toMatchObject({
      code: 'UnsupportedSchedule',
    });
    expect(compiled('0 3 * * *', { jitterSeconds: 3 * year, seed: 'uid' }).spread?.window).toBe(3 * year);
  });

  const letters = fc.string({ unit: fc.constantFrom(...'0123456789*?/-,#LWHhTZ=@ \tmonjan~+') });
  const dialects = fc.constantFrom<DialectName>('kubernetes', 'defrag', 'plan', 'kopiur');

  it('always has a reason and a way out, and names the characters of a field', () => {
    fc.assert(
      fc.property(
        letters,
        fc.array(letters, { minLength: 5, maxLength: 5 }),
        dialects,
        (text, fields, dialect) => {
          for (const expression of [text, fields.join(' ')]) {
            const result = compileTiming({ expression, dialect, zone: 'UTC', extend: parseExtendedDays });
            if (result.ok) continue;
            expect(result.problem.what).not.toContain('the schedule `');
            expect(result.problem.why).not.toBe('');
            expect(result.problem.fix ?? '').not.toBe('');
          }
        },
      ),
      { numRuns: 4000 },
    );
  });
});

describe('two restricted day fields', () => {
  it.each(['0 9 1-7 * 1', '0 0 13 * 5', '0 0 1-31 * 1', '0 0 */2 * 1'])(
    '%s gets a note that either is enough',
    (expression) => {
      const [note] = compiled(expression).notes;
      expect(note?.code).toBe('EitherDayField');
      expect(note?.what).toContain('is enough');
    },
  );

  it.each(['0 9 * * 1', '0 9 1 * *', '0 9 */1 * 1', '@weekly', '0 9 ? * 1'])('%s gets none', (expression) => {
    expect(compiled(expression).notes).toEqual([]);
  });
});
