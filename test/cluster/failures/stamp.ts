import { formatInstant, type Instant } from '#core/time/instant.ts';

/** How the name of a Snapshot says its slot. */
export function stampOf(slot: Instant): string {
  return formatInstant(slot).replace(/\D/g, '');
}
