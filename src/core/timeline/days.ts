import { type Instant, instant } from '#core/time/instant.ts';
import { offsetAt, transitionsBetween, type Zone } from '#core/time/zone.ts';

/** A day of a zone's calendar, or the part of it that lies in a window. */
export interface CalendarDay {
  /** Days since 1970-01-01 on the local calendar. */
  readonly number: number;
  readonly from: Instant;
  /** The first instant behind it. */
  readonly end: Instant;
}

const DAY = 86_400;

/** Seconds since local midnight on the clock of the zone. */
export function secondOfDay(zone: Zone, at: Instant): number {
  const local = at + offsetAt(zone, at);
  return local - Math.floor(local / DAY) * DAY;
}

function dayNumber(zone: Zone, at: Instant): number {
  return Math.floor((at + offsetAt(zone, at)) / DAY);
}

/** The first instant on whose local clock the day has begun: midnight, or what comes behind a gap there. */
function beginningOf(zone: Zone, day: number): Instant {
  const nominal = day * DAY;
  const from = instant(nominal - 2 * DAY);
  const changes = transitionsBetween(zone, from, instant(nominal + 2 * DAY));
  const segments = [
    { start: from, offset: offsetAt(zone, from) },
    ...changes.map(({ at, after }) => ({ start: at, offset: after })),
  ];
  for (const [index, { start, offset }] of segments.entries()) {
    const at = instant(Math.max(start, nominal - offset));
    const next = segments[index + 1];
    if (next === undefined || at < next.start) return at;
  }
  return instant(nominal);
}

/** When the local day of an instant began. */
export function startOfDay(zone: Zone, at: Instant): Instant {
  return beginningOf(zone, dayNumber(zone, at));
}

/** The days of [from, end), the first and the last cut to it; a day that a zone leaves out is none. */
export function daysOf(zone: Zone, from: Instant, end: Instant): readonly CalendarDay[] {
  const days: CalendarDay[] = [];
  for (let at = from, number = dayNumber(zone, from); at < end; number += 1) {
    const next = beginningOf(zone, number + 1);
    const until = next < end ? next : end;
    if (until > at) {
      days.push({ number, from: at, end: until });
      at = until;
    }
  }
  return days;
}
