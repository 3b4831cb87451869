import { baseSlotOf, countBetween, firstAfter, latestAtOrBefore } from '#core/slot/search.ts';
import type { Timing } from '#core/slot/timing.ts';
import { type Instant, instant } from '#core/time/instant.ts';

/** The slot that is owed next, as a status records it. */
export interface Pin {
  readonly at: Instant;
  /** Nothing else is owed until it is settled, however many slots pass. */
  readonly alone: boolean;
  /** The schedule's own unfinished runs do not hold it. */
  readonly besideOwn?: true;
}

/** Where the debt of a schedule begins. */
export interface Debt {
  /** Slots up to here are settled. */
  readonly anchor: Instant;
  readonly pin?: Pin;
}

/** The slots that a schedule owes from its anchor, or from its pin, on. */
export interface Owing {
  /** The first one, undefined if the expression ends before. */
  readonly first: Instant | undefined;
  /** The last one up to an instant. */
  readonly latest: (upTo: Instant) => Instant | undefined;
  /** How many there are up to an instant. */
  readonly count: (upTo: Instant, limit: number) => number;
  /** The first one behind an instant. */
  readonly next: (after: Instant) => Instant | undefined;
}

function fromAnchor(timing: Timing, anchor: Instant): Owing {
  return {
    first: firstAfter(timing, anchor),
    latest: (upTo) => latestAtOrBefore(timing, upTo, anchor),
    count: (upTo, limit) => countBetween(timing, anchor, upTo, limit),
    next: (after) => firstAfter(timing, after > anchor ? after : anchor),
  };
}

function behindPin(timing: Timing, { at }: Pin): Timing {
  return { ...timing, basesAfter: Math.max(timing.basesAfter, at) };
}

/**
 * A pin that the expression does not name is owed all the same: it was written for another jitter, or by somebody
 * else. What follows are slots whose base slot lies behind it, so that no base slot is run twice.
 */
function fromOddPin(timing: Timing, pin: Pin): Owing {
  const { at, alone } = pin;
  const rest = behindPin(timing, pin);
  const behind = (upTo: Instant): Instant | undefined =>
    alone ? undefined : latestAtOrBefore(rest, upTo, at);
  return {
    first: at,
    latest: (upTo) => (upTo < at ? undefined : (behind(upTo) ?? at)),
    count: (upTo, limit) => (upTo < at ? 0 : 1 + (alone ? 0 : countBetween(rest, at, upTo, limit))),
    next: (after) => (after < at ? at : firstAfter(rest, after)),
  };
}

export function owingOf(timing: Timing, { anchor, pin }: Debt): Owing {
  if (pin === undefined) return fromAnchor(timing, anchor);
  const named = !pin.alone && baseSlotOf(timing, pin.at) !== undefined;
  if (anchor >= pin.at) return fromAnchor(named ? timing : behindPin(timing, pin), anchor);
  return named ? fromAnchor(timing, instant(pin.at - 1)) : fromOddPin(timing, pin);
}
