import { controllerOf } from '#core/object/owner.ts';
import { EVENT } from '#core/object/resource.ts';
import { declaredUid } from './admit.ts';
import type { Known } from './resolve.ts';
import { kindFolder } from './state-path.ts';

const BACKUP = 'Restore the file from a backup.';
const EVENTS = `${kindFolder(EVENT.group, EVENT.kind)}/`;

const NO_UID =
  `${BACKUP} Without one, stop or delete the unfinished runs of the object before you remove the file: removing it ` +
  'forgets the uid, so that they are no longer its own and a run can start beside them.';
const OWN_UID =
  `${BACKUP} Without one, look at its runs before you remove the file: the manifest says the uid, so that they stay ` +
  'its own, but the recorded status is forgotten, and a slot whose run is gone may be run again.';
const RUN =
  `${BACKUP} Without one, see that the run has ended before you remove the file: removing it makes the run unknown, ` +
  'so that it holds nothing back, and its slot may be run again if it was not recorded.';
const NOBODY =
  `${RUN} If it is the file of a schedule whose manifest is gone, removing it forgets the uid, and its unfinished ` +
  'runs then belong to nobody.';
const EVENT_ONLY = `${BACKUP} Without one, remove the file: no more than this event is lost.`;

/**
 * An object that Git holds and that nobody controls is a schedule or something that one points to: it alone is left
 * out. Anything else may be a run, and a list of runs that is short by one could start a run twice.
 */
export function isHarmlessToMiss(known: Known): boolean {
  return known.declared !== undefined && controllerOf(known.declared.manifest) === undefined;
}

/** How to repair a damaged state file, and what is lost by removing it, which differs by what the object is. */
export function damageAdvice(path: string, known: Known): string {
  if (path.startsWith(EVENTS)) return EVENT_ONLY;
  if (known.declared === undefined) return NOBODY;
  if (!isHarmlessToMiss(known)) return RUN;
  return declaredUid(known.declared.manifest, known.declared.key) === undefined ? NO_UID : OWN_UID;
}
