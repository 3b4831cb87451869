import { type Instant, instant } from '#core/time/instant.ts';
import { firstAfter, latestAtOrBefore } from './search.ts';
import { boundH } from './spread.ts';
import { compileTiming, type Timing, type TimingInput, unbound } from './timing.ts';

/** Where the slots of a schedule can lie: each between a slot of `first` and one of `last`, `reach` seconds later. */
export interface SlotRange {
  readonly first: Timing;
  readonly last: Timing;
  /** Every base slot that some uid gives. */
  readonly all: Timing;
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
  const bounds = (['first', 'last', 'all'] as const).map((bound) => {
    const compiled = compileTiming({ ...plain, expression: boundH(input.expression, bound) });
    return compiled.ok ? compiled.timing : undefined;
  });
  const [first, last, all] = bounds;
  if (first === undefined || last === undefined || all === undefined) return undefined;
  return { first, last, all, reach: Math.max(0, Math.floor(jitterSeconds) - 1) };
}

/** Where the next slots can lie, each from the earliest to the latest instant that a uid could give it. */
export interface SlotSpan {
  readonly from: Instant;
  readonly until: Instant;
}

/**
 * The spans of the next slots after an instant. In the middle of a span it depends on the uid whether the slot is past
 * or still to come: what is past comes again in the span behind it.
 */
export function spansAfter(
  { first, last, all, reach }: SlotRange,
  now: Instant,
  count: number,
): readonly SlotSpan[] {
  const windows: { readonly low: Instant; readonly high: Instant }[] = [];
  for (let high = firstAfter(last, now); high !== undefined; high = firstAfter(last, high)) {
    windows.push({ low: latestAtOrBefore(unbound(first), high) ?? high, high });
    if (windows.length > count) break;
  }
  const begun = windows[0] !== undefined && windows[0].low <= now;
  const passed = begun ? latestAtOrBefore(unbound(all), now) : undefined;
  const shift = passed === undefined || windows[0] === undefined ? undefined : passed - windows[0].low;
  return windows.slice(0, count).map(({ low, high }, index): SlotSpan => {
    const behind = windows[index + 1];
    if (shift === undefined || behind === undefined) {
      return { from: instant(Math.max(low, now + 1)), until: instant(high + reach) };
    }
    const from = firstAfter(unbound(all), instant(low + shift)) ?? low;
    return { from, until: instant(Math.min(behind.low + shift, behind.high) + reach) };
  });
}
