import { CronExpressionParser } from 'cron-parser';
import type { ExtendedDay, ExtendedDays } from '#core/slot/extended-days.ts';

/** Reads `L`, `nL` and `n#k` with cron-parser; nothing else of that library is used (cron.md 5). */
export const parseExtendedDays: ExtendedDays = (field, element) => {
  // A list or a step would be a second element; the core hands in one at a time.
  if (!/^[0-7]?(?:L|#[1-5])$/.test(element)) return undefined;
  try {
    return field === 'day of month' ? readDate(element) : readWeekday(element);
  } catch {
    return undefined;
  }
};

function readDate(element: string): ExtendedDay | undefined {
  const { values } = CronExpressionParser.parse(`0 0 ${element} * *`).fields.dayOfMonth;
  return values.length === 1 && values[0] === 'L' ? { kind: 'last-day' } : undefined;
}

function readWeekday(element: string): ExtendedDay | undefined {
  const { values, nthDay } = CronExpressionParser.parse(`0 0 * * ${element}`).fields.dayOfWeek;
  const [value] = values;
  if (value === undefined || values.length > 1) return undefined;
  const weekday = Number.parseInt(String(value), 10) % 7;
  if (nthDay > 0) return { kind: 'nth-weekday', weekday, nth: nthDay };
  return String(value).endsWith('L') ? { kind: 'last-weekday', weekday } : undefined;
}
