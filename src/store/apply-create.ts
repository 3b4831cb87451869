import type { CreateChange } from '#core/change/change.ts';
import { keyId } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { CreateOutcome, DeleteOutcome } from '#core/run/outcome.ts';
import { isRunOfSlot } from '#core/run/ownership.ts';
import { failWrite, note, type Progress, report } from './apply-progress.ts';
import type { WriteFailure } from './port.ts';

/** One after the other, each by itself: a target that fails never stops the others of its slot. */
export async function applyCreates(
  progress: Progress,
  victims: readonly DeleteOutcome[],
): Promise<readonly CreateOutcome[]> {
  const blocked = victims.some(({ state }) => state === 'failed' || state === 'skipped')
    ? 'a run that it replaces could not be deleted'
    : undefined;
  const outcomes: CreateOutcome[] = [];
  for (const change of progress.schedule.changes) {
    if (change.verb !== 'create') continue;
    const reason = progress.stopReason() ?? blocked;
    if (reason === undefined) outcomes.push(await applyCreate(progress, change));
    else {
      note(progress, change, 'skipped', reason);
      outcomes.push({ state: 'skipped' });
    }
  }
  return outcomes;
}

async function applyCreate(progress: Progress, change: CreateChange): Promise<CreateOutcome> {
  const result = await progress.store.create(change.type, change.object);
  if (result.ok) {
    note(progress, change, 'done');
    return { state: 'created', object: result.object };
  }
  if (result.failure.kind !== 'exists') {
    failWrite(progress, change, result.failure);
    return refusal(result.failure);
  }
  const outcome = await existing(progress, change);
  if (outcome.state === 'found') note(progress, change, 'unnecessary', 'the run of this slot exists already');
  if (outcome.state === 'failed')
    failWrite(progress, change, { kind: 'transient', message: outcome.message });
  if (outcome.state === 'taken') {
    note(progress, change, 'failed', outcome.message);
    report(progress, change, 'NameTaken', outcome);
  }
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
      return isWanted(read.object, progress, change)
        ? { state: 'found', object: read.object }
        : { state: 'taken', message: `${change.key.name} exists and is not this schedule's run of the slot` };
  }
}

function isWanted(object: KubeObject, { schedule, reconciliation }: Progress, change: CreateChange): boolean {
  const kind = reconciliation.entries.get(keyId(schedule.key))?.kind;
  if (kind === undefined || object.metadata.deletionTimestamp !== undefined) return false;
  const { uid } = schedule;
  return (
    isRunOfSlot(object, { uid, slot: change.slot, ownedBy: kind.rules.ownedBy }) &&
    kind.isSameTarget(object, change.object)
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
