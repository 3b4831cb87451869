import type { ScheduleChanges } from '#core/change/change-set.ts';
import type { Verdict, VerdictCode } from '#core/change/verdict.ts';
import { owingOfEntry, timingOf } from '#core/entry-timing.ts';
import type { Decision } from '#core/kind.ts';
import { typeId } from '#core/observed.ts';
import type { Entry } from '#core/settle.ts';
import { COUNT_LIMIT, type OwedSlots } from '#core/slot/decide-slot.ts';
import type { Owing } from '#core/slot/owing.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import {
  type HeldTime,
  type MissedSlots,
  type Moments,
  NO_MOMENTS,
  type SlotFate,
  type StartedSlot,
  withMoment,
} from './tally.ts';
import { owedOf } from './wake.ts';

/** What became of the slots of one schedule. */
export interface Account {
  readonly fates: Readonly<Partial<Record<SlotFate, number>>>;
  readonly started: readonly StartedSlot[];
  readonly missed: readonly MissedSlots[];
  /** What waits at the end. */
  readonly pending: MissedSlots | undefined;
  readonly held: HeldTime;
  readonly heldBy: Readonly<Record<string, HeldTime>>;
  readonly runs: number;
  readonly replaced: number;
  readonly starts: Moments;
  readonly successes: Moments;
  readonly failures: number;
}

/** Keeps account of one schedule, tick by tick. A tick that says the same as the one before adds nothing. */
export interface Ledger {
  readonly record: (at: Instant, entry: Entry, changes: ScheduleChanges) => void;
  readonly ended: (at: Instant, succeeded: boolean) => void;
  readonly close: (until: Instant) => Account;
}

/** The latest slot while it waits. */
interface Waiting {
  readonly slot: Instant;
  readonly verdict: Verdict;
  /** Why it is held now, and since when. */
  readonly hold: { readonly why: string; readonly since: Instant } | undefined;
  readonly heldSeconds: number;
  readonly reasons: ReadonlySet<string>;
}

/** Why a slot that waited does so no longer: for another slot, or as its last verdict says. */
interface Dropped {
  readonly by?: Instant;
  readonly verdict?: Verdict;
}

function fresh(slot: Instant, verdict: Verdict): Waiting {
  return { slot, verdict, hold: undefined, heldSeconds: 0, reasons: new Set() };
}

/** Slots with such a verdict are not over: the next tick looks at them again. */
const WAITS: readonly VerdictCode[] = ['held', 'conflict', 'failed', 'deferred', 'unreadable'];

function holdReason(decision: Decision, { code, reason }: Verdict): string | undefined {
  if (decision.state === 'held') return decision.reason;
  if (decision.state === 'leaving') return 'RunLeaving';
  return code === 'held' ? (reason ?? 'Dependency') : undefined;
}

function isOpen({ decision, kind }: Entry, { code }: Verdict): boolean {
  const isSkipped = decision.state === 'held' && kind.rules.heldSlots === 'consumed';
  return WAITS.includes(code) && !isSkipped;
}

function isPause({ state }: Decision): boolean {
  return state === 'suspended' || state === 'resumed';
}

/** The owed slots as their decision found them; undefined where it found none. */
function owingFor(entry: Entry): Owing | undefined {
  const timing = timingOf(entry.decision);
  return timing === undefined ? undefined : owingOfEntry(entry, timing);
}

