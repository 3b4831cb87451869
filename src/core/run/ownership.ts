import { OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import type { KubeObject } from '#core/object/object.ts';
import { isControlledBy } from '#core/object/owner.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

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

/** What a run of the right name is held against. */
export interface WantedRun {
  readonly uid: string | undefined;
  readonly slot: Instant;
  readonly ownedBy: OwnedBy;
}

/** Without our mark the name has to do: it says the slot, and the owner is checked. */
export function isRunOfSlot(run: KubeObject, { uid, slot, ownedBy }: WantedRun): boolean {
  if (!belongsTo(run, uid, ownedBy)) return false;
  const { annotations } = run.metadata;
  const marked = annotations?.[SLOT_ANNOTATION];
  return (
    marked === undefined || (marked === formatInstant(slot) && annotations?.[OWNER_UID_ANNOTATION] === uid)
  );
}
