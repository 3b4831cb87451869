import { resolveBackupClass } from '#api/backups/backup-class.ts';
import { orderPhase } from '#api/backups/order-phase.ts';
import { applicationOf, looseReference, referenceText, type TypedReference } from '#api/backups/reference.ts';
import { BACKUP, BACKUP_CLASS } from '#api/backups/resources.ts';
import { targetOf } from '#api/backups/restore-target.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import type { JsonObject } from '#core/object/object.ts';
import type { DriverInput, WorkFact } from '#core/run/driver.ts';
import { findJob } from './job-state.ts';
import type { Order } from './order.ts';
import { JOB_DRIVER_GROUP } from './resources.ts';

function fact(label: string, text: string | undefined): readonly WorkFact[] {
  return text === undefined || text === '' ? [] : [{ label, text }];
}

function specOf({ object }: Order): JsonObject {
  return isObject(object.spec) ? object.spec : {};
}

/** The name of the Backup that a BackupJob left, or that a RestoreJob goes by. */
function backupName(order: Order): string | undefined {
  return textMember(order.status.backupRef, 'name') ?? textMember(specOf(order).backupRef, 'name');
}

/** The spec of that Backup; undefined where it is gone, or cannot be read. */
function backupSpec(order: Order, { referents }: DriverInput): JsonObject | undefined {
  const name = backupName(order);
  const found = name === undefined ? undefined : referents.find(BACKUP, order.namespace, name);
  if (found?.state !== 'found') return undefined;
  return isObject(found.object.spec) ? found.object.spec : undefined;
}

/** Why a Job fails, by the API: with one of them the message of a failed order begins if its Job failed. */
const JOB_FAILURES = [
  'BackoffLimitExceeded',
  'DeadlineExceeded',
  'FailedIndexes',
  'MaxFailedIndexesExceeded',
  'PodFailurePolicy',
] as const;

interface Ran {
  readonly ref: TypedReference;
  readonly byClass: boolean;
}

/** Whether its Job is there, or was: many orders fail before there is one. */
function hadJob(order: Order, ran: Ran | undefined, input: DriverInput): boolean {
  if (findJob(order, input).state === 'own') return true;
  // Another driver's order has none of ours.
  if (ran?.ref.apiGroup !== JOB_DRIVER_GROUP) return false;
  if (orderPhase(order.object) === 'succeeded') return true;
  const message = textMember(order.status, 'message') ?? '';
  const isOfJob = JOB_FAILURES.some((reason) => message === reason || message.startsWith(`${reason}: `));
  return isOfJob || message.startsWith(`Job ${order.jobName} `);
}

/** What ran by the record of the Job, else by that of the Backup; else what the class says today. */
function strategyOf(order: Order, input: DriverInput): Ran | undefined {
  const job = findJob(order, input);
  if (job.state === 'own' && job.pinned.state === 'read')
    return { ref: job.pinned.strategy.strategyRef, byClass: false };
  const recorded = looseReference(backupSpec(order, input)?.strategyRef);
  if (recorded.name !== '') return { ref: recorded, byClass: false };
  const spec = specOf(order);
  const className = textMember(spec, 'backupClassName');
  if (className === undefined) return undefined;
  const application = applicationOf(looseReference(spec.applicationRef));
  const resolution = resolveBackupClass(input.referents.find(BACKUP_CLASS, '', className), application);
  return resolution.state === 'matched' ? { ref: resolution.strategyRef, byClass: true } : undefined;
}

function strategyText({ ref, byClass }: Ran): string {
  return byClass ? `${referenceText(ref)}, by the class as it is now` : referenceText(ref);
}

/** What a restore goes into; undefined where only its Backup says so, and is gone. */
export function targetText(order: Order, input: DriverInput): string | undefined {
  if (order.sort.mode === 'backup') return undefined;
  const taken = backupSpec(order, input)?.applicationRef;
  const target = specOf(order).targetApplicationRef;
  if (!isObject(taken) && !isObject(target)) return undefined;
  const asked = isObject(target) ? looseReference(target) : undefined;
  return referenceText(targetOf(looseReference(taken), asked));
}

function applicationText(order: Order): string | undefined {
  const { applicationRef } = specOf(order);
  return isObject(applicationRef) ? referenceText(applicationOf(looseReference(applicationRef))) : undefined;
}

/** What an order that is over went through, as far as it and what it left tell: its Job may be gone. */
export function pastFacts(order: Order, input: DriverInput): readonly WorkFact[] {
  const { status, jobName } = order;
  const ran = strategyOf(order, input);
  return [
    ...fact('application', applicationText(order)),
    ...fact('class', textMember(specOf(order), 'backupClassName')),
    ...fact('strategy', ran === undefined ? undefined : strategyText(ran)),
    ...fact('target', targetText(order, input)),
    ...fact('started', textMember(status, 'startedAt')),
    ...fact('job', hadJob(order, ran, input) ? jobName : undefined),
    ...fact('completed', textMember(status, 'completedAt')),
    ...fact('backup', backupName(order)),
  ];
}
