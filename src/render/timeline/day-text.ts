import { formatInstant, instant } from '#core/time/instant.ts';
import type { CalendarDay } from '#core/timeline/days.ts';
import { weekdayOf } from '#render/moment-text.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

export interface DayParts {
  /** `2026-11-30` */
  readonly date: string;
  readonly weekday: string;
  readonly day: number;
  readonly month: string;
  readonly year: string;
}

export function dayParts({ number }: Pick<CalendarDay, 'number'>): DayParts {
  const date = formatInstant(instant(number * 86_400)).slice(0, 10);
  return {
    date,
    weekday: weekdayOf(number),
    day: Number(date.slice(8)),
    month: MONTHS[Number(date.slice(5, 7)) - 1] ?? '',
    year: date.slice(0, 4),
  };
}

/** `Mon 30 Nov 2026` */
export function dayText(of: Pick<CalendarDay, 'number'>): string {
  const { weekday, day, month, year } = dayParts(of);
  return `${weekday} ${day} ${month} ${year}`;
}

/** `Mon 30 Nov 2026 to Sun 6 Dec 2026`, or the one day. */
export function daysText(days: readonly Pick<CalendarDay, 'number'>[]): string {
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined) return 'no time at all';
  return first === last ? dayText(first) : `${dayText(first)} to ${dayText(last)}`;
}
