import { OWNER_UID_ANNOTATION } from '#core/object/annotations.ts';
import type { KubeObject } from '#core/object/object.ts';
import { isControlledBy } from '#core/object/owner.ts';

/** Names and labels prove nothing, since they are used again: a uid does (design.md 3.16). */
export type OwnedBy = 'controller' | 'controllerOrMark';

/** Whether a run belongs to the schedule of this uid, as far as uids say it. */
export function belongsTo(run: KubeObject, uid: string | undefined, by: OwnedBy): boolean {
  if (isControlledBy(run, uid)) return true;
  return (
    by === 'controllerOrMark' &&
    uid !== undefined &&
    uid !== '' &&
    run.metadata.annotations?.[OWNER_UID_ANNOTATION] === uid
  );
}
