import { segmentAt, spanAt, type ZoneSpan } from '#core/time/zone-span.ts';
import type { CronFields } from './fields.ts';
import { countLocal, nextLocal, previousLocal } from './local-time.ts';
import { countPeriods, firstPeriod, lastPeriod } from './period.ts';
import type { Timing } from './timing.ts';

/*
 * Instants are seconds here, local times are minutes since 1970-01-01T00:00 on the local clock. A search walks the
 * segments of the zone; in each, local time is a sum. Between two matches it leaps, so a rare date costs a look at
 * the zone around that date and not at all the years before it. A match that the leap passes over would have to be
 * on a stretch of local time that is lived through twice, and so within twice REACH of where the leap begins.
 */

/** Years 1 to 9999: what an Instant can be. */
export const FIRST_INSTANT = -62_135_596_800;
export const END_OF_TIME = 253_402_300_800;

/** No zone was ever further from UTC. */
const REACH = 16 * 3600;

/** The first base slot in [from, end), or Infinity. */
export function firstBase(timing: Timing, from: number, end: number): number {
  const start = Math.max(from, timing.basesAfter + 1);
  return timing.kind === 'every' ? firstPeriod(timing, start, end) : firstMatch(timing, start, end);
}

function firstMatch(timing: Timing, from: number, end: number): number {
  const { fields, zone, safe } = timing;
  const localEnd = Math.ceil((end + REACH) / 60);
  for (let at = from; at < end; ) {
    const span = spanAt(zone, at);
    const index = segmentAt(span, at);
    const offset = span.offsets[index] ?? 0;
    if (safe && at === span.starts[index] && missesOne(fields, span, index)) return at;
    const local = safe ? Math.max(at + offset, span.reached[index] ?? 0) : at + offset;
    const match = nextLocal(fields, Math.ceil(local / 60), localEnd);
    const stop = span.starts[index + 1] ?? span.to;
    const slot = match * 60 - offset;
    if (slot < stop) return below(slot, end);
    at = stop - at <= 2 * REACH ? stop : Math.max(stop, match * 60 - REACH);
  }
  return Number.POSITIVE_INFINITY;
}

function below(slot: number, end: number): number {
  return slot < end ? slot : Number.POSITIVE_INFINITY;
}

/** The last base slot in [from, upTo], or -Infinity. */
export function lastBase(timing: Timing, upTo: number, from: number): number {
  const least = Math.max(from, timing.basesAfter + 1);
  return timing.kind === 'every' ? lastPeriod(timing, upTo, least) : lastMatch(timing, upTo, least);
}

function lastMatch(timing: Timing, upTo: number, from: number): number {
  const { fields, zone } = timing;
  const localEnd = Math.floor((from - REACH) / 60);
  for (let at = upTo; at >= from; ) {
    const span = spanAt(zone, at);
    const index = segmentAt(span, at);
    const offset = span.offsets[index] ?? 0;
    const start = span.starts[index] ?? span.from;
    const match = previousLocal(fields, Math.floor((at + offset) / 60), localEnd);
    if (match >= firstLocal(timing, span, index)) return atLeast(match * 60 - offset, from);
    if (timing.safe && missesOne(fields, span, index)) return atLeast(start, from);
    at = at - start <= 2 * REACH ? start - 1 : Math.min(start - 1, match * 60 + REACH);
  }
  return Number.NEGATIVE_INFINITY;
}

function atLeast(slot: number, from: number): number {
  return slot >= from ? slot : Number.NEGATIVE_INFINITY;
}

/** How many base slots lie in [from, end); the count may stop at `limit`. */
export function countBases(timing: Timing, from: number, end: number, limit: number): number {
  const first = Math.max(from, timing.basesAfter + 1);
  if (first >= end) return 0;
  if (timing.kind === 'every') return countPeriods(timing, first, end);
  let count = 0;
  for (let at = first; at < end && count < limit; ) {
    const span = spanAt(timing.zone, at);
    const index = segmentAt(span, at);
    const stop = Math.min(end, span.starts[index + 1] ?? span.to);
    count += countInSegment(timing, span, index, [at, stop]);
    at = stop;
  }
  return count;
}

function countInSegment(
  timing: Timing,
  span: ZoneSpan,
  index: number,
  [from, stop]: readonly [from: number, stop: number],
): number {
  const { fields } = timing;
  const offset = span.offsets[index] ?? 0;
  const moved = timing.safe && from === span.starts[index] && missesOne(fields, span, index);
  // A missing time that runs at the very instant where the same time of the next day stands is one slot.
  const start = Math.max(Math.ceil((from + offset + (moved ? 1 : 0)) / 60), firstLocal(timing, span, index));
  return (moved ? 1 : 0) + countLocal(fields, start, Math.ceil((stop + offset) / 60));
}

/** The first local minute of a segment that is on the clock for the first time (safe rule) or at all (clean rule). */
function firstLocal(timing: Timing, span: ZoneSpan, index: number): number {
  const local = (span.starts[index] ?? span.from) + (span.offsets[index] ?? 0);
  return Math.ceil((timing.safe ? Math.max(local, span.reached[index] ?? local) : local) / 60);
}

/** Whether the clock leapt over a match at the start of a segment. */
function missesOne(fields: CronFields, span: ZoneSpan, index: number): boolean {
  if (index === 0) return false;
  const from = Math.ceil((span.reached[index] ?? 0) / 60);
  const end = Math.ceil(((span.starts[index] ?? 0) + (span.offsets[index] ?? 0)) / 60);
  return from < end && nextLocal(fields, from, end) < end;
}
