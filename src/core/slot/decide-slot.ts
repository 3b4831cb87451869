import { type Debt, type Owing, owingOf, settledUpTo } from '#core/slot/owing.ts';
import { firstAfter, neverFires } from '#core/slot/search.ts';
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
  /** Whether owed slots that are too late count by themselves, apart from those that a later one supersedes. */
  readonly expiredBacklog?: 'skipped' | 'superseded';
}

/** Owed slots are those after the anchor, or from the pin on, up to and including now. */
export interface OwedSlots {
  readonly slot: Instant;
  readonly oldest: Instant;
  readonly count: number;
  readonly lateSeconds: number;
  readonly next: Instant | undefined;
  /** Those among them that are too late to be run. */
  readonly expired?: ExpiredSlots;
}

export interface ExpiredSlots {
  readonly count: number;
  readonly latest: Instant;
  /** The first owed slot behind them, which may be due already. */
  readonly next: Instant | undefined;
}

export type SlotDecision =
  | { readonly state: 'never' }
  | {
      readonly state: 'none';
      readonly next: Instant | undefined;
      /** A slot before the pin, which lies further in the future than any pin that this expression gives. */
      readonly overlooked?: Instant;
    }
  | ({ readonly state: 'due' } & OwedSlots)
  | ({ readonly state: 'expired' } & OwedSlots);

/** Backlogs are counted exactly up to here; more is "at least". A year of minutes has 525,600. */
export const COUNT_LIMIT = 1_000_000;
/** The end of year 9999: nobody waits longer. */
const LAST_INSTANT = 253_402_300_799;

/**
 * Seconds that a slot may be late; undefined = for ever. design.md 3.12: max(deadline, grace). A negative deadline,
 * which only an object of old can have, is never reached (snapshot-schedule.md D20).
 */
function toleratedSeconds({
  deadlineSeconds,
  graceSeconds,
  exactlyOnDeadline,
}: LatenessRule): number | undefined {
  if (deadlineSeconds === undefined || deadlineSeconds < 0) return deadlineSeconds;
  const isStrict = graceSeconds === 0 && exactlyOnDeadline === 'expired';
  return Math.max(deadlineSeconds, graceSeconds) - (isStrict ? 1 : 0);
}

/** The last instant at which a slot is wanted; undefined = for ever. */
export function wantedUntil(slot: Instant, rule: LatenessRule): Instant | undefined {
  const seconds = toleratedSeconds(rule);
  return seconds === undefined ? undefined : instant(Math.min(slot + seconds, LAST_INSTANT));
}

export function isExpired(slot: Instant, now: Instant, rule: LatenessRule): boolean {
  const until = wantedUntil(slot, rule);
  return until !== undefined && now > until;
}

/** What is owed and too late; nothing where the first owed slot is still wanted. */
function expiredSlots(
  owing: Owing,
  oldest: Instant,
  now: Instant,
  rule: LatenessRule,
): ExpiredSlots | undefined {
  const seconds = toleratedSeconds(rule);
  if (seconds === undefined || !isExpired(oldest, now, rule)) return undefined;
  const latest = owing.latest(instant(Math.min(now, now - seconds - 1))) ?? oldest;
  return { latest, count: owing.count(latest, COUNT_LIMIT), next: owing.next(latest) };
}

/**
 * The latest owed slot, whole however long the backlog: older ones are superseded by it.
 * A slot that equals the anchor is settled; an anchor in the future owes nothing.
 */
export function decideSlot(timing: Timing, debt: Debt, now: Instant, rule: LatenessRule): SlotDecision {
  if (neverFires(timing)) return { state: 'never' };
  const idle = whenIdle(timing, debt, now);
  if (idle !== undefined) return idle;
  const owing = owingOf(timing, debt);
  const oldest = owing.first;
  if (oldest === undefined) {
    return firstAfter(timing, now) === undefined ? { state: 'never' } : { state: 'none', next: undefined };
  }
  if (oldest > now) return { state: 'none', next: oldest };
  const slot = owing.latest(now) ?? oldest;
  const expired = rule.expiredBacklog === 'skipped' ? expiredSlots(owing, oldest, now, rule) : undefined;
  const owed = {
    slot,
    oldest,
    count: slot === oldest ? 1 : owing.count(slot, COUNT_LIMIT),
    lateSeconds: now - slot,
    next: owing.next(now),
    ...(expired === undefined ? {} : { expired }),
  };
  return { state: isExpired(slot, now, rule) ? 'expired' : 'due', ...owed };
}

/** Most schedules owe nothing in most ticks: that is found out with one search. */
function whenIdle(timing: Timing, debt: Debt, now: Instant): SlotDecision | undefined {
  const { pin } = debt;
  if (pin !== undefined) return pin.at > now ? futurePin(timing, pin.at, now) : undefined;
  const next = firstAfter(timing, settledUpTo(debt));
  return next !== undefined && next > now ? { state: 'none', next } : undefined;
}

/** Every pin is the first slot behind the instant at which it was written, so none lies behind a base slot to come. */
function futurePin(timing: Timing, pin: Instant, now: Instant): SlotDecision {
  const earlier = firstAfter({ ...timing, basesAfter: Math.max(timing.basesAfter, now) }, now);
  return earlier === undefined || earlier >= pin
    ? { state: 'none', next: pin }
    : { state: 'none', next: pin, overlooked: earlier };
}
