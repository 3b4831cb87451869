import { boundH } from './spread.ts';
import { compileTiming, type Timing, type TimingInput } from './timing.ts';

/** Where the slots of a schedule can lie: each between a slot of `first` and one of `last`, `reach` seconds later. */
export interface SlotRange {
  readonly first: Timing;
  readonly last: Timing;
  /** Whole seconds: the most that jitter can add. */
  readonly reach: number;
}

/**
 * The range of the slots of an object whose uid is not known yet, while `H` and jitter follow from it; undefined
 * where they play no part.
 */
export function rangeOf(input: TimingInput, timing: Timing): SlotRange | undefined {
  if (!timing.seeded) return undefined;
  const { jitterSeconds = 0, ...plain } = input;
  const first = compileTiming({ ...plain, expression: boundH(input.expression, 'first') });
  const last = compileTiming({ ...plain, expression: boundH(input.expression, 'last') });
  if (!first.ok || !last.ok) return undefined;
  return { first: first.timing, last: last.timing, reach: Math.max(0, Math.floor(jitterSeconds) - 1) };
}
