import type { ApplyChange, Change, CreateChange, DeleteChange } from '#core/change/change.ts';
import type { ScheduleChanges } from '#core/change/change-set.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { Outcomes } from '#core/kind.ts';
import { OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import { keyId } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { isControlledBy } from '#core/object/owner.ts';
import { EVENT } from '#core/object/resource.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import type { CreateOutcome, DeleteOutcome } from '#core/run/outcome.ts';
import type { Settlement } from '#core/settle.ts';
import { formatInstant } from '#core/time/instant.ts';
import type { Store, WriteFailure, WriteResult } from './port.ts';

/** What happened to one change. */
export interface AppliedChange {
  readonly change: Change;
  readonly state: 'done' | 'unnecessary' | 'failed' | 'skipped';
  readonly message?: string;
}

export interface AppliedSchedule {
  readonly schedule: ScheduleChanges;
  readonly verdict: ScheduleChanges['verdict'];
  readonly applied: readonly AppliedChange[];
}

export interface ApplyReport {
  readonly schedules: readonly AppliedSchedule[];
  readonly diagnostics: readonly Diagnostic[];
  /** Some writes failed; events are best effort and never count. */
  readonly partial: boolean;
}

export interface ApplyOptions {
  /** Stops between two writes; what is in flight is finished. */
  readonly isStopped?: () => boolean;
  readonly onSchedule?: (done: number, total: number) => void;
}

/** One schedule being applied. */
interface Progress {
  readonly store: Store;
  readonly reconciliation: Reconciliation;
  readonly schedule: ScheduleChanges;
  readonly applied: AppliedChange[];
  readonly diagnostics: Diagnostic[];
}

/**
 * Writes a change set in its order (design.md 3.5), schedule by schedule. One failure never stops the others;
 * status and events tell what really came of the creates. Creates are by name, so that a repeat collides.
 */
export async function applyChangeSet(
  store: Store,
  reconciliation: Reconciliation,
  options: ApplyOptions = {},
): Promise<ApplyReport> {
  const schedules: AppliedSchedule[] = [];
  const diagnostics: Diagnostic[] = [];
  const pending = reconciliation.changeSet.schedules.filter((schedule) => schedule.changes.length > 0);
  for (const [index, schedule] of pending.entries()) {
    if (options.isStopped?.() === true) {
      const left = schedule.changes.map(
        (change): AppliedChange => ({ change, state: 'skipped', message: 'stopped before this change' }),
      );
      schedules.push({ schedule, verdict: schedule.verdict, applied: left });
      continue;
    }
    const progress: Progress = { store, reconciliation, schedule, applied: [], diagnostics };
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

async function applySchedule(progress: Progress): Promise<ScheduleChanges['verdict']> {
  const { schedule } = progress;
  const victims: DeleteOutcome[] = [];
  for (const change of schedule.changes) {
    if (change.verb === 'delete' && change.reason === 'Replaced')
      victims.push(await applyDelete(progress, change));
  }
  const create = await applyCreates(progress, victims);
  const settlement = settlementFor(progress, create === undefined ? { victims } : { victims, create });
  if (settlement?.status !== undefined) await applyStatus(progress, settlement.status, create);
  for (const change of schedule.changes) {
    if (change.verb === 'delete' && change.reason !== 'Replaced') await applyDelete(progress, change);
  }
  for (const change of settlement?.events ?? []) await applyEvent(progress, change);
  return settlement?.verdict ?? schedule.verdict;
}

function settlementFor(progress: Progress, outcomes: Outcomes): Settlement | undefined {
  return progress.reconciliation.settleWith(progress.schedule, outcomes);
}

async function applyCreates(
  progress: Progress,
  victims: readonly DeleteOutcome[],
): Promise<CreateOutcome | undefined> {
  const change = progress.schedule.changes.find((one): one is CreateChange => one.verb === 'create');
  if (change === undefined) return undefined;
  if (victims.some(({ state }) => state === 'failed')) {
    progress.applied.push({
      change,
      state: 'skipped',
      message: 'a run that it replaces could not be deleted',
    });
    return { state: 'skipped' };
  }
  return applyCreate(progress, change);
}

async function applyCreate(progress: Progress, change: CreateChange): Promise<CreateOutcome> {
  const result = await progress.store.create(change.type, change.object);
  if (result.ok) {
    progress.applied.push({ change, state: 'done' });
    return { state: 'created', object: result.object };
  }
  const outcome =
    result.failure.kind === 'exists' ? await existing(progress, change) : refusal(result.failure);
  const message = 'message' in outcome ? outcome.message : undefined;
  progress.applied.push({
    change,
    state: outcome.state === 'found' ? 'unnecessary' : 'failed',
    ...(message === undefined ? {} : { message }),
  });
  if (outcome.state !== 'found')
    report(
      progress,
      change,
      outcome.state === 'taken' ? 'NameTaken' : 'WriteFailed',
      message ?? outcome.state,
    );
  return outcome;
}

/** *Already exists* is a success only for this schedule's run of this very slot that is not being deleted. */
async function existing(progress: Progress, change: CreateChange): Promise<CreateOutcome> {
  const read = await progress.store.get(change.type, change.key);
  switch (read.state) {
    case 'missing':
      return { state: 'failed', message: `${change.key.name} existed a moment ago and is gone now` };
    case 'failed':
      return { state: 'failed', message: read.message };
    case 'found':
      return isRunOfSlot(read.object, progress.schedule.uid, change)
        ? { state: 'found', object: read.object }
        : { state: 'taken', message: `${change.key.name} exists and is not this schedule's run of the slot` };
  }
}

function isRunOfSlot(object: KubeObject, uid: string, change: CreateChange): boolean {
  if (!isControlledBy(object, uid) || object.metadata.deletionTimestamp !== undefined) return false;
  const { annotations } = object.metadata;
  const marked = annotations?.[SLOT_ANNOTATION];
  // Without our mark the name has to do: it says the slot, and the owner was just checked.
  return (
    marked === undefined ||
    (marked === formatInstant(change.slot) && annotations?.[OWNER_UID_ANNOTATION] === uid)
  );
}

function refusal(failure: WriteFailure): CreateOutcome {
  switch (failure.kind) {
    case 'forbidden':
    case 'invalid':
      return { state: 'refused', message: failure.message };
    case 'terminating':
      return { state: 'terminating', message: failure.message };
    case 'transient':
    case 'conflict':
    case 'fieldConflict':
    case 'exists':
    case 'gone':
    case 'lost':
      return { state: 'failed', message: failure.message };
  }
}

/** A conflict is looked at once (design.md 3.7): the same object and still to be deleted goes, any other stays. */
async function applyDelete(progress: Progress, change: DeleteChange): Promise<DeleteOutcome> {
  const first = await progress.store.delete(change.type, change.key, change.precondition);
  const result =
    !first.ok && first.failure.kind === 'conflict' ? await deleteChanged(progress, change) : first;
  if (result.ok) {
    progress.applied.push({ change, state: 'done' });
    return { state: 'deleted' };
  }
  switch (result.failure.kind) {
    case 'gone':
      progress.applied.push({ change, state: 'unnecessary', message: 'gone already' });
      return { state: 'gone' };
    case 'conflict': {
      const message = 'it changed meanwhile and was left alone';
      progress.applied.push({ change, state: 'unnecessary', message });
      report(progress, change, 'ChangedMeanwhile', message);
      return { state: 'changed', message };
    }
    case 'transient':
    case 'fieldConflict':
    case 'exists':
    case 'forbidden':
    case 'invalid':
    case 'terminating':
    case 'lost': {
      const { message } = result.failure;
      progress.applied.push({ change, state: 'failed', message });
      report(progress, change, 'WriteFailed', message);
      return { state: 'failed', message };
    }
  }
}

async function deleteChanged(progress: Progress, change: DeleteChange): Promise<WriteResult> {
  const read = await progress.store.get(change.type, change.key);
  if (read.state === 'missing') return { ok: false, failure: { kind: 'gone', message: 'gone already' } };
  if (read.state === 'failed') return { ok: false, failure: { kind: 'transient', message: read.message } };
  const { uid = '', resourceVersion = '' } = read.object.metadata;
  if (uid !== change.precondition.uid || !isStillWanted(progress, change, read.object)) {
    return { ok: false, failure: { kind: 'conflict', message: 'changed meanwhile' } };
  }
  return progress.store.delete(change.type, change.key, { uid, resourceVersion });
}

/** A run to be replaced must still be unfinished, any other still finished; an unknown phase is never deleted. */
function isStillWanted(progress: Progress, change: DeleteChange, fresh: KubeObject): boolean {
  const phase = progress.reconciliation.entries.get(keyId(progress.schedule.key))?.kind.phaseOf(fresh);
  switch (phase) {
    case 'succeeded':
    case 'failed':
      return change.reason !== 'Replaced';
    case 'pending':
    case 'running':
      return change.reason === 'Replaced';
    case 'unknown':
    case undefined:
      return false;
  }
}

/**
 * A stale version: read once, take our fields as just read, move only the anchor of a run that was created
 * forward, apply that whole set (design.md 3.6). A field conflict is never retried and never forced.
 */
async function applyStatus(
  progress: Progress,
  change: ApplyChange,
  create: CreateOutcome | undefined,
): Promise<void> {
  const { store } = progress;
  const result = await store.applyStatus(change.type, change.key, change.precondition, change.fields);
  if (result.ok) {
    progress.applied.push({ change, state: 'done' });
    return;
  }
  const stale =
    result.failure.kind === 'conflict'
      ? await recordAnchor(progress, change, create)
      : result.failure.message;
  if (stale === undefined) {
    progress.applied.push({
      change,
      state: 'done',
      message: 'the object had changed meanwhile: only the slot was recorded',
    });
    return;
  }
  progress.applied.push({ change, state: 'failed', message: stale });
  report(progress, change, result.failure.kind === 'conflict' ? 'ChangedMeanwhile' : 'WriteFailed', stale);
}

async function recordAnchor(
  progress: Progress,
  change: ApplyChange,
  create: CreateOutcome | undefined,
): Promise<string | undefined> {
  const changed = `${change.key.name} changed meanwhile; its status is left for the next tick`;
  const slot = progress.schedule.verdict.slot;
  if ((create?.state !== 'created' && create?.state !== 'found') || slot === undefined) return changed;
  const read = await progress.store.get(change.type, change.key);
  const uid = change.precondition.uid;
  if (read.state !== 'found' || read.object.metadata.uid !== uid) return changed;
  const entry = progress.reconciliation.entries.get(keyId(change.key));
  if (entry === undefined) return changed;
  const precondition = { uid, resourceVersion: read.object.metadata.resourceVersion ?? '' };
  const result = await progress.store.applyStatus(
    change.type,
    change.key,
    precondition,
    entry.schedule.moveAnchor(read.object, slot),
  );
  return result.ok ? undefined : result.failure.message;
}

/** Events are best effort: a refused one is told, and never counts as a failed tick. */
async function applyEvent(progress: Progress, change: Change): Promise<void> {
  if (change.verb !== 'event') return;
  const result = await progress.store.create(EVENT, change.object);
  if (result.ok) progress.applied.push({ change, state: 'done' });
  else if (result.failure.kind === 'exists')
    progress.applied.push({ change, state: 'unnecessary', message: 'told already' });
  else progress.applied.push({ change, state: 'failed', message: result.failure.message });
}

function report(
  progress: Progress,
  change: Change,
  code: 'WriteFailed' | 'NameTaken' | 'ChangedMeanwhile',
  message: string,
): void {
  const severity = code === 'ChangedMeanwhile' ? 'warning' : 'error';
  progress.diagnostics.push({
    code,
    severity,
    object: change.key,
    what: `${change.verb} of ${change.key.kind} ${change.key.name}: ${message}`,
  });
}
