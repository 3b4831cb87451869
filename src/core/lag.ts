import { type Instant, instant } from '#core/time/instant.ts';

/** Whole minutes, each by the instant in which it begins. */
export interface Minutes {
  readonly first: Instant;
  readonly last: Instant;
}

/** How far a tick is behind the last one that was completed. */
export interface Lag {
  /** The `now` of that one; absent where none is known, as in the first tick. */
  readonly lastCompleted?: Instant;
  /** The minutes between both in which none was completed; 0 of a tick that is on time. */
  readonly missedMinutes: number;
  /** Which they are; absent where there are none. */
  readonly missed?: Minutes;
  /** Seconds by which `now` lies before `lastCompleted`: a clock went back. Else 0. */
  readonly secondsBack: number;
}

const MINUTE = 60;

/** @param lastCompleted the watermark that the last completed tick left, if there is one */
export function lagOf(lastCompleted: Instant | undefined, now: Instant): Lag {
  if (lastCompleted === undefined) return { missedMinutes: 0, secondsBack: 0 };
  const first = Math.floor(lastCompleted / MINUTE) + 1;
  const last = Math.floor(now / MINUTE) - 1;
  const missedMinutes = Math.max(0, last - first + 1);
  const secondsBack = Math.max(0, lastCompleted - now);
  if (missedMinutes === 0) return { lastCompleted, missedMinutes, secondsBack };
  const missed = { first: instant(first * MINUTE), last: instant(last * MINUTE) };
  return { lastCompleted, missedMinutes, missed, secondsBack };
}
