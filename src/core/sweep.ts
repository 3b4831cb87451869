import { fnv1a32 } from '#core/object/hash.ts';
import { SWEEP_SECONDS } from '#core/quiet.ts';
import type { Instant } from '#core/time/instant.ts';

const MINUTES = SWEEP_SECONDS / 60;

/** Whether the runs of a namespace are read in the minute of `now` whatever is due: once in every hour. */
export function isSwept(namespace: string, now: Instant): boolean {
  return Number.parseInt(fnv1a32(namespace), 16) % MINUTES === Math.floor(now / 60) % MINUTES;
}