export function openLedger(): Ledger {
  const fates: Partial<Record<SlotFate, number>> = {};
  const started: StartedSlot[] = [];
  const missed: MissedSlots[] = [];
  const heldBy: Record<string, { slots: number; seconds: number }> = {};
  const held = { slots: 0, seconds: 0 };
  let waiting: Waiting | undefined;
  let lastSeen: Instant | undefined;
  let runs = 0;
  let replaced = 0;
  let failures = 0;
  let starts = NO_MOMENTS;
  let successes = NO_MOMENTS;

  function count(fate: SlotFate, slots = 1): void {
    fates[fate] = (fates[fate] ?? 0) + slots;
  }

  function miss(slots: MissedSlots): void {
    count(slots.fate, slots.count);
    missed.push(slots);
  }

  /** Ends the hold that lasts, and adds its time. */
  function released(one: Waiting, at: Instant): Waiting {
    if (one.hold === undefined) return one;
    const { why, since } = one.hold;
    const seconds = at - since;
    const known = heldBy[why] ?? { slots: 0, seconds: 0 };
    const isFirst = !one.reasons.has(why);
    heldBy[why] = { slots: known.slots + (isFirst ? 1 : 0), seconds: known.seconds + seconds };
    held.seconds += seconds;
    if (one.reasons.size === 0) held.slots += 1;
    const reasons = new Set([...one.reasons, why]);
    return { ...one, hold: undefined, heldSeconds: one.heldSeconds + seconds, reasons };
  }

  function heldPart({ heldSeconds, reasons }: Waiting): Pick<MissedSlots, 'heldSeconds'> {
    return reasons.size === 0 ? {} : { heldSeconds };
  }

  function wordsOf({
    reason,
    detail,
    runs: names,
  }: Verdict): Pick<MissedSlots, 'reason' | 'detail' | 'runs'> {
    return {
      ...(reason === undefined ? {} : { reason }),
      ...(detail === undefined ? {} : { detail }),
      ...(names === undefined || names.length === 0 ? {} : { runs: names }),
    };
  }

  /** A slot that is over without a run, behind all that it waited. */
  function drop(one: Waiting, at: Instant, fate: SlotFate, { by, verdict }: Dropped = {}): void {
    const over = released(one, at);
    const { slot } = over;
    miss({
      fate,
      first: slot,
      last: slot,
      count: 1,
      settledAt: at,
      ...(by === undefined ? {} : { by }),
      ...wordsOf(over.verdict),
      ...(verdict === undefined ? {} : wordsOf(verdict)),
      ...heldPart(over),
    });
    waiting = undefined;
  }

  /** Slots before the latest one that no tick has seen yet. */
  function olderSlots(at: Instant, owed: OwedSlots, entry: Entry): void {
    const isOnly =
      owed.count === 1 || (lastSeen !== undefined && owed.count === 2 && lastSeen === owed.oldest);
    if (isOnly) return;
    const owing = owingFor(entry);
    if (owing === undefined) return;
    const before = instant(owed.slot - 1);
    const { expired } = owed;
    if (isPause(entry.decision)) batch({ at, owing, upTo: before }, 'suspended');
    else if (expired !== undefined) {
      const upTo = expired.latest < owed.slot ? expired.latest : before;
      batch({ at, owing, upTo }, 'expired');
    }
    batch({ at, owing, upTo: before }, 'superseded', owed.slot);
  }

  interface Batch {
    readonly at: Instant;
    readonly owing: Owing;
    readonly upTo: Instant;
  }

  function batch({ at, owing, upTo }: Batch, fate: SlotFate, by?: Instant): void {
    const first = lastSeen === undefined ? owing.first : owing.next(lastSeen);
    const last = owing.latest(upTo);
    if (first === undefined || last === undefined || first > last) return;
    const seen = lastSeen === undefined ? 0 : owing.count(lastSeen, COUNT_LIMIT);
    const slots = owing.count(last, COUNT_LIMIT) - seen;
    miss({ fate, first, last, count: slots, settledAt: at, ...(by === undefined ? {} : { by }) });
    lastSeen = last;
  }

  function superseded(at: Instant, owed: OwedSlots, { decision }: Entry): void {
    if (waiting === undefined || waiting.slot >= owed.slot) return;
    const isLate = owed.expired !== undefined && waiting.slot <= owed.expired.latest;
    if (isPause(decision)) drop(waiting, at, 'suspended');
    else if (isLate) drop(waiting, at, 'expired');
    else drop(waiting, at, 'superseded', { by: owed.slot });
  }

  /** The latest owed slot: it runs, it is over without a run, or it waits. */
  function latest(at: Instant, entry: Entry, verdict: Verdict, slot: Instant): void {
    if (waiting === undefined && lastSeen !== undefined && lastSeen >= slot) return;
    lastSeen = slot;
    if (isOpen(entry, verdict)) waiting = waits(at, entry, verdict, slot);
    else if (verdict.code === 'fired') {
      if (waiting !== undefined) released(waiting, at);
      waiting = undefined;
      count(entry.decision.state === 'done' ? 'ran' : 'fired');
    } else drop(waiting ?? fresh(slot, verdict), at, verdict.code, { verdict });
  }

  function waits(at: Instant, { decision }: Entry, verdict: Verdict, slot: Instant): Waiting {
    const before = waiting ?? fresh(slot, verdict);
    const why = holdReason(decision, verdict);
    if (why !== undefined && before.hold?.why === why) return { ...before, slot, verdict };
    const rest = before.hold === undefined ? before : released({ ...before, verdict }, at);
    return { ...rest, slot, verdict, hold: why === undefined ? undefined : { why, since: at } };
  }

  return {
    record(at, entry, { verdict, changes }) {
      const owed = owedOf(entry.decision);
      if (owed !== undefined) {
        superseded(at, owed, entry);
        olderSlots(at, owed, entry);
        latest(at, entry, verdict, owed.slot);
      } else if (waiting !== undefined) drop(waiting, at, waiting.verdict.code);
      const run = typeId(entry.kind.run);
      const created = changes.filter(({ verb }) => verb === 'create').length;
      runs += created;
      replaced += changes.filter(
        (change) => change.verb === 'delete' && change.reason === 'Replaced' && typeId(change.type) === run,
      ).length;
      if (created > 0 && owed !== undefined && started.at(-1)?.slot !== owed.slot) {
        started.push({ slot: owed.slot, at });
        starts = withMoment(starts, at);
      }
    },
    ended(at, succeeded) {
      if (succeeded) successes = withMoment(successes, at);
      else failures += 1;
    },
    close(until) {
      const open = waiting === undefined ? undefined : released(waiting, until);
      const pending =
        open === undefined
          ? undefined
          : {
              fate: open.verdict.code,
              first: open.slot,
              last: open.slot,
              count: 1,
              ...wordsOf(open.verdict),
              ...heldPart(open),
            };
      return { fates, started, missed, pending, held, heldBy, runs, replaced, starts, successes, failures };
    },
  };
}
