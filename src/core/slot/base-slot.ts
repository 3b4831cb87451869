import { segmentAt, spanAt, type ZoneSpan } from '#core/time/zone.ts';
import { countDays, nextDay, previousDay } from './days.ts';
import type { CronFields } from './fields.ts';
import { DAY_MINUTES, nextTime, previousTime, timesBefore } from './times.ts';
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
  if (timing.kind === 'every') {
    const slot = timing.anchor + Math.max(1, Math.ceil((from - timing.anchor) / timing.period)) * timing.period;
    return slot < end ? slot : Number.POSITIVE_INFINITY;
  }
  const { fields, zone } = timing;
  const localEnd = Math.ceil((end + REACH) / 60);
  for (let at = from; at < end; ) {
    const span = spanAt(zone, at);
    const index = segmentAt(span, at);
    const offset = span.offsets[index] ?? 0;
    let local = at + offset;
    if (timing.safe) {
      if (at === span.starts[index] && missesOne(fields, span, index)) return at;
      local = Math.max(local, span.reached[index] ?? local);
    }
    const match = nextLocal(fields, Math.ceil(local / 60), localEnd);
    const stop = span.starts[index + 1] ?? span.to;
    const slot = match * 60 - offset;
    if (slot < stop) return slot < end ? slot : Number.POSITIVE_INFINITY;
    at = stop - at <= 2 * REACH ? stop : Math.max(stop, match * 60 - REACH);
  }
  return Number.POSITIVE_INFINITY;
}

/** The last base slot in [from, upTo], or -Infinity. */
export function lastBase(timing: Timing, upTo: number, from: number): number {
  if (timing.kind === 'every') {
    const periods = Math.floor((upTo - timing.anchor) / timing.period);
    const slot = timing.anchor + periods * timing.period;
    return periods >= 1 && slot >= from ? slot : Number.NEGATIVE_INFINITY;
  }
  const { fields, zone } = timing;
  const localEnd = Math.floor((from - REACH) / 60);
  for (let at = upTo; at >= from; ) {
    const span = spanAt(zone, at);
    const index = segmentAt(span, at);
    const offset = span.offsets[index] ?? 0;
    const start = span.starts[index] ?? span.from;
    const match = previousLocal(fields, Math.floor((at + offset) / 60), localEnd);
    if (match >= firstLocal(timing, span, index)) {
      const slot = match * 60 - offset;
      return slot >= from ? slot : Number.NEGATIVE_INFINITY;
    }
    if (timing.safe && missesOne(fields, span, index)) return start >= from ? start : Number.NEGATIVE_INFINITY;
    at = at - start <= 2 * REACH ? start - 1 : Math.min(start - 1, match * 60 + REACH);
  }
  return Number.NEGATIVE_INFINITY;
}

/** How many base slots lie in [from, end); the count may stop at `limit`. */
export function countBases(timing: Timing, from: number, end: number, limit: number): number {
  if (from >= end) return 0;
  if (timing.kind === 'every') {
    const until = Math.ceil((end - timing.anchor) / timing.period) - 1;
    return Math.max(0, until - Math.max(0, Math.ceil((from - timing.anchor) / timing.period) - 1));
  }
  let count = 0;
  for (let at = from; at < end && count < limit; ) {
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

/** The first matching local minute from `from` on; any value from `end` on if there is none before it. */
export function nextLocal(fields: CronFields, from: number, end: number): number {
  const day = Math.floor(from / DAY_MINUTES);
  const endDay = Math.floor(end / DAY_MINUTES) + 1;
  let next = nextDay(fields, day, endDay);
  if (next === day) {
    const time = nextTime(fields, from - day * DAY_MINUTES);
    if (time < DAY_MINUTES) return day * DAY_MINUTES + time;
    next = nextDay(fields, day + 1, endDay);
  }
  return next * DAY_MINUTES + nextTime(fields, 0);
}

/** The last matching local minute up to and with `from`; any value below `end` if there is none from it on. */
export function previousLocal(fields: CronFields, from: number, end: number): number {
  const day = Math.floor(from / DAY_MINUTES);
  const endDay = Math.floor(end / DAY_MINUTES);
  let previous = previousDay(fields, day, endDay);
  if (previous === day) {
    const time = previousTime(fields, from - day * DAY_MINUTES);
    if (time >= 0) return day * DAY_MINUTES + time;
    previous = previousDay(fields, day - 1, endDay);
  }
  return previous * DAY_MINUTES + previousTime(fields, DAY_MINUTES - 1);
}

/** How many local minutes in [from, end) match. */
export function countLocal(fields: CronFields, from: number, end: number): number {
  if (end <= from) return 0;
  const firstDay = Math.floor(from / DAY_MINUTES);
  const lastDay = Math.floor(end / DAY_MINUTES);
  const wholeDays = countDays(fields, firstDay, lastDay) * timesBefore(fields, DAY_MINUTES);
  const cut = countDays(fields, firstDay, firstDay + 1) * timesBefore(fields, from - firstDay * DAY_MINUTES);
  const rest = countDays(fields, lastDay, lastDay + 1) * timesBefore(fields, end - lastDay * DAY_MINUTES);
  return wholeDays - cut + rest;
}
