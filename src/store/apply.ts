import type { AppliedRetention, AppliedSchedule, AppliedWork, ApplyReport } from '#core/change/applied.ts';
import type { Change, DeleteChange } from '#core/change/change.ts';
import type { ScheduleChanges } from '#core/change/change-set.ts';
import type { Verdict } from '#core/change/verdict.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { Outcomes } from '#core/kind.ts';
import { keyId } from '#core/object/key.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import type { CreateOutcome, DeleteOutcome } from '#core/run/outcome.ts';
import { stillOwed } from '#core/still-owed.ts';
import { applyAnnotate } from './apply-annotate.ts';
import { applyCreates } from './apply-create.ts';
import { applyDelete } from './apply-delete.ts';
import { applyEvent } from './apply-event.ts';
import { type Need, note, type Progress } from './apply-progress.ts';
import { applyStatus } from './apply-status.ts';
import { applyVictims } from './apply-victims.ts';
import { applyWork } from './apply-work.ts';
import { inLanes } from './in-lanes.ts';
import type { Store } from './port.ts';

export interface ApplyOptions {
  /** Stops between two writes; what is in flight is finished. */
  readonly isStopped?: () => boolean;
  readonly onSchedule?: (done: number, total: number) => void;
}

const STOPPED = 'stopped before this change';

/**
 * Writes a change set in its order (design.md 3.5): the writes of one schedule one after the other, several schedules
 * at once where the store takes that. One failure never stops the others;
 * status and events tell what really came of creates and deletes. Creates are by name, so that a repeat collides.
 * A store that is no longer ours ends the walk. Nothing is thrown but what the store throws.
 */
export async function applyChangeSet(
  store: Store,
  reconciliation: Reconciliation,
  options: ApplyOptions = {},
): Promise<ApplyReport> {
  const diagnostics: Diagnostic[] = [];
  const halt: Progress['halt'] = { reason: undefined };
  const stopReason = (): string | undefined => {
    if (options.isStopped?.() === true) halt.reason ??= STOPPED;
    return halt.reason;
  };
  const needed: Progress['needed'] = new Map();
  const progressOf = <Owner>(schedule: Owner, found = diagnostics): Progress<Owner> => ({
    store,
    reconciliation,
    schedule,
    applied: [],
    diagnostics: found,
    halt,
    stopReason,
    needed,
  });
  const { changeSet } = reconciliation;
  const pending = changeSet.schedules.filter((schedule) => schedule.changes.length > 0);
  const orders = changeSet.works.filter((work) => work.changes.length > 0);
  const total = pending.length + changeSet.retention.length + orders.length;
  let done = 0;
  const tellDone = (): void => {
    done += 1;
    options.onSchedule?.(done, total);
  };
  const applied = await inLanes(pending, store.writesAtOnce, async (schedule) => {
    const progress = progressOf(schedule, []);
    const verdict = await applySchedule(progress, schedule).catch((error: unknown) => {
      // What is under way in other lanes ends with its present write.
      halt.reason ??= STOPPED;
      throw error;
    });
    tellDone();
    return { schedule, verdict, applied: progress.applied, found: progress.diagnostics };
  });
  // In the order of the change set, whatever was done first.
  const schedules = applied.map(({ found: _found, ...one }): AppliedSchedule => one);
  for (const { found } of applied) diagnostics.push(...found);
  const retention: AppliedRetention[] = [];
  for (const owner of changeSet.retention) {
    const progress = progressOf(owner);
    await applyRetention(progress);
    retention.push({ owner, applied: progress.applied });
    tellDone();
  }
  const works: AppliedWork[] = [];
  for (const order of orders) {
    const driven = reconciliation.works.get(keyId(order.key));
    if (driven === undefined) continue;
    works.push(await applyWork(progressOf(order), driven));
    tellDone();
  }
  const partial = [...schedules, ...retention, ...works].some(({ applied }) =>
    applied.some(
      ({ change, state }) => change.verb !== 'event' && (state === 'failed' || state === 'skipped'),
    ),
  );
  return { schedules, retention, works, diagnostics, partial };
}

