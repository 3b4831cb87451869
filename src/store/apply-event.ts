import type { Change } from '#core/change/change.ts';
import { EVENT } from '#core/object/resource.ts';
import { note, type Progress } from './apply-progress.ts';

/** Events are best effort: a refused one is told, and never counts as a failed tick. */
export async function applyEvent(progress: Progress<unknown>, change: Change): Promise<void> {
  if (change.verb !== 'event') return;
  const stopped = progress.stopReason();
  if (stopped !== undefined) {
    note(progress, change, 'skipped', stopped);
    return;
  }
  const result = await progress.store.create(EVENT, change.object);
  if (result.ok) note(progress, change, 'done');
  else if (result.failure.kind === 'exists') note(progress, change, 'unnecessary', 'told already');
  else note(progress, change, 'failed', result.failure.message);
}
