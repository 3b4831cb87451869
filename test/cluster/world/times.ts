import { type Instant, instant } from '#core/time/instant.ts';

export const DAY = 86_400;
export const NIGHTLY = '0 3 * * *';

/** Three o'clock of the night after next: whatever a test creates exists by then, and owes it. */
export const SLOT: Instant = instant((Math.floor(Date.now() / 1000 / DAY) + 2) * DAY + 3 * 3600);
/** The tick of that minute. */
export const NOW: Instant = instant(SLOT + 10);

/** As many days later. */
export function daysAfter(time: Instant, days: number): Instant {
  return instant(time + days * DAY);
}
