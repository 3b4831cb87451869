import type { WorkChanges } from '#core/change/change-set.ts';
import type { WorkApply, WorkChange, WorkCreate, WorkRelease } from '#core/change/work-change.ts';
import { OWNER_UID_ANNOTATION } from '#core/object/annotations.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { typeId } from '#core/observed.ts';
import type { Driver } from '#core/run/driver.ts';
import type { Facts } from './check-facts.ts';

/** One order being checked. */
interface Case {
  readonly work: WorkChanges;
  readonly order: KubeObject;
  readonly driver: Driver;
  /** What stands before the change that is looked at. */
  readonly before: readonly WorkChange[];
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

function versionProblems({ key, precondition }: WorkRelease | WorkApply, { work }: Case): string[] {
  if (keyId(key) !== keyId(work.key)) return ['a write to an object that is not the order'];
  const isRead = precondition?.uid === work.uid && precondition.resourceVersion === work.resourceVersion;
  return isRead ? [] : ['a write to another version of the order than was read'];
}

/** A status without precondition is that of what the create before it makes, or of what has that name already. */
function checkApply(change: WorkApply, context: Case): string[] {
  if (change.precondition !== undefined) return versionProblems(change, context);
  const made = context.before.some((one) => one.verb === 'create' && keyId(one.key) === keyId(change.key));
  return made ? [] : ['a status of something that was not made before'];
}

function checkRelease(change: WorkRelease, context: Case): string[] {
  const isGoing = context.order.metadata.deletionTimestamp !== undefined;
  return [
    ...versionProblems(change, context),
    ...(isGoing ? [] : ['a finalizer taken off an object that is not being deleted']),
  ];
}

function checkChange(change: WorkChange, context: Case): string[] {
  switch (change.verb) {
    case 'create':
      return checkCreate(change, context);
    case 'apply':
      return checkApply(change, context);
    case 'release':
      return checkRelease(change, context);
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
  const { changes } = work;
  return changes.flatMap((change, index) =>
    checkChange(change, { work, order, driver, before: changes.slice(0, index) }),
  );
}
