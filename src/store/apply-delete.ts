import type { DeleteChange, Precondition } from '#core/change/change.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { DeleteOutcome } from '#core/run/outcome.ts';
import { failWrite, note, type Progress, report } from './apply-progress.ts';
import type { WriteResult } from './port.ts';

/** A conflict is looked at once (design.md 3.7): the same object and still to be deleted goes, any other stays. */
export async function applyDelete(progress: Progress, change: DeleteChange): Promise<DeleteOutcome> {
  const stopped = progress.stopReason();
  if (stopped !== undefined) {
    note(progress, change, 'skipped', stopped);
    return { state: 'skipped' };
  }
  const first = await markAndDelete(progress, change, change.precondition);
  return !first.ok && first.failure.kind === 'conflict'
    ? deleteChanged(progress, change)
    : settled(progress, change, first);
}

/** Marks go first, with the version that was read; the delete carries the one that came back. */
async function markAndDelete(
  { store }: Progress,
  { type, key, marks }: DeleteChange,
  precondition: Precondition,
): Promise<WriteResult> {
  if (marks === undefined) return store.delete(type, key, precondition);
  const marked = await store.annotate(type, key, precondition, marks);
  if (!marked.ok) return marked;
  const { resourceVersion = '' } = marked.object.metadata;
  return store.delete(type, key, { uid: precondition.uid, resourceVersion });
}

function settled(progress: Progress, change: DeleteChange, result: WriteResult): DeleteOutcome {
  if (result.ok) {
    note(progress, change, 'done');
    return { state: 'deleted' };
  }
  if (result.failure.kind === 'gone') return gone(progress, change);
  failWrite(progress, change, result.failure);
  const { kind, message } = result.failure;
  const lasting = kind === 'forbidden' || kind === 'invalid';
  return { state: 'failed', message, ...(lasting ? { refused: true } : {}) };
}

function gone(progress: Progress, change: DeleteChange): DeleteOutcome {
  note(progress, change, 'unnecessary', 'gone already');
  return { state: 'gone' };
}

async function deleteChanged(progress: Progress, change: DeleteChange): Promise<DeleteOutcome> {
  const read = await progress.store.get(change.type, change.key);
  if (read.state === 'missing') return gone(progress, change);
  if (read.state === 'failed') {
    return settled(progress, change, {
      ok: false,
      failure: { kind: 'transient', message: read.message },
    });
  }
  const { uid = '', resourceVersion = '' } = read.object.metadata;
  const fate = uid === change.precondition.uid ? fateOf(progress, change, read.object) : 'over';
  switch (fate) {
    case 'delete':
      return settled(progress, change, await markAndDelete(progress, change, { uid, resourceVersion }));
    case 'leaving':
      note(progress, change, 'unnecessary', 'being deleted already');
      return { state: 'gone' };
    case 'over': {
      const message = 'it changed meanwhile and was left alone';
      note(progress, change, 'unnecessary', message);
      report(progress, change, 'ChangedMeanwhile', { message });
      return { state: 'changed', message };
    }
    case 'blocked': {
      const message = 'it changed meanwhile to a phase that this build does not know and was left alone';
      failWrite(progress, change, { kind: 'conflict', message });
      return { state: 'failed', message };
    }
  }
}

/**
 * A run to be replaced goes while it is unfinished, any other while its kind says so. An unknown phase is never deleted
 * (design.md 3.9), and nothing is started in the place of such a run.
 */
export function fateOf(
  progress: Progress,
  change: DeleteChange,
  fresh: KubeObject,
): 'delete' | 'leaving' | 'over' | 'blocked' {
  const replaced = change.reason === 'Replaced';
  if (fresh.metadata.deletionTimestamp !== undefined) return 'leaving';
  if (!replaced) return progress.reconciliation.mayPrune(change, fresh) ? 'delete' : 'over';
  switch (progress.reconciliation.phaseOf(change, fresh)) {
    case 'succeeded':
    case 'failed':
    case 'inert':
      return 'over';
    case 'pending':
    case 'running':
      return 'delete';
    case 'unknown':
      return 'blocked';
  }
}
