import { countDays, nextDay, previousDay } from './days.ts';
import type { CronFields } from './fields.ts';
import { DAY_MINUTES, nextTime, previousTime, timesBefore } from './times.ts';

/* Local times are minutes since 1970-01-01T00:00 on some clock; that a clock may leap is not known here. */

/** The first matching local minute from `from` on; any value from `end` on if there is none before it. */
export function nextLocal(fields: CronFields, from: number, end: number): number {
  const day = Math.floor(from / DAY_MINUTES);
  const endDay = Math.floor(end / DAY_MINUTES) + 1;
  let next = nextDay(fields, day, endDay);
  if (next === day) {
    const time = nextTime(fields, from - day * DAY_MINUTES);
    if (time < DAY_MINUTES) return day * DAY_MINUTES + time;
    next = nextDay(fields, day + 1, endDay);
  }
  return next * DAY_MINUTES + nextTime(fields, 0);
}

/** The last matching local minute up to and with `from`; any value below `end` if there is none from it on. */
export function previousLocal(fields: CronFields, from: number, end: number): number {
  const day = Math.floor(from / DAY_MINUTES);
  const endDay = Math.floor(end / DAY_MINUTES);
  let previous = previousDay(fields, day, endDay);
  if (previous === day) {
    const time = previousTime(fields, from - day * DAY_MINUTES);
    if (time >= 0) return day * DAY_MINUTES + time;
    previous = previousDay(fields, day - 1, endDay);
  }
  return previous * DAY_MINUTES + previousTime(fields, DAY_MINUTES - 1);
}

/** In [from, end). */
export function countLocal(fields: CronFields, from: number, end: number): number {
  if (end <= from) return 0;
  const firstDay = Math.floor(from / DAY_MINUTES);
  const lastDay = Math.floor(end / DAY_MINUTES);
  const whole = countDays(fields, firstDay, lastDay) * timesBefore(fields, DAY_MINUTES);
  const cut = countDays(fields, firstDay, firstDay + 1) * timesBefore(fields, from - firstDay * DAY_MINUTES);
  const rest = countDays(fields, lastDay, lastDay + 1) * timesBefore(fields, end - lastDay * DAY_MINUTES);
  return whole - cut + rest;
}
