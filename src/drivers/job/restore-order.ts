import { applicationOf, looseReference, referenceText } from '#api/backups/reference.ts';
import { BACKUP } from '#api/backups/resources.ts';
import { RestoreJobSpec } from '#api/backups/restore-job.ts';
import { targetOf } from '#api/backups/restore-target.ts';
import { zodFindings } from '#api/zod-findings.ts';
import { isObject, textMembers } from '#core/object/canonical.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { Json, KubeObject, SourcedObject } from '#core/object/object.ts';
import { readTimeValue, timeOf } from '#core/object/time-field.ts';
import type { DriverInput, WorkFact } from '#core/run/driver.ts';
import { parametersIn } from './backup.ts';
import { barredWork, invalidWork, settledWork } from './barred.ts';
import { restoreRelease } from './finalizers.ts';
import { findJob, isLeaving, type JobState } from './job-state.ts';
import type { Look } from './look.ts';
import { type Order, orderOf, RESTORE_ORDER } from './order.ts';
import { targetText } from './past-facts.ts';
import { JOB_DRIVER_GROUP } from './resources.ts';
import { startedFacts, vanishedWork } from './running.ts';
import { lookAtStart } from './start.ts';
import { wasRecorded } from './status.ts';
import { failedWork, pendingWork, unreadableWork, workOf } from './work.ts';

/** A RestoreJob whose spec was read. */
interface RestoreOrder {
  readonly order: Order;
  readonly spec: RestoreJobSpec;
  readonly facts: readonly WorkFact[];
}

export function lookAtRestoreJob(source: SourcedObject, input: DriverInput): Look {
  const order = orderOf(RESTORE_ORDER, source, input);
  if (isLeaving(order.object)) return { at: 'rest', work: restoreRelease(order, input) };
  const settled = settledWork(order, input);
  if (settled !== undefined) return { at: 'rest', work: settled };
  const raw = withoutNulls(order.object.spec ?? {});
  const parsed = RestoreJobSpec.safeParse(raw);
  if (!parsed.success)
    return { at: 'rest', work: invalidWork(order, zodFindings(parsed.error.issues, raw, ['spec'])) };
  const spec = parsed.data;
  const facts = [{ label: 'backup', text: spec.backupRef.name }];
  return lookAtRead({ order, spec, facts }, input);
}

/** The Job, or the record of it, tells whose the order is before the Backup is asked. */
function lookAtRead(read: RestoreOrder, input: DriverInput): Look {
  const { order, facts } = read;
  const job = findJob(order, input);
  if (job.state === 'own' && job.pinned.state === 'read') {
    const { strategy: pinned } = job.pinned;
    const strategy = { label: 'strategy', text: referenceText(pinned.strategyRef) };
    const target = targetText(order, input);
    const told = [
      ...facts,
      strategy,
      ...(target === undefined ? [] : [{ label: 'target', text: target }]),
      ...startedFacts(order),
    ];
    const barred = barredWork(order, input, told);
    if (barred !== undefined) return { at: 'rest', work: barred };
    return { at: 'job', running: { order, job: job.job, pinned, backup: undefined, facts: told } };
  }
  if (job.state === 'missing' && wasRecorded(order))
    return { at: 'rest', work: barredWork(order, input, facts) ?? vanishedWork(order, facts) };
  const found = input.referents.find(BACKUP, order.namespace, read.spec.backupRef.name);
  if (found.state === 'unreadable')
    return { at: 'rest', work: unreadableWork(order, `backups: ${found.reason}`, facts) };
  if (found.state === 'found') return lookAtBackup(read, job, { backup: found.object, input });
  return notReady(read, job, { input, what: 'does not exist' });
}

/** The Backup may still come: half an hour from when the restore was asked for (decision 8). */
function notReady(
  { order, spec, facts }: RestoreOrder,
  job: JobState,
  { input, what }: { readonly input: DriverInput; readonly what: string },
): Look {
  const barred = barredWork(order, input, facts);
  if (barred !== undefined) return { at: 'rest', work: barred };
  if (job.state === 'unreadable')
    return { at: 'rest', work: unreadableWork(order, `jobs: ${job.reason}`, facts) };
  const since = timeOf(readTimeValue(order.object.metadata.creationTimestamp));
  const message = `Backup ${spec.backupRef.name} ${what}`;
  return { at: 'rest', work: pendingWork(order, { reason: 'BackupNotReady', message, facts }, since) };
}

function member(object: KubeObject, key: string): Json | undefined {
  return isObject(object.spec) ? object.spec[key] : undefined;
}

function lookAtBackup(
  read: RestoreOrder,
  job: JobState,
  { backup, input }: { readonly backup: KubeObject; readonly input: DriverInput },
): Look {
  const { order, spec } = read;
  const { apiGroup = '', kind, name } = looseReference(member(backup, 'strategyRef'));
  const strategyRef = { apiGroup, kind, name };
  const facts = [...read.facts, { label: 'strategy', text: referenceText(strategyRef) }];
  if (apiGroup !== '' && apiGroup !== JOB_DRIVER_GROUP) {
    const detail = `the strategy is of ${apiGroup}: its driver answers for it`;
    return { at: 'rest', work: workOf(order, 'foreign', { detail, facts }) };
  }
  const barred = barredWork(order, input, facts);
  if (barred !== undefined) return { at: 'rest', work: barred };
  if (job.state === 'unreadable')
    return { at: 'rest', work: unreadableWork(order, `jobs: ${job.reason}`, facts) };
  const backupName = spec.backupRef.name;
  if (apiGroup === '') {
    const message = `Backup ${backupName} does not say which group its strategy is of: no driver can tell that it is meant`;
    return { at: 'rest', work: failedWork(order, message, { facts }) };
  }
  const phase = isObject(backup.status) ? (backup.status.phase ?? '') : '';
  if (phase === 'Failed') {
    return { at: 'rest', work: failedWork(order, `Backup ${backupName} has failed`, { facts }) };
  }
  if (isLeaving(backup)) return notReady({ ...read, facts }, job, { input, what: 'is being deleted' });
  if (phase !== 'Ready') {
    const what = phase === '' ? 'has no phase yet' : `is ${String(phase)}`;
    return notReady({ ...read, facts }, job, { input, what });
  }
  const taken = looseReference(member(backup, 'applicationRef'));
  const application = targetOf(taken, spec.targetApplicationRef);
  const start = {
    order,
    strategyRef,
    parameters: parametersIn(textMembers(member(backup, 'driverMetadata'))),
    application,
    backup: { name: backupName, namespace: order.namespace, application: applicationOf(taken) },
    facts: [...facts, { label: 'target', text: referenceText(application) }, ...startedFacts(order)],
  };
  return lookAtStart(start, job, input);
}
