import { countBetween, firstAfter, latestAtOrBefore, neverFires } from '#core/slot/search.ts';
import type { Timing } from '#core/slot/timing.ts';
import { type Instant, instant } from '#core/time/instant.ts';

/** When a late slot is no longer wanted. */
export interface LatenessRule {
  /** Seconds; undefined = a slot is wanted however late. */
  readonly deadlineSeconds?: number | undefined;
  /** Seconds that a tick may be late by nature; 0 = the kind's raw rule. */
  readonly graceSeconds: number;
  /** The kind's raw rule: whether a slot is still wanted when it is exactly `deadlineSeconds` late. */
  readonly exactlyOnDeadline: 'wanted' | 'expired';
}

/** Owed slots are those after the anchor, up to and including now. */
export interface OwedSlots {
  readonly slot: Instant;
  readonly oldest: Instant;
  readonly count: number;
  readonly lateSeconds: number;
  readonly next: Instant | undefined;
}

export type SlotDecision =
  | { readonly state: 'never' }
  | { readonly state: 'none'; readonly next: Instant | undefined }
  | ({ readonly state: 'due' } & OwedSlots)
  | ({ readonly state: 'expired' } & OwedSlots);

/** Backlogs are counted exactly up to here; more is "at least". A year of minutes has 525,600. */
const COUNT_LIMIT = 1_000_000;

/**
 * The last instant at which a slot is wanted; undefined = for ever.
 * design.md 3.12: it is expired when it is more than max(deadline, grace) late, in whole seconds.
 */
export function wantedUntil(slot: Instant, rule: LatenessRule): Instant | undefined {
  const { deadlineSeconds, graceSeconds, exactlyOnDeadline } = rule;
  if (deadlineSeconds === undefined) return undefined;
  const isStrict = graceSeconds === 0 && exactlyOnDeadline === 'expired';
  return instant(slot + Math.max(deadlineSeconds, graceSeconds) - (isStrict ? 1 : 0));
}

export function isExpired(slot: Instant, now: Instant, rule: LatenessRule): boolean {
  const until = wantedUntil(slot, rule);
  return until !== undefined && now > until;
}

/**
 * The latest slot in (anchor, now], whole however long the backlog: older ones are superseded by it.
 * A slot that equals the anchor is settled; an anchor in the future owes nothing.
 */
export function decideSlot(timing: Timing, anchor: Instant, now: Instant, rule: LatenessRule): SlotDecision {
  const oldest = firstAfter(timing, anchor);
  if (oldest === undefined) {
    return neverFires(timing) || firstAfter(timing, now) === undefined
      ? { state: 'never' }
      : { state: 'none', next: undefined };
  }
  if (oldest > now) return { state: 'none', next: oldest };
  const slot = latestAtOrBefore(timing, now, anchor) ?? oldest;
  const owed = {
    slot,
    oldest,
    count: slot === oldest ? 1 : countBetween(timing, anchor, slot, COUNT_LIMIT),
    lateSeconds: now - slot,
    next: firstAfter(timing, now),
  };
  return { state: isExpired(slot, now, rule) ? 'expired' : 'due', ...owed };
}
