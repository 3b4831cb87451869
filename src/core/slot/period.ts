import type { Timing } from './timing.ts';

/* `@every`: the slots are the anchor plus whole periods, the anchor itself not among them (cron-job.md 1.6). */

/** The first slot in [from, end), or Infinity. */
export function firstPeriod({ anchor, period }: Timing, from: number, end: number): number {
  const slot = anchor + Math.max(1, Math.ceil((from - anchor) / period)) * period;
  return slot < end ? slot : Number.POSITIVE_INFINITY;
}

/** The last slot in [from, upTo], or -Infinity. */
export function lastPeriod({ anchor, period }: Timing, upTo: number, from: number): number {
  const periods = Math.floor((upTo - anchor) / period);
  const slot = anchor + periods * period;
  return periods >= 1 && slot >= from ? slot : Number.NEGATIVE_INFINITY;
}

/** How many slots lie in [from, end). */
export function countPeriods({ anchor, period }: Timing, from: number, end: number): number {
  const before = (instant: number) => Math.max(0, Math.ceil((instant - anchor) / period) - 1);
  return before(end) - before(from);
}
