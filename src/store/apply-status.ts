import type { ApplyChange } from '#core/change/change.ts';
import { withHeldAnchor } from '#core/held-anchor.ts';
import type { SettledSlot } from '#core/kind.ts';
import { keyId } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { CreateOutcome } from '#core/run/outcome.ts';
import type { Entry } from '#core/settle.ts';
import { isComplete } from '#core/still-owed.ts';
import { failWrite, note, type Progress } from './apply-progress.ts';
import { holdAnchor } from './hold-anchor.ts';
import type { WriteFailure } from './port.ts';
import { writeStatus } from './write-status.ts';

/**
 * A stale version: read once, take our fields as just read, move only the anchor of a run that was created
 * forward, apply that whole set (design.md 3.6). A field conflict is never retried and never forced.
 * @returns whether the whole status stands as it was meant
 */
export async function applyStatus(
  progress: Progress,
  change: ApplyChange,
  creates: readonly CreateOutcome[],
): Promise<boolean> {
  const stopped = progress.stopReason();
  if (stopped !== undefined) {
    note(progress, change, 'skipped', stopped);
    return false;
  }
  const read = progress.reconciliation.entries.get(keyId(change.key))?.schedule.object;
  const result = await writeStatus(progress.store, { ...change, read });
  if (result.ok) return settleAnchor(progress, change, result.object);
  const failure =
    result.failure.kind === 'conflict' ? await recordAnchor(progress, change, creates) : result.failure;
  if (failure === undefined)
    note(progress, change, 'done', 'the object had changed meanwhile: only the slot was recorded');
  else failWrite(progress, change, failure);
  return false;
}

/** @returns whether the anchor, too, stands where the next tick looks for it */
async function settleAnchor(progress: Progress, change: ApplyChange, object: KubeObject): Promise<boolean> {
  const rules = progress.reconciliation.entries.get(keyId(change.key))?.kind.rules;
  const place =
    rules === undefined
      ? ({ in: 'status' } as const)
      : await holdAnchor(progress.store, { ...change, object }, rules);
  switch (place.in) {
    case 'status':
      note(progress, change, 'done');
      return true;
    case 'annotation':
      note(progress, change, 'done', `${rules?.anchorAnnotation?.annotation ?? ''} holds the slot`);
      return true;
    case 'nowhere':
      failWrite(progress, change, place.failure);
      return false;
  }
}

/** @returns why the anchor was not recorded; undefined when it was */
async function recordAnchor(
  progress: Progress,
  change: ApplyChange,
  creates: readonly CreateOutcome[],
): Promise<WriteFailure | undefined> {
  const { type, key, precondition } = change;
  const changed: WriteFailure = {
    kind: 'conflict',
    message: `${key.name} changed meanwhile; its status is left for the next tick`,
  };
  const entry = progress.reconciliation.entries.get(keyId(key));
  const moved = entry === undefined ? undefined : settledSlot(entry, creates);
  if (entry === undefined || moved === undefined) return changed;
  const read = await progress.store.get(type, key);
  if (read.state !== 'found' || read.object.metadata.uid !== precondition.uid) return changed;
  const { resourceVersion = '' } = read.object.metadata;
  const fresh = { uid: precondition.uid, resourceVersion };
  const { kind, schedule } = entry;
  const fields = schedule.moveAnchor(withHeldAnchor(kind.rules, read.object), moved);
  const result = await progress.store.applyStatus(type, key, fresh, fields);
  if (!result.ok) return result.failure;
  const place = await holdAnchor(progress.store, { type, key, fields, object: result.object }, kind.rules);
  return place.in === 'nowhere' ? place.failure : undefined;
}

/** The slot of this tick, if every run that it wants is there now. */
function settledSlot({ decision }: Entry, creates: readonly CreateOutcome[]): SettledSlot | undefined {
  if (decision.state !== 'fire' || !isComplete(decision, creates)) return undefined;
  const { slot, next } = decision.owed;
  return { slot, next, plan: decision.plan };
}
