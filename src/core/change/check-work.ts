import type { WorkChanges } from '#core/change/change-set.ts';
import type { WorkApply, WorkChange, WorkCreate, WorkDelete, WorkRelease } from '#core/change/work-change.ts';
import { ANNOTATION_PREFIX, OWNER_UID_ANNOTATION } from '#core/object/annotations.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { isControlledBy } from '#core/object/owner.ts';
import { typeId } from '#core/observed.ts';
import type { Driver } from '#core/run/driver.ts';
import type { Facts } from './check-facts.ts';

/** One order being checked. */
interface Case {
  readonly work: WorkChanges;
  readonly order: KubeObject;
  readonly driver: Driver;
  readonly facts: Facts;
  /** Of the change that is looked at. */
  readonly index: number;
}

function checkCreate({ type, key, object }: WorkCreate, { work, driver }: Case): string[] {
  const problems: string[] = [];
  if (!driver.creates.some((one) => typeId(one) === typeId(type)))
    problems.push('a create of a type that its driver does not make');
  if (keyId(keyOf(object)) !== keyId(key)) problems.push('a create of something else than it says');
  if (key.namespace !== work.key.namespace) problems.push('a create in another namespace');
  if (object.metadata.annotations?.[OWNER_UID_ANNOTATION] !== work.uid)
    problems.push('a create that does not say for which order');
  return problems;
}

function versionProblems({ key, precondition }: WorkApply, { work }: Case): string[] {
  if (keyId(key) !== keyId(work.key)) return ['a write to an object that is not the order'];
  const isRead = precondition?.uid === work.uid && precondition.resourceVersion === work.resourceVersion;
  return isRead ? [] : ['a write to another version of the order than was read'];
}

/** A status without precondition is that of what the create before it makes, or of what has that name already. */
function checkApply(change: WorkApply, context: Case): string[] {
  const { work, index } = context;
  const { precondition, annotations = {} } = change;
  const foreign = Object.keys(annotations).filter((name) => !name.startsWith(ANNOTATION_PREFIX));
  if (foreign.length > 0) return ['an annotation that is not ours'];
  if (precondition !== undefined) return versionProblems(change, context);
  const before = work.changes.slice(0, index);
  const made = before.some((one) => one.verb === 'create' && keyId(one.key) === keyId(change.key));
  return made ? [] : ['a status of something that was not made before'];
}

/** The order itself, or a part of it as it was read: its controller says whose it is, and no label. */
function checkEnd(change: WorkRelease | WorkDelete, { work, order, driver, facts }: Case): string[] {
  const { verb, key, precondition } = change;
  const isOrder = keyId(key) === keyId(work.key);
  const object = isOrder ? order : facts.run(key, precondition.uid);
  if (object === undefined) return [`a ${verb} of something that was not read`];
  const { uid, resourceVersion } = object.metadata;
  if (precondition.uid !== uid || precondition.resourceVersion !== resourceVersion)
    return [`a ${verb} of another version than was read`];
  if (!isOrder && !isControlledBy(object, work.uid))
    return [`a ${verb} of something that the order does not control`];
  return driver.mayEnd(object, order, verb) ? [] : [`a ${verb} that its driver has no reason for`];
}

function checkChange(change: WorkChange, context: Case): string[] {
  switch (change.verb) {
    case 'create':
      return checkCreate(change, context);
    case 'apply':
      return checkApply(change, context);
    case 'release':
    case 'delete':
      return checkEnd(change, context);
    case 'event':
      return [];
  }
}

/** An order only gets its own status, what carries it out, and the record of what came of that. */
export function checkWork(work: WorkChanges, facts: Facts): readonly string[] {
  const driver = facts.drivers.find(({ id }) => id === work.driver);
  if (driver === undefined) return ['an order of a driver that is not known'];
  const order = facts.run(work.key, work.uid);
  if (order === undefined) return ['an order that was not read'];
  const { changes, state } = work;
  const isWritten = changes.some(({ verb }) => verb !== 'event');
  return [
    ...(state === 'invalid' && isWritten ? ['a write for an order that is invalid'] : []),
    ...changes.flatMap((change, index) => checkChange(change, { work, order, driver, facts, index })),
  ];
}
