import { shortened } from '#core/object/label-value.ts';
import type { Instant } from '#core/time/instant.ts';

/**
 * The name of a run that a person asked for. Names of slots end in the digits of the slot, so that none is like it; the
 * same within one second, so that asking twice in a row starts one.
 */
export function manualName(schedule: string, at: Instant, most: number): string {
  const suffix = `-${at}-manual`;
  return shortened(schedule, most - suffix.length) + suffix;
}
