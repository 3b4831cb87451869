import { skipBlanks, skipWord } from './blanks.ts';
import type { ExtendedSets } from './extended-days.ts';
import {
  DAYS,
  type FieldSpec,
  fieldBits,
  HOURS,
  MINUTES_HIGH,
  MINUTES_LOW,
  MONTHS,
  numberAt,
  REFUSED,
  STAR,
} from './field.ts';
import { ALL_DAYS, ALL_MONTHS, ALL_WEEKDAYS, type CronFields } from './fields.ts';

/**
 * Reads five fields between blanks.
 * @param extended what was taken out of the two day fields before
 * @returns undefined if the grammar refuses them; `refusalOf` then says why
 */
export function parseFields(
  text: string,
  weekdaySpec: FieldSpec,
  extended?: ExtendedSets,
): CronFields | undefined {
  const minuteAt = skipBlanks(text, 0);
  const minuteEnd = skipWord(text, minuteAt);
  const hourAt = skipBlanks(text, minuteEnd);
  const hourEnd = skipWord(text, hourAt);
  const dayAt = skipBlanks(text, hourEnd);
  const dayEnd = skipWord(text, dayAt);
  const monthAt = skipBlanks(text, dayEnd);
  const monthEnd = skipWord(text, monthAt);
  const weekdayAt = skipBlanks(text, monthEnd);
  const weekdayEnd = skipWord(text, weekdayAt);
  if (weekdayAt === weekdayEnd || skipBlanks(text, weekdayEnd) < text.length) return undefined;

  const minutesLow = fieldBits(text, minuteAt, minuteEnd, MINUTES_LOW);
  const minutesHigh = fieldBits(text, minuteAt, minuteEnd, MINUTES_HIGH);
  const hours = fieldBits(text, hourAt, hourEnd, HOURS);
  const days = fieldBits(text, dayAt, dayEnd, DAYS);
  const months = fieldBits(text, monthAt, monthEnd, MONTHS);
  const weekdays = fieldBits(text, weekdayAt, weekdayEnd, weekdaySpec);
  if (minutesLow === REFUSED || hours === REFUSED || days === REFUSED) return undefined;
  if (months === REFUSED || weekdays === REFUSED) return undefined;
  // The star mark is the sign bit. Without it on either field one of them is enough (cron-job.md 1.3).
  const either = days >= 0 && weekdays >= 0;
  return {
    minutesLow: minutesLow & ~STAR,
    minutesHigh: minutesHigh & ~STAR,
    hours: hours & ~STAR,
    days: days & ~STAR,
    months: months & ~STAR,
    weekdays: weekdays & ~STAR,
    either,
    everyDay: isEveryDay(days & ~STAR, months & ~STAR, weekdays & ~STAR, either),
    fixedTime: numberAt(text, minuteAt, minuteEnd) >= 0 && numberAt(text, hourAt, hourEnd) >= 0,
    extended,
  };
}

function isEveryDay(days: number, months: number, weekdays: number, either: boolean): boolean {
  if (months !== ALL_MONTHS) return false;
  const dates = days === ALL_DAYS;
  const week = weekdays === ALL_WEEKDAYS;
  return either ? dates || week : dates && week;
}

/** The longest each month gets. */
const MONTH_LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Whether no instant can match, whatever the year: an empty field, or a date that no chosen month has. */
export function neverMatches(fields: CronFields): boolean {
  if ((fields.minutesLow | fields.minutesHigh) === 0 || fields.hours === 0 || fields.months === 0)
    return true;
  if (fields.everyDay) return false;
  const { extended, either } = fields;
  const week = fields.weekdays !== 0 || (extended?.weekdays.length ?? 0) > 0;
  if (either && week) return false;
  const dates = hasDate(fields) || (extended?.dates.length ?? 0) > 0;
  return either ? !dates : !(dates && week);
}

function hasDate(fields: CronFields): boolean {
  return MONTH_LENGTHS.some(
    (length, month) =>
      ((fields.months >> month) & 1) === 1 && (fields.days & (ALL_DAYS >>> (31 - length))) !== 0,
  );
}
