import { describe, expect, it } from 'vitest';
import { needsExtendedDays } from '#core/slot/extended-days.ts';
import { enumerateSlots } from '#core/slot/search.ts';
import { instant } from '#core/time/instant.ts';
import { parseExtendedDays } from '#source/cron-parser-days.ts';
import { compiled } from '#test/core/slot/support/compiled.ts';

describe('an extended day', () => {
  it.each([
    ['day of month', 'L', { kind: 'last-day' }],
    ['day of week', '5L', { kind: 'last-weekday', weekday: 5 }],
    ['day of week', '7L', { kind: 'last-weekday', weekday: 0 }],
    ['day of week', '2#3', { kind: 'nth-weekday', weekday: 2, nth: 3 }],
    ['day of week', '0#5', { kind: 'nth-weekday', weekday: 0, nth: 5 }],
  ] as const)('of the %s, %s, is read', (field, element, day) => {
    expect(parseExtendedDays(field, element)).toEqual(day);
  });

  it.each([
    ['day of month', 'LW'],
    ['day of month', '5L'],
    ['day of month', '5#1'],
    ['day of month', 'L-3'],
    ['day of week', 'L'],
    ['day of week', '5#0'],
    ['day of week', '5#6'],
    ['day of week', '5#1.5'],
    ['day of week', '8#1'],
    ['day of week', '#1'],
    ['day of week', '1-5L'],
    ['day of week', ''],
  ] as const)('of the %s, %j, is none', (field, element) => {
    expect(parseExtendedDays(field, element)).toBeUndefined();
  });
});

describe('the parser', () => {
  it.each(['0 6 L * *', '0 6 1,L * *', '0 6 * * 5L', '0 6 * * friL', '0 6 * * 1#2'])(
    'is needed for %s',
    (expression) => {
      expect(needsExtendedDays(expression)).toBe(true);
    },
  );

  it.each(['0 6 * * *', '0 6 * JUL *', '0 6 * jul,APR mon', 'H H * * *', '@daily', '0 6 * * fri'])(
    'is not needed for %s',
    (expression) => {
      expect(needsExtendedDays(expression)).toBe(false);
    },
  );
});

describe('days from the end and by number', () => {
  const isLast = (date: Date) => new Date(date.getTime() + 86_400_000).getUTCDate() === 1;
  const isLastOfItsWeekday = (date: Date) =>
    new Date(date.getTime() + 7 * 86_400_000).getUTCMonth() !== date.getUTCMonth();
  const week = (date: Date) => Math.ceil(date.getUTCDate() / 7);

  it.each<[string, (date: Date) => boolean]>([
    ['0 0 L * *', isLast],
    [
      '0 0 15,L 2,4 *',
      (date) => [1, 3].includes(date.getUTCMonth()) && (date.getUTCDate() === 15 || isLast(date)),
    ],
    ['0 0 * * 5L', (date) => date.getUTCDay() === 5 && isLastOfItsWeekday(date)],
    [
      '0 0 * * 7L,1',
      (date) => date.getUTCDay() === 1 || (date.getUTCDay() === 0 && isLastOfItsWeekday(date)),
    ],
    ['0 0 * * 2#5', (date) => date.getUTCDay() === 2 && week(date) === 5],
    ['0 0 L * 3#1', (date) => isLast(date) || (date.getUTCDay() === 3 && week(date) === 1)],
  ])('%s fires on every such day of a century and on no other', (expression, matches) => {
    const timing = compiled(expression, { dialect: 'kopiur', extend: parseExtendedDays });
    const [from, end] = [Date.UTC(2000, 0, 1) / 1000, Date.UTC(2100, 0, 1) / 1000];
    const wanted: number[] = [];
    for (let day = from; day < end; day += 86_400) if (matches(new Date(day * 1000))) wanted.push(day);
    expect(enumerateSlots(timing, instant(from - 1), instant(end - 1), 40_000)).toEqual(wanted);
  });
});
