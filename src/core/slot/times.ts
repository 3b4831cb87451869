import { countBits, highestBit, lowestBit } from './bits.ts';
import type { CronFields } from './fields.ts';

/** Minutes of a day. */
export const DAY_MINUTES = 1440;

/** The first matching time of day from `minute` on, in minutes of the day; DAY_MINUTES if there is none. */
export function nextTime(fields: CronFields, minute: number): number {
  const hour = (minute / 60) | 0;
  if ((fields.hours >> hour) & 1) {
    const found = nextMinute(fields, minute - hour * 60);
    if (found < 60) return hour * 60 + found;
  }
  const later = fields.hours & (-2 << hour);
  const first = nextMinute(fields, 0);
  return later === 0 || first === 60 ? DAY_MINUTES : lowestBit(later) * 60 + first;
}

function nextMinute(fields: CronFields, minute: number): number {
  if (minute < 30) {
    const low = fields.minutesLow & (-1 << minute);
    if (low !== 0) return lowestBit(low);
    return fields.minutesHigh === 0 ? 60 : 30 + lowestBit(fields.minutesHigh);
  }
  const high = fields.minutesHigh & (-1 << (minute - 30));
  return high === 0 ? 60 : 30 + lowestBit(high);
}

/** The last matching time of day up to and with `minute`; -1 if there is none. */
export function previousTime(fields: CronFields, minute: number): number {
  const hour = (minute / 60) | 0;
  if ((fields.hours >> hour) & 1) {
    const found = previousMinute(fields, minute - hour * 60);
    if (found >= 0) return hour * 60 + found;
  }
  const earlier = fields.hours & ((1 << hour) - 1);
  const last = previousMinute(fields, 59);
  return earlier === 0 || last < 0 ? -1 : highestBit(earlier) * 60 + last;
}

function previousMinute(fields: CronFields, minute: number): number {
  if (minute >= 30) {
    const high = fields.minutesHigh & ((2 << (minute - 30)) - 1);
    if (high !== 0) return 30 + highestBit(high);
    return fields.minutesLow === 0 ? -1 : highestBit(fields.minutesLow);
  }
  const low = fields.minutesLow & ((2 << minute) - 1);
  return low === 0 ? -1 : highestBit(low);
}

/** How many times of day match before `minute`, which is at most DAY_MINUTES. */
export function timesBefore(fields: CronFields, minute: number): number {
  const hour = (minute / 60) | 0;
  const hours = countBits(fields.hours & ((1 << hour) - 1));
  const whole = hours * (countBits(fields.minutesLow) + countBits(fields.minutesHigh));
  if (((fields.hours >> hour) & 1) === 0) return whole;
  const rest = minute - hour * 60;
  const low = fields.minutesLow & (rest >= 30 ? -1 : (1 << rest) - 1);
  const high = rest >= 30 ? fields.minutesHigh & ((1 << (rest - 30)) - 1) : 0;
  return whole + countBits(low) + countBits(high);
}
