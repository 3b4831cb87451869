import { type Resolution, resolveBackupClass } from '#api/backups/backup-class.ts';
import { BackupJobSpec } from '#api/backups/backup-job.ts';
import {
  type Application,
  applicationOf,
  referenceText,
  type TypedReference,
} from '#api/backups/reference.ts';
import { BACKUP_CLASS } from '#api/backups/resources.ts';
import { zodFindings } from '#api/zod-findings.ts';
import { withoutNulls } from '#core/object/nulls.ts';
import type { SourcedObject } from '#core/object/object.ts';
import type { DriverInput, WorkFact } from '#core/run/driver.ts';
import { barredWork, invalidWork, settledWork } from './barred.ts';
import { findJob, isLeaving, type JobState } from './job-state.ts';
import type { Look } from './look.ts';
import { BACKUP_ORDER, type Order, orderOf } from './order.ts';
import { JOB_DRIVER_GROUP } from './resources.ts';
import { startedFacts, vanishedWork } from './running.ts';
import { lookAtStart } from './start.ts';
import { wasRecorded } from './status.ts';
import { failedWork, pendingWork, unreadableWork, waitingWork, workOf } from './work.ts';

/** A BackupJob whose spec was read. */
interface BackupOrder {
  readonly order: Order;
  readonly spec: BackupJobSpec;
  readonly application: Application;
  readonly facts: readonly WorkFact[];
}

function referenceFact(label: string, reference: TypedReference): WorkFact {
  return { label, text: referenceText(reference) };
}

function classFact(spec: BackupJobSpec, resolution: Resolution): WorkFact {
  const entry = 'index' in resolution ? `, entry ${resolution.index + 1}` : '';
  return { label: 'class', text: `${spec.backupClassName}${entry}` };
}

export function lookAtBackupJob(source: SourcedObject, input: DriverInput): Look {
  const order = orderOf(BACKUP_ORDER, source, input);
  if (isLeaving(order.object)) return { at: 'rest', work: workOf(order, 'deleting') };
  const settled = settledWork(order, input);
  if (settled !== undefined) return { at: 'rest', work: settled };
  const raw = withoutNulls(order.object.spec ?? {});
  const parsed = BackupJobSpec.safeParse(raw);
  if (!parsed.success)
    return { at: 'rest', work: invalidWork(order, zodFindings(parsed.error.issues, raw, ['spec'])) };
  const spec = parsed.data;
  const application = applicationOf(spec.applicationRef);
  const facts = [referenceFact('application', application)];
  return lookAtRead({ order, spec, application, facts }, input);
}

/** The Job, or the record of it, tells whose the order is before the class is asked. */
function lookAtRead(read: BackupOrder, input: DriverInput): Look {
  const { order, spec, facts } = read;
  const job = findJob(order, input);
  if (job.state === 'own' && job.pinned.state === 'read') {
    const { strategy: pinned } = job.pinned;
    const told = [...facts, referenceFact('strategy', pinned.strategyRef), ...startedFacts(order)];
    const barred = barredWork(order, input, told);
    if (barred !== undefined) return { at: 'rest', work: barred };
    return { at: 'job', running: { order, job: job.job, pinned, backup: spec, facts: told } };
  }
  if (job.state === 'missing' && wasRecorded(order))
    return { at: 'rest', work: barredWork(order, input, facts) ?? vanishedWork(order, facts) };
  return lookAtClass(read, job, input);
}

/** Each outcome of backups.md B.3. */
function lookAtClass(read: BackupOrder, job: JobState, input: DriverInput): Look {
  const { order, spec, application } = read;
  const name = spec.backupClassName;
  const resolution = resolveBackupClass(input.referents.find(BACKUP_CLASS, '', name), application);
  const facts = [...read.facts, classFact(spec, resolution)];
  if (resolution.state === 'unreadable')
    return { at: 'rest', work: unreadableWork(order, `backupclasses: ${resolution.reason}`, facts) };
  if ('strategyRef' in resolution && resolution.strategyRef.apiGroup !== JOB_DRIVER_GROUP)
    return {
      at: 'rest',
      work: workOf(order, 'foreign', {
        detail: `the strategy is of ${resolution.strategyRef.apiGroup}: its driver answers for it`,
        facts: [...facts, referenceFact('strategy', resolution.strategyRef)],
      }),
    };
  const barred = barredWork(order, input, facts);
  if (barred !== undefined) return { at: 'rest', work: barred };
  // What runs already does not hang on the class.
  if (job.state === 'unreadable')
    return { at: 'rest', work: unreadableWork(order, `jobs: ${job.reason}`, facts) };
  switch (resolution.state) {
    case 'missing': {
      const message = `BackupClass ${name} does not exist`;
      return { at: 'rest', work: pendingWork(order, { reason: 'BackupClassNotFound', message, facts }) };
    }
    case 'strategyRefIncomplete': {
      const entry = resolution.index + 1;
      const message = `entry ${entry} of BackupClass ${name} does not say which group its strategy is of: no driver can tell that it is meant`;
      return { at: 'rest', work: pendingWork(order, { reason: 'StrategyRefIncomplete', message, facts }) };
    }
    case 'classInvalid': {
      const message = `BackupClass ${name} cannot be used: ${resolution.what}`;
      return { at: 'rest', work: pendingWork(order, { reason: 'BackupClassInvalid', message, facts }) };
    }
    case 'entryInvalid': {
      const message = `BackupClass ${name} cannot be used: ${resolution.what}`;
      return { at: 'rest', work: waitingWork(order, { reason: 'BackupClassInvalid', message, facts }) };
    }
    case 'noMatch': {
      const { kind, apiGroup } = application;
      const message = `BackupClass ${name} has no strategy for ${kind} of ${apiGroup}`;
      return { at: 'rest', work: failedWork(order, message, { facts }) };
    }
    case 'matched': {
      const { strategyRef, parameters } = resolution;
      const told = [...facts, referenceFact('strategy', strategyRef), ...startedFacts(order)];
      const start = { order, strategyRef, parameters, application, backup: undefined, facts: told };
      return lookAtStart(start, job, input);
    }
  }
}
