import { IANAZone } from 'luxon';
import { type Instant, instant } from '#core/time/instant.ts';

const HOUR = 3600;
const ZONE = IANAZone.create('Europe/Berlin');

function offsetAt(at: number): number {
  return ZONE.offset(at * 1000);
}

/**
 * Some hours before clocks change next in Europe, and at least some hours ahead: whatever a server creates now is
 * older than every tick.
 */
export function beforeClockChange(now: number): Instant {
  let at = Math.floor(now / HOUR + 12) * HOUR;
  while (offsetAt(at) === offsetAt(at + 6 * HOUR)) at += HOUR;
  return instant(at + 10);
}
