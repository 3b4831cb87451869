import { basesFrom } from './bases.ts';
import { jitterOf, withoutH } from './fnv.ts';

/** When a schedule fires, with everything resolved but `H`. */
export interface When {
  readonly expression: string;
  readonly zone: string;
  /** The uid of the schedule. */
  readonly seed: string;
  /** The jitter window in seconds; 0 is none. */
  readonly window: number;
}

export interface Slot {
  readonly base: number;
  readonly at: number;
}

/** No expression of these tests rests longer. */
const HORIZON = 40 * 86_400;

function slotOf({ seed, window }: When, base: number): Slot {
  return { base, at: base + jitterOf(seed, window, base) };
}

function basesOf(when: When, from: number, to: number): Generator<number> {
  return basesFrom(withoutH(when.expression, when.seed), when.zone, from, to);
}

/** Every slot in [from, to], by its instant; each base slot has its own, however they overtake each other (D29). */
export function slotsIn(when: When, from: number, to: number): readonly Slot[] {
  return [...basesOf(when, from - when.window, to)]
    .map((base) => slotOf(when, base))
    .filter(({ at }) => at >= from && at <= to)
    .sort((a, b) => a.at - b.at || a.base - b.base);
}

/** The first slot behind an instant, of the base slots behind another. */
export function nextSlot(when: When, after: number, basesAfter = Number.NEGATIVE_INFINITY): Slot | undefined {
  let best: Slot | undefined;
  const from = Math.max(after - when.window, basesAfter + 1);
  for (const base of basesOf(when, from, Math.max(after, from) + HORIZON)) {
    if (best !== undefined && base >= best.at) break;
    const slot = slotOf(when, base);
    if (slot.at > after && (best === undefined || slot.at < best.at)) best = slot;
  }
  return best;
}

/** The base slot that lands on an instant, the later one if there are two. */
export function baseAt(when: When, at: number): number | undefined {
  return slotsIn(when, at, at).at(-1)?.base;
}

export interface Owing {
  /** From the oldest to the latest. */
  readonly owed: readonly number[];
  readonly next: number | undefined;
}

/**
 * D28: what is owed from an instant that is owed itself up to now, and what follows. One that is no slot of the
 * expression, be it a pin or a slot that was run by another timing, is owed all the same; behind it come slots whose
 * base slot is later, so that no base slot is run twice. One that is alone is all that is owed.
 */
export function owingFrom(when: When, first: number, alone: boolean, now: number): Owing {
  if (first > now) return { owed: [], next: first };
  const named = !alone && baseAt(when, first) !== undefined;
  if (named) {
    const owed = slotsIn(when, first, now).map(({ at }) => at);
    return { owed, next: nextSlot(when, now)?.at };
  }
  const rest = alone ? [] : slotsIn(when, first + 1, now).filter(({ base }) => base > first);
  return { owed: [first, ...rest.map(({ at }) => at)], next: nextSlot(when, now, first)?.at };
}

/** The same behind an instant that is settled. */
export function owingBehind(when: When, settled: number, now: number): Owing {
  const { owed, next } = owingFrom(when, Math.min(settled, now), false, now);
  if (settled <= now) return { owed: owed.filter((at) => at > settled), next };
  const named = baseAt(when, settled) !== undefined;
  return { owed: [], next: nextSlot(when, settled, named ? undefined : settled)?.at };
}
