import type { DeleteChange } from '#core/change/change.ts';
import type { ScheduleChanges } from '#core/change/change-set.ts';
import { effectiveVerdict, type Verdict } from '#core/change/verdict.ts';
import { timingOf } from '#core/entry-timing.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { isFinished } from '#core/run/phase.ts';
import type { Entry } from '#core/settle.ts';
import type { Instant } from '#core/time/instant.ts';

/** Why a slot is run in the first tick behind the merge and would not have been without it; closed. */
export type FiresNowCause =
  /** A new schedule that runs when it is created, or that owes a slot already. */
  'added' | 'unsuspended' | 'deadline' | 'released' | 'zone' | 'expression' | 'other';

export interface FiresNow {
  readonly slot: Instant;
  readonly lateSeconds: number;
  readonly cause: FiresNowCause;
  /** What is created. */
  readonly runs: readonly ObjectKey[];
}

/** What happens in the first tick behind the merge that would not happen without it. */
export interface MergeEffects {
  readonly firesNow?: FiresNow;
  /** A slot that would have been run in this tick is not any more. */
  readonly noLongerFires?: Instant;
  /** Unfinished runs that are ended: replaced, or owned by a schedule that goes. */
  readonly cancels: readonly ObjectKey[];
  /** Finished runs that go: by a limit, or with the schedule that owns them. */
  readonly prunes: readonly ObjectKey[];
  /** The slot that waits for another run from now on, or no longer does. */
  readonly holds?: Instant;
  readonly releases?: Instant;
}

/** One side of a schedule, as its tick decided it. */
export interface Side {
  readonly changes: ScheduleChanges;
  readonly entry: Entry | undefined;
}

function fate({ changes }: Side): Verdict {
  return effectiveVerdict(changes.verdict);
}

function isDelete(change: { readonly verb: string }): change is DeleteChange {
  return change.verb === 'delete';
}

function deletesOf(side: Side | undefined, isCancel: boolean): readonly DeleteChange[] {
  const deletes = side?.changes.changes.filter(isDelete) ?? [];
  return deletes.filter(({ reason }) => (reason === 'Replaced') === isCancel);
}

function without(keys: readonly ObjectKey[], others: readonly ObjectKey[]): readonly ObjectKey[] {
  const known = new Set(others.map(keyId));
  return keys.filter((key) => !known.has(keyId(key)));
}

/** An owner takes its runs along; where runs only carry its mark they stay. */
function goingWith({ entry }: Side, isDone: boolean): readonly ObjectKey[] {
  if (entry === undefined || entry.kind.rules.ownedBy !== 'controller') return [];
  return entry.runs
    .filter((run) => isFinished(run) === isDone && run.phase !== 'unknown')
    .map(({ object }) => keyOf(object));
}

function sayingOf(
  side: Side | undefined,
): { readonly expression: string; readonly zone: string } | undefined {
  const timing = timingOf(side?.entry?.decision);
  return timing === undefined ? undefined : { expression: timing.resolved, zone: timing.zone.name };
}

function causeOf(before: Side | undefined, after: Side): FiresNowCause {
  if (before === undefined) return 'added';
  if (before.entry?.schedule.suspended === true) return 'unsuspended';
  const old = sayingOf(before);
  const fresh = sayingOf(after);
  if (old?.zone !== fresh?.zone) return 'zone';
  if (old?.expression !== fresh?.expression) return 'expression';
  if (fate(before).code === 'held') return 'released';
  return before.entry?.schedule.deadlineSeconds === after.entry?.schedule.deadlineSeconds
    ? 'other'
    : 'deadline';
}

function createsOf({ changes }: Side): readonly ObjectKey[] {
  return changes.changes.flatMap((change) => (change.verb === 'create' ? [change.key] : []));
}

function firesNow(before: Side | undefined, after: Side): FiresNow | undefined {
  const { code, slot, lateSeconds = 0 } = fate(after);
  if (code !== 'fired' || slot === undefined) return undefined;
  const isDue = before !== undefined && fate(before).code === 'fired' && fate(before).slot === slot;
  const runs = without(createsOf(after), isDue ? createsOf(before) : []);
  // The slot is run without the change as well: what counts is what it starts besides.
  if (isDue && runs.length === 0) return undefined;
  return { slot, lateSeconds, cause: causeOf(before, after), runs };
}

function heldSlot(side: Side | undefined): Instant | undefined {
  if (side === undefined) return undefined;
  const { code, slot } = fate(side);
  return code === 'held' ? slot : undefined;
}

function stoppedSlot(before: Side | undefined, after: Side | undefined): Instant | undefined {
  if (before === undefined || fate(before).code !== 'fired') return undefined;
  return after !== undefined && fate(after).code === 'fired' ? undefined : fate(before).slot;
}

/** Compares what the first tick does with the change and without it. */
export function mergeEffects(before: Side | undefined, after: Side | undefined): MergeEffects {
  const keysOf = (deletes: readonly DeleteChange[]): readonly ObjectKey[] => deletes.map(({ key }) => key);
  const isGone = before !== undefined && after === undefined;
  const going = (isDone: boolean): readonly ObjectKey[] => (isGone ? goingWith(before, isDone) : []);
  const fires = after === undefined ? undefined : firesNow(before, after);
  const stopped = stoppedSlot(before, after);
  const [heldBefore, heldAfter] = [heldSlot(before), heldSlot(after)];
  return {
    ...(fires === undefined ? {} : { firesNow: fires }),
    ...(stopped === undefined ? {} : { noLongerFires: stopped }),
    cancels: [...without(keysOf(deletesOf(after, true)), keysOf(deletesOf(before, true))), ...going(false)],
    prunes: [...without(keysOf(deletesOf(after, false)), keysOf(deletesOf(before, false))), ...going(true)],
    ...(heldAfter === undefined || heldAfter === heldBefore ? {} : { holds: heldAfter }),
    ...(heldBefore === undefined || heldBefore === heldAfter ? {} : { releases: heldBefore }),
  };
}
