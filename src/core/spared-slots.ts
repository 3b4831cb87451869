import type { ScheduleChanges } from '#core/change/change-set.ts';
import { draftSchedules, type ReconcileInput } from '#core/draft.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { Spared, SparedByOwner } from '#core/retention.ts';
import { isFinished } from '#core/run/phase.ts';
import type { Entry } from '#core/settle.ts';
import { stillOwed } from '#core/still-owed.ts';
import type { Instant } from '#core/time/instant.ts';

/** A schedule that was decided about in this tick. */
export interface Decided {
  readonly changes: Pick<ScheduleChanges, 'uid'>;
  /** Absent where nothing could be decided. */
  readonly entry: Entry | undefined;
}

/**
 * Slots whose runs schedules still need, or all where nothing was decided about one.
 * @param owners the uids of those that are asked for; of one that is not there nothing is needed
 */
export function sparedByOwner(
  decided: readonly Decided[],
  owners: ReadonlySet<string>,
  input: ReconcileInput,
): SparedByOwner {
  const own = decided.filter(({ changes }) => owners.has(changes.uid));
  return new Map([
    ...sparedElsewhere(owners, input),
    ...own.map(({ changes, entry }): [string, Spared] => [changes.uid, sparedBy(entry)]),
  ]);
}

/** Those of other shards are decided here as well, for this question alone. */
function sparedElsewhere(owners: ReadonlySet<string>, input: ReconcileInput): readonly [string, Spared][] {
  const { isOwn, kinds } = input;
  if (isOwn === undefined) return [];
  const isAsked = (object: KubeObject): boolean => owners.has(object.metadata.uid ?? '') && !isOwn(object);
  const asked = { ...input, kinds: kinds.filter(({ retention }) => retention !== undefined), isOwn: isAsked };
  return draftSchedules(asked).map(({ source, entry }): [string, Spared] => [
    source.object.metadata.uid ?? '',
    sparedUntilRecorded(entry),
  ]);
}

function sparedBy(entry: Entry | undefined): Spared {
  return entry === undefined ? 'all' : slotsOf(entry);
}

/**
 * What this process writes goes in order, statuses before deletes; whether another one has written its statuses nobody
 * knows. Until they tell of a run, it is the only proof of its slot and of how that ended.
 */
function sparedUntilRecorded(entry: Entry | undefined): Spared {
  const spared = sparedBy(entry);
  if (entry === undefined || spared === 'all') return 'all';
  const { schedule, runs } = entry;
  const isJudged = schedule.judged(runs);
  const unrecorded = runs.filter((run) => (run.slot ?? 0) > schedule.anchor || !isJudged(run));
  return new Set([...spared, ...unrecorded.flatMap(({ slot }) => slot ?? [])]);
}

/** Slots that are owed or fire now, and those of which some run is still to say how the slot ends. */
function slotsOf({ decision, runs }: Entry): Spared {
  // Of an expression that cannot be used nobody knows what it owes.
  if (decision.state === 'badTiming' || decision.state === 'never') return 'all';
  const slots = new Set<Instant>();
  const slot = decision.state === 'fire' ? decision.owed.slot : stillOwed(decision);
  if (slot !== undefined) slots.add(slot);
  const victims = decision.state === 'fire' ? decision.victims : [];
  const cancelled = new Set(victims.map(({ precondition }) => precondition.uid));
  for (const run of runs) {
    const isOpen = !isFinished(run) && !run.terminating && !cancelled.has(run.object.metadata.uid ?? '');
    if (run.slot !== undefined && isOpen) slots.add(run.slot);
  }
  return slots;
}
