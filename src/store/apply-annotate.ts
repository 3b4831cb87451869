import type { AnnotateChange } from '#core/change/change.ts';
import { note, noteWrite, type Progress } from './apply-progress.ts';

/** An object that changed meanwhile is looked at anew by the next tick. */
export async function applyAnnotate(progress: Progress, change: AnnotateChange): Promise<void> {
  const stopped = progress.stopReason();
  if (stopped !== undefined) {
    note(progress, change, 'skipped', stopped);
    return;
  }
  const { type, key, precondition, annotations } = change;
  noteWrite(progress, change, await progress.store.annotate(type, key, precondition, annotations));
}
