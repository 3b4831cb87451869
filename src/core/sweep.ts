import { hash32 } from '#core/object/hash.ts';
import type { Instant } from '#core/time/instant.ts';

const MINUTES = 60;

/**
 * Whether the runs of a namespace are read in the minute of `now` whatever is due: once in an hour of ticks that come
 * every minute. Its minute is one later in each hour, so that ticks which come every second minute, or every fifth, get
 * to all of them as well, in some hours.
 */
export function isSwept(namespace: string, now: Instant): boolean {
  const minute = Math.floor(now / 60);
  const own = hash32(namespace) + Math.floor(minute / MINUTES);
  return own % MINUTES === minute % MINUTES;
}
