import { type Instant, instant } from '#core/time/instant.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** At least eleven hours ahead, so that no test runs into it: whatever a test creates owes it first. */
export const SLOT: Instant = instant((Math.floor(Date.now() / 1000 / HOUR) + 12) * HOUR);
/** The tick of that minute. */
export const NOW: Instant = instant(SLOT + 10);
/** Daily, at the hour of that slot. */
export const DAILY = `0 ${(SLOT % DAY) / HOUR} * * *`;

/** As many days later. */
export function daysAfter(time: Instant, days: number): Instant {
  return instant(time + days * DAY);
}
