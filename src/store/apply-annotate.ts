import type { AnnotateChange } from '#core/change/change.ts';
import { failWrite, note, type Progress } from './apply-progress.ts';

/** An object that changed meanwhile is looked at anew by the next tick. */
export async function applyAnnotate(progress: Progress, change: AnnotateChange): Promise<void> {
  const stopped = progress.stopReason();
  if (stopped !== undefined) {
    note(progress, change, 'skipped', stopped);
    return;
  }
  const { type, key, precondition, annotations } = change;
  const result = await progress.store.annotate(type, key, precondition, annotations);
  if (result.ok) note(progress, change, 'done');
  else if (result.failure.kind === 'gone') note(progress, change, 'unnecessary', 'gone already');
  else failWrite(progress, change, result.failure);
}
