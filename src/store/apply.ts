import type { AppliedRetention, AppliedSchedule, ApplyReport } from '#core/change/applied.ts';
import type { Change, DeleteChange } from '#core/change/change.ts';
import type { ScheduleChanges } from '#core/change/change-set.ts';
import type { Verdict } from '#core/change/verdict.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { Outcomes } from '#core/kind.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import type { DeleteOutcome } from '#core/run/outcome.ts';
import { applyAnnotate } from './apply-annotate.ts';
import { applyCreates } from './apply-create.ts';
import { applyDelete } from './apply-delete.ts';
import { applyEvent } from './apply-event.ts';
import { note, type Progress } from './apply-progress.ts';
import { applyStatus } from './apply-status.ts';
import type { Store } from './port.ts';

export interface ApplyOptions {
  /** Stops between two writes; what is in flight is finished. */
  readonly isStopped?: () => boolean;
  readonly onSchedule?: (done: number, total: number) => void;
}

const STOPPED = 'stopped before this change';

/**
 * Writes a change set in its order (design.md 3.5), schedule by schedule. One failure never stops the others;
 * status and events tell what really came of creates and deletes. Creates are by name, so that a repeat collides.
 * A store that is no longer ours ends the walk. Nothing is thrown but what the store throws.
 */
export async function applyChangeSet(
  store: Store,
  reconciliation: Reconciliation,
  options: ApplyOptions = {},
): Promise<ApplyReport> {
  const schedules: AppliedSchedule[] = [];
  const diagnostics: Diagnostic[] = [];
  const halt: Progress['halt'] = { reason: undefined };
  const stopReason = (): string | undefined => {
    if (options.isStopped?.() === true) halt.reason ??= STOPPED;
    return halt.reason;
  };
  const unrecorded = new Set<string>();
  const progressOf = (schedule: Progress['schedule']): Progress => ({
    store,
    reconciliation,
    schedule,
    applied: [],
    diagnostics,
    halt,
    stopReason,
    unrecorded,
  });
  const { changeSet } = reconciliation;
  const pending = changeSet.schedules.filter((schedule) => schedule.changes.length > 0);
  const total = pending.length + changeSet.retention.length;
  for (const schedule of pending) {
    const progress = progressOf(schedule);
    const verdict = await applySchedule(progress, schedule);
    schedules.push({ schedule, verdict, applied: progress.applied });
    options.onSchedule?.(schedules.length, total);
  }
  const retention: AppliedRetention[] = [];
  for (const owner of changeSet.retention) {
    const progress = progressOf(owner);
    await applyRetention(progress);
    retention.push({ owner, applied: progress.applied });
    options.onSchedule?.(schedules.length + retention.length, total);
  }
  const partial = [...schedules, ...retention].some(({ applied }) =>
    applied.some(
      ({ change, state }) => change.verb !== 'event' && (state === 'failed' || state === 'skipped'),
    ),
  );
  return { schedules, retention, diagnostics, partial };
}

async function applySchedule(progress: Progress, schedule: ScheduleChanges): Promise<Verdict> {
  const { reconciliation } = progress;
  if (progress.stopReason() !== undefined) return leave(progress, schedule);
  const victims = await applyVictims(progress);
  const creates = await applyCreates(progress, victims);
  const firing: Outcomes = { victims, creates };
  const status = reconciliation.settleWith(schedule, firing)?.status;
  const recorded = status === undefined || (await applyStatus(progress, status, creates));
  if (!recorded) progress.unrecorded.add(schedule.uid);
  const removals: DeleteOutcome[] = [];
  for (const change of deletesOf(schedule, false)) {
    removals.push(recorded ? await applyDelete(progress, change) : keep(progress, change));
  }
  for (const change of schedule.changes)
    if (change.verb === 'annotate') await applyAnnotate(progress, change);
  const settlement = reconciliation.settleWith(schedule, { ...firing, removals });
  for (const change of settlement?.events ?? []) await applyEvent(progress, change);
  const verdict = settlement?.verdict ?? schedule.verdict;
  return creates.some(({ state }) => state === 'skipped') && progress.halt.reason !== undefined
    ? { ...verdict, code: 'deferred', detail: progress.halt.reason }
    : verdict;
}

/** In their order; once one could not be deleted, nothing more is, since nothing will be started in their place. */
async function applyVictims(progress: Progress): Promise<readonly DeleteOutcome[]> {
  const outcomes: DeleteOutcome[] = [];
  let before: DeleteChange | undefined;
  for (const change of deletesOf(progress.schedule, true)) {
    const failed = outcomes.some(({ state }) => state === 'failed' || state === 'skipped');
    // What carried a run out has ended by itself: the run is about to say how.
    const finished =
      outcomes.at(-1)?.state === 'changed' && before !== undefined && before.type !== change.type;
    if (failed) outcomes.push(leaveVictim(progress, change));
    else outcomes.push(finished ? leaveFinished(progress, change) : await applyDelete(progress, change));
    before = change;
  }
  return outcomes;
}

function leaveVictim(progress: Progress, change: DeleteChange): DeleteOutcome {
  note(progress, change, 'skipped', 'another run to be replaced could not be deleted');
  return { state: 'skipped' };
}

function leaveFinished(progress: Progress, change: DeleteChange): DeleteOutcome {
  const message = 'what carries it out has finished meanwhile';
  note(progress, change, 'unnecessary', message);
  return { state: 'changed', message };
}

/**
 * Runs that are beyond a retention, behind all statuses: one whose success could not be recorded is kept, since it is
 * the only proof of it.
 */
async function applyRetention(progress: Progress): Promise<void> {
  for (const change of deletesOf(progress.schedule, false)) {
    if (change.owner !== undefined && progress.unrecorded.has(change.owner)) keep(progress, change);
    else await applyDelete(progress, change);
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

/**
 * A finished run is the only proof of its slot and of its success until both stand in the status: it is not
 * deleted before. Otherwise a status that cannot be written would start the slot again.
 */
function keep(progress: Progress, change: DeleteChange): DeleteOutcome {
  note(progress, change, 'skipped', progress.stopReason() ?? 'kept until the status could be written');
  return { state: 'skipped' };
}
