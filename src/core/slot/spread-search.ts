import { countBases, END_OF_TIME, FIRST_INSTANT, firstBase, lastBase } from './base-slot.ts';
import { offsetOf, type Spread } from './spread.ts';
import type { Timing } from './timing.ts';

/*
 * A slot is a base slot plus an offset below the window, each base slot with its own, so slots may overtake each
 * other (snapshot-schedule.md D29). A search looks at every base slot whose window holds the answer.
 */

/** Instants from `from` to before `end`. */
export interface Range {
  readonly from: number;
  readonly end: number;
}

/** The first slot after `after` of base slots before `end`, or Infinity. */
export function firstSpread(timing: Timing, spread: Spread, after: number, end: number): number {
  let best = Number.POSITIVE_INFINITY;
  let base = firstBase(timing, Math.max(FIRST_INSTANT, after - spread.window + 2), end);
  while (base < best) {
    const slot = base + offsetOf(spread, base);
    if (slot > after && slot < best) best = slot;
    base = firstBase(timing, base + 1, Math.min(end, best));
  }
  return best;
}

/** The last slot in [from, at], or -Infinity. */
export function lastSpread(timing: Timing, spread: Spread, at: number, from: number): number {
  let best = Number.NEGATIVE_INFINITY;
  let least = Math.max(FIRST_INSTANT, from - spread.window + 1);
  let base = lastBase(timing, at, least);
  while (base >= least) {
    const slot = base + offsetOf(spread, base);
    if (slot <= at && slot >= from && slot > best) {
      best = slot;
      least = Math.max(least, best - spread.window + 2);
    }
    base = lastBase(timing, base - 1, least);
  }
  return best;
}

/** How many slots lie in a range; base slots whose whole window lies in it need no hash. */
export function countSpread(timing: Timing, spread: Spread, range: Range, limit: number): number {
  const sureEnd = Math.max(range.from, range.end - spread.window + 1);
  let count = countBases(timing, range.from, sureEnd, limit);
  if (count < limit)
    count += countHashed(timing, spread, range, { from: range.from - spread.window + 1, end: range.from });
  if (count < limit) count += countHashed(timing, spread, range, { from: sureEnd, end: range.end });
  return count;
}

function countHashed(timing: Timing, spread: Spread, range: Range, bases: Range): number {
  let count = 0;
  let base = firstBase(timing, Math.max(FIRST_INSTANT, bases.from), bases.end);
  while (base < bases.end) {
    const slot = base + offsetOf(spread, base);
    if (slot >= range.from && slot < range.end) count++;
    base = firstBase(timing, base + 1, bases.end);
  }
  return count;
}

/** The first `limit` slots of a range in order. */
export function listSpread(timing: Timing, spread: Spread, range: Range, limit: number): number[] {
  const end = Math.min(range.end, END_OF_TIME);
  const found: number[] = [];
  let pending: number[] = [];
  let base = firstBase(timing, Math.max(FIRST_INSTANT, range.from - spread.window + 1), end);
  while (found.length < limit && (base < end || pending.length > 0)) {
    for (const enough = 2 * pending.length + 64; base < end && pending.length < enough; ) {
      const slot = base + offsetOf(spread, base);
      if (slot >= range.from && slot < end) pending.push(slot);
      base = firstBase(timing, base + 1, end);
    }
    pending.sort((a, b) => a - b);
    // No later base slot comes before `base`, so what is not after it is settled.
    const settled = base < end ? pending.findLastIndex((slot) => slot <= base) + 1 : pending.length;
    found.push(...pending.slice(0, Math.min(settled, limit - found.length)));
    pending = pending.slice(settled);
  }
  return found;
}

/** The base slot that lands on an instant; the latest of them, or -Infinity. */
export function baseOfSpread(timing: Timing, spread: Spread, slot: number): number {
  const least = Math.max(FIRST_INSTANT, slot - spread.window + 1);
  let base = lastBase(timing, slot, least);
  while (base >= least && base + offsetOf(spread, base) !== slot) base = lastBase(timing, base - 1, least);
  return base;
}
