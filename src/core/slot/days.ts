import { firstDayOf, monthOfDay, weekdayOf } from '#core/time/civil.ts';
import { countBits, highestBit, lowestBit } from './bits.ts';
import { extendedBits } from './extended-days.ts';
import { ALL_DAYS, type CronFields } from './fields.ts';

/** For each set of weekdays and each weekday of the first, once somebody asked; 0 is not known yet, or no day. */
const known = new Int32Array(128 * 7);

/** The days of a month that are one of these weekdays, day 1 at bit 0, for 31 days. */
function weekdaysInMonth(set: number, first: number): number {
  const index = set * 7 + first;
  const days = known[index] ?? 0;
  if (days !== 0) return days;
  // The set twice, so that a shift turns it; then five weeks of it.
  const week = ((set | (set << 7)) >> first) & 127;
  const weeks = week | (week << 7) | (week << 14) | (week << 21) | (week << 28);
  known[index] = weeks & ALL_DAYS;
  return weeks & ALL_DAYS;
}

/** The matching days of a month as bits, day 1 at bit 0. */
function daysOfMonth(fields: CronFields, month: number, first: number): number {
  const length = firstDayOf(month + 1) - first;
  let dates = fields.days;
  let weekdays = weekdaysInMonth(fields.weekdays, weekdayOf(first));
  if (fields.extended !== undefined) {
    dates |= extendedBits(fields.extended.dates, first, length);
    weekdays |= extendedBits(fields.extended.weekdays, first, length);
  }
  return (fields.either ? dates | weekdays : dates & weekdays) & (ALL_DAYS >>> (31 - length));
}

function isMonth(fields: CronFields, month: number): boolean {
  return ((fields.months >> (month % 12)) & 1) === 1;
}

/** The first matching day from `from` on, which must be before `end`; `end` if there is none before it. */
export function nextDay(fields: CronFields, from: number, end: number): number {
  if (fields.everyDay) return from;
  let month = monthOfDay(from);
  let first = firstDayOf(month);
  let days = isMonth(fields, month) ? daysOfMonth(fields, month, first) & (-1 << (from - first)) : 0;
  while (days === 0) {
    do month++;
    while (fields.months !== 0 && !isMonth(fields, month));
    first = firstDayOf(month);
    if (first >= end || fields.months === 0) return end;
    days = daysOfMonth(fields, month, first);
  }
  return Math.min(first + lowestBit(days), end);
}

/** The last matching day up to and with `from`, which must not be before `end`; `end - 1` if there is none from `end` on. */
export function previousDay(fields: CronFields, from: number, end: number): number {
  if (fields.everyDay) return from;
  let month = monthOfDay(from);
  let first = firstDayOf(month);
  let days = isMonth(fields, month) ? daysOfMonth(fields, month, first) & ((2 << (from - first)) - 1) : 0;
  while (days === 0) {
    if (first <= end || fields.months === 0) return end - 1;
    do month--;
    while (!isMonth(fields, month));
    first = firstDayOf(month);
    days = daysOfMonth(fields, month, first);
  }
  return Math.max(first + highestBit(days), end - 1);
}

/** How many days of [from, to) match. */
export function countDays(fields: CronFields, from: number, to: number): number {
  if (to <= from) return 0;
  if (fields.everyDay) return to - from;
  let count = 0;
  for (let month = monthOfDay(from), first = firstDayOf(month); first < to; ) {
    const next = firstDayOf(month + 1);
    if (isMonth(fields, month)) {
      let days = daysOfMonth(fields, month, first);
      if (first < from) days &= -1 << (from - first);
      if (next > to) days &= (1 << (to - first)) - 1;
      count += countBits(days);
    }
    month++;
    first = next;
  }
  return count;
}
