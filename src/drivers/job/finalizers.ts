import { BACKUP_FINALIZERS, carriedFinalizers, RESTORE_FINALIZERS } from '#api/backups/finalizers.ts';
import { applicationOf, looseReference, referenceText } from '#api/backups/reference.ts';
import { BACKUP } from '#api/backups/resources.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import type { DriverInput, Work, WorkFact, WorkStep } from '#core/run/driver.ts';
import { findJob, isLeaving } from './job-state.ts';
import type { Order } from './order.ts';
import { DRIVER_ID, JOB_DRIVER_GROUP } from './resources.ts';
import { workOf } from './work.ts';

function isOurs(backup: KubeObject): boolean {
  const { apiGroup } = looseReference(isObject(backup.spec) ? backup.spec.strategyRef : undefined);
  return apiGroup === JOB_DRIVER_GROUP;
}

function isManaged({ settings }: DriverInput): boolean {
  return settings.writers[DRIVER_ID] !== 'observe';
}

function releaseSteps(finalizers: readonly string[]): readonly WorkStep[] {
  return [{ verb: 'release', finalizers }];
}

/** What the Job, or the Backup, tells of whose a restore is. */
function isOurRestore(order: Order, input: DriverInput): boolean {
  const job = findJob(order, input);
  if (job.state === 'own' && job.pinned.state === 'read') return true;
  const spec = isObject(order.object.spec) ? order.object.spec : {};
  const name = textMember(spec.backupRef, 'name') ?? '';
  const backup = input.referents.find(BACKUP, order.namespace, name);
  return backup.state === 'found' && isOurs(backup.object);
}

/** A RestoreJob that is being deleted: this driver has nothing to clean up (backups.md, decision 11). */
export function restoreRelease(order: Order, input: DriverInput): Work {
  const carried = carriedFinalizers(order.object, RESTORE_FINALIZERS);
  if (carried.length === 0 || !isManaged(input) || !isOurRestore(order, input))
    return workOf(order, 'deleting');
  const detail = `the finalizer ${carried.join(', ')} is taken off`;
  return workOf(order, 'releasing', { detail, steps: releaseSteps(carried) });
}

function backupFacts({ spec, status }: KubeObject): readonly WorkFact[] {
  const fields = isObject(spec) ? spec : {};
  const taken = textMember(fields, 'takenAt');
  const uri = textMember(isObject(status) ? status.artifact : undefined, 'uri');
  return [
    { label: 'application', text: referenceText(applicationOf(looseReference(fields.applicationRef))) },
    { label: 'strategy', text: referenceText(looseReference(fields.strategyRef)) },
    ...(taken === undefined ? [] : [{ label: 'taken', text: taken }]),
    ...(uri === undefined ? [] : [{ label: 'artifact', text: uri }]),
  ];
}

/** A Backup is no order: it is only looked at because it may wait for its finalizers. */
export function backupWork(source: SourcedObject, input: DriverInput): Work {
  const { object } = source;
  const carried = isLeaving(object) ? carriedFinalizers(object, BACKUP_FINALIZERS) : [];
  const ours = isOurs(object);
  const base = { type: BACKUP, source, events: [], findings: [], facts: backupFacts(object) };
  if (carried.length > 0 && ours && isManaged(input)) {
    const detail = `the finalizers ${carried.join(', ')} are taken off; what the backup stored stays`;
    return { ...base, state: 'releasing', detail, steps: releaseSteps(carried) };
  }
  const state = isLeaving(object) ? 'deleting' : ours ? 'finished' : 'foreign';
  return { ...base, state, steps: [] };
}