async function applySchedule(progress: Progress, schedule: ScheduleChanges): Promise<Verdict> {
  const { reconciliation } = progress;
  if (progress.stopReason() !== undefined) return leave(progress, schedule);
  const victims = await applyVictims(progress, deletesOf(schedule, true));
  const creates = await applyCreates(progress, victims);
  const firing: Outcomes = { victims, creates };
  const status = reconciliation.settleWith(schedule, firing)?.status;
  const recorded = status === undefined || (await applyStatus(progress, status, creates));
  const need = needOf(progress, creates, recorded);
  if (need !== undefined) progress.needed.set(schedule.uid, need);
  const removals = await applyRemovals(progress);
  for (const change of schedule.changes)
    if (change.verb === 'annotate') await applyAnnotate(progress, change);
  const settlement = reconciliation.settleWith(schedule, { ...firing, removals });
  for (const change of settlement?.events ?? []) await applyEvent(progress, change);
  const verdict = settlement?.verdict ?? schedule.verdict;
  return creates.some(({ state }) => state === 'skipped') && progress.halt.reason !== undefined
    ? { ...verdict, code: 'deferred', detail: progress.halt.reason }
    : verdict;
}

/** Why runs of this schedule must stay as they are: what they prove stands nowhere else yet. */
function needOf(
  { reconciliation, schedule }: Progress,
  creates: readonly CreateOutcome[],
  recorded: boolean,
): Need | undefined {
  if (!recorded) return { why: 'kept until the status could be written' };
  const decision = reconciliation.entries.get(keyId(schedule.key))?.decision;
  const slot = decision === undefined ? undefined : stillOwed(decision, creates);
  return slot === undefined ? undefined : { why: 'kept while its slot is still owed', slot };
}

/**
 * A finished run is the only proof of its slot and of its success until both stand in the status: it is not
 * deleted before. Otherwise a status that cannot be written, or a create that fails beside it, would start it again.
 */
function whyKept({ slot }: DeleteChange, need: Need | undefined): string | undefined {
  return need === undefined || (need.slot !== undefined && need.slot !== slot) ? undefined : need.why;
}

async function applyRemovals(progress: Progress): Promise<readonly DeleteOutcome[]> {
  const need = progress.needed.get(progress.schedule.uid);
  const outcomes: DeleteOutcome[] = [];
  for (const change of deletesOf(progress.schedule, false)) {
    const why = whyKept(change, need);
    outcomes.push(why === undefined ? await applyDelete(progress, change) : keep(progress, change, why));
  }
  return outcomes;
}

/** Runs that are beyond a retention, behind all statuses that tell of them. */
async function applyRetention(progress: Progress): Promise<void> {
  for (const change of deletesOf(progress.schedule, false)) {
    const why = whyKept(change, progress.needed.get(change.owner ?? ''));
    if (why === undefined) await applyDelete(progress, change);
    else keep(progress, change, why);
  }
}

function deletesOf({ changes }: Progress['schedule'], replaced: boolean): readonly DeleteChange[] {
  const all: readonly Change[] = changes;
  return all.filter(
    (change): change is DeleteChange =>
      change.verb === 'delete' && (change.reason === 'Replaced') === replaced,
  );
}

/** Nothing of this schedule is tried: a slot that it owes stays due. */
function leave(progress: Progress, { changes, verdict }: ScheduleChanges): Verdict {
  const message = progress.stopReason() ?? STOPPED;
  for (const change of changes) note(progress, change, 'skipped', message);
  return changes.some(({ verb }) => verb === 'create')
    ? { ...verdict, code: 'deferred', detail: message }
    : verdict;
}

function keep(progress: Progress, change: DeleteChange, why: string): DeleteOutcome {
  note(progress, change, 'skipped', progress.stopReason() ?? why);
  return { state: 'skipped' };
}
