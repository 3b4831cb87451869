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
  readonly pin?: Pin | undefined;
  /** A slot behind both that was run. It is looked at once more, and then found to be done. */
  readonly proved?: Instant | undefined;
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

/** Only slots whose base slot lies behind an instant. */
function behind(timing: Timing, at: Instant): Timing {
  return { ...timing, basesAfter: Math.max(timing.basesAfter, at) };
}

/** Whether an expression gives this slot. */
export function isNamed(timing: Timing, at: Instant): boolean {
  return baseSlotOf(timing, at) !== undefined;
}

/**
 * A pin that the expression does not name is owed all the same: it was written for another jitter, or by somebody
 * else. What follows are slots whose base slot lies behind it, so that no base slot is run twice.
 */
function fromOddPin(timing: Timing, { at, alone }: Pin): Owing {
  const rest = behind(timing, at);
  const later = (upTo: Instant): Instant | undefined =>
    alone ? undefined : latestAtOrBefore(rest, upTo, at);
  return {
    first: at,
    latest: (upTo) => (upTo < at ? undefined : (later(upTo) ?? at)),
    count: (upTo, limit) => (upTo < at ? 0 : 1 + (alone ? 0 : countBetween(rest, at, upTo, limit))),
    next: (after) => (after < at ? at : firstAfter(rest, after)),
  };
}

function fromPin(timing: Timing, pin: Pin): Owing {
  const named = !pin.alone && isNamed(timing, pin.at);
  return named ? fromAnchor(timing, instant(pin.at - 1)) : fromOddPin(timing, pin);
}

/** Base slots up to a slot of another timing are settled by it. */
function behindOdd(timing: Timing, at: Instant): Timing {
  return isNamed(timing, at) ? timing : behind(timing, at);
}

/** Where the debt begins without a pin. */
export function settledUpTo({ anchor, proved }: Debt): Instant {
  return proved === undefined ? anchor : instant(proved - 1);
}

export function owingOf(timing: Timing, debt: Debt): Owing {
  const { anchor, pin, proved } = debt;
  if (pin === undefined) return fromAnchor(timing, settledUpTo(debt));
  // Like a pin a slot that was run stands for its base slot, also where another timing gave it.
  if (proved !== undefined) return fromPin(timing, { at: proved, alone: pin.at === proved && pin.alone });
  if (anchor < pin.at) return fromPin(timing, pin);
  return fromAnchor(
    behindOdd(pin.alone ? behind(timing, pin.at) : behindOdd(timing, pin.at), anchor),
    anchor,
  );
}
