import type { AppliedSchedule, ApplyReport } from '#core/change/applied.ts';
import type { Change, DeleteChange } from '#core/change/change.ts';
import type { ScheduleChanges } from '#core/change/change-set.ts';
import type { Verdict } from '#core/change/verdict.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { Outcomes } from '#core/kind.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import type { DeleteOutcome } from '#core/run/outcome.ts';
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
  const pending = reconciliation.changeSet.schedules.filter((schedule) => schedule.changes.length > 0);
  for (const [index, schedule] of pending.entries()) {
    const progress: Progress = {
      store,
      reconciliation,
      schedule,
      applied: [],
      diagnostics,
      halt,
      stopReason,
    };
    const verdict = await applySchedule(progress);
    schedules.push({ schedule, verdict, applied: progress.applied });
    options.onSchedule?.(index + 1, pending.length);
  }
  const partial = schedules.some(({ applied }) =>
    applied.some(
      ({ change, state }) => change.verb !== 'event' && (state === 'failed' || state === 'skipped'),
    ),
  );
  return { schedules, diagnostics, partial };
}

async function applySchedule(progress: Progress): Promise<Verdict> {
  const { schedule } = progress;
  if (progress.stopReason() !== undefined) return leave(progress, schedule.changes);
  const victims: DeleteOutcome[] = [];
  for (const change of deletesOf(schedule, true)) victims.push(await applyDelete(progress, change));
  const create = await applyCreates(progress, victims);
  const firing: Outcomes = create === undefined ? { victims } : { victims, create };
  const status = progress.reconciliation.settleWith(schedule, firing)?.status;
  const recorded = status === undefined || (await applyStatus(progress, status, create));
  const removals: DeleteOutcome[] = [];
  for (const change of deletesOf(schedule, false)) {
    removals.push(recorded ? await applyDelete(progress, change) : keep(progress, change));
  }
  const settlement = progress.reconciliation.settleWith(schedule, { ...firing, removals });
  for (const change of settlement?.events ?? []) await applyEvent(progress, change);
  const verdict = settlement?.verdict ?? schedule.verdict;
  return create?.state === 'skipped' && progress.halt.reason !== undefined
    ? { ...verdict, code: 'deferred', detail: progress.halt.reason }
    : verdict;
}

function deletesOf({ changes }: ScheduleChanges, replaced: boolean): readonly DeleteChange[] {
  return changes.filter(
    (change): change is DeleteChange =>
      change.verb === 'delete' && (change.reason === 'Replaced') === replaced,
  );
}

/** Nothing of this schedule is tried: a slot that it owes stays due. */
function leave(progress: Progress, changes: readonly Change[]): Verdict {
  const { verdict } = progress.schedule;
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
