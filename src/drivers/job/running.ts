import type { BackupArtifact } from '#api/backups/backup.ts';
import type { BackupJobSpec } from '#api/backups/backup-job.ts';
import { BACKUP } from '#api/backups/resources.ts';
import { jobPhase, oddJobPart } from '#api/job-phase.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import { conditionOf, isConditionTrue } from '#core/object/condition.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { readTime, timeOf } from '#core/object/time-field.ts';
import type { DriverInput, Work, WorkFact, WorkInput, WorkStep } from '#core/run/driver.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { artifactOf, podsOf } from './artifact.ts';
import { backupSteps, stateOfBackup, takenFinding, takenMessage } from './backup.ts';
import { isLeaving } from './job-state.ts';
import type { Order } from './order.ts';
import type { PinnedStrategy } from './pinned.ts';
import {
  createdMessage,
  JOB_CREATED,
  JOB_SUSPENDED,
  startedAt,
  statusOf,
  statusSteps,
  wasRecorded,
} from './status.ts';
import { eventOf, failedWork, unreadableWork, workOf } from './work.ts';

/** An order whose Job exists: from now on only the Job counts (backups.md, decision 7). */
export interface Running {
  readonly order: Order;
  readonly job: KubeObject;
  readonly pinned: PinnedStrategy;
  /** Of a backup: what its record tells. */
  readonly backup: BackupJobSpec | undefined;
  readonly facts: readonly WorkFact[];
}

function statusOfJob({ status }: KubeObject): JsonObject {
  return isObject(status) ? status : {};
}

/** When the Job ended by its own account, else now. */
function endOf({ job, order }: Running, type: 'Complete' | 'Failed'): Instant {
  const status = statusOfJob(job);
  const completion = type === 'Complete' ? timeOf(readTime(status, 'completionTime')) : undefined;
  return completion ?? timeOf(readTime(conditionOf(status, type), 'lastTransitionTime')) ?? order.now;
}

/** The Job's own words. */
function failureOf(job: KubeObject): string {
  const condition = conditionOf(statusOfJob(job), 'Failed');
  const reason = textMember(condition, 'reason') ?? '';
  const message = textMember(condition, 'message') ?? '';
  const told = [reason, message].filter((part) => part !== '').join(': ');
  return told === '' ? `Job ${job.metadata.name} failed` : told;
}

function jobFact({ job }: Running, text: string): WorkFact {
  return { label: 'job', text: `${job.metadata.name}, ${text}` };
}

/** Conditions of a Job that is on its way to an end, or kept from working. */
const ON_THE_WAY = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'] as const;

function stageOf(job: KubeObject): string {
  if (isLeaving(job)) return 'being deleted';
  const status = statusOfJob(job);
  return ON_THE_WAY.find((type) => isConditionTrue(status, type)) ?? 'running';
}

/** It works on, without limit of our own: the strategy may set one. */
function stillRunning(running: Running): Work {
  const { order, job, facts } = running;
  const isSuspended = isConditionTrue(statusOfJob(job), 'Suspended');
  const reason = isSuspended ? JOB_SUSPENDED : JOB_CREATED;
  const message = isSuspended ? `Job ${job.metadata.name} is suspended` : createdMessage(order);
  const status = statusOf(order, {
    phase: 'Running',
    startedAt: startedAt(order) ?? order.now,
    condition: { status: 'False', reason, message },
  });
  const stage = stageOf(job);
  return workOf(order, 'running', {
    reason,
    detail: stage === 'running' ? message : `Job ${job.metadata.name} is ${stage}`,
    facts: [...facts, jobFact(running, stage), { label: 'awaits', text: 'the end of the Job' }],
    steps: statusSteps(order, status),
    events: wasRecorded(order) ? [] : [eventOf(order, 'Normal', order.sort.started, createdMessage(order))],
  });
}

function oddJob(running: Running): Work {
  const { order, job, facts } = running;
  const odd = oddJobPart(job) ?? 'an unknown status';
  const what = `Job ${job.metadata.name} has ${odd}: nobody can tell how it stands`;
  return workOf(order, 'running', {
    detail: what,
    facts: [...facts, jobFact(running, 'unknown')],
    findings: [{ code: 'UnknownPhase', severity: 'warning', path: ['metadata', 'name'], what }],
  });
}

interface Done {
  readonly steps: readonly WorkStep[];
  readonly message: string;
  /** The name of the Backup. */
  readonly backup?: string;
}

function succeeded(running: Running, { steps, message, backup }: Done): Work {
  const { order, facts } = running;
  const status = statusOf(order, {
    phase: 'Succeeded',
    startedAt: startedAt(order) ?? order.now,
    completedAt: endOf(running, 'Complete'),
    ...(backup === undefined ? {} : { backup }),
    condition: { status: 'True', reason: order.sort.completed, message },
  });
  return workOf(order, 'succeeded', {
    reason: order.sort.completed,
    detail: message,
    facts: [...facts, jobFact(running, 'complete')],
    steps: [...steps, ...statusSteps(order, status)],
    events: [eventOf(order, 'Normal', order.sort.completed, message)],
  });
}

/** Where an artifact is told of, what the pod said of it is wanted, as long as no record of it stands. */
export function wantsPods(running: Running, { referents }: DriverInput): boolean {
  const { order, job, pinned, backup } = running;
  if (backup === undefined || pinned.artifact === undefined || jobPhase(job) !== 'succeeded') return false;
  const found = referents.find(BACKUP, order.namespace, order.name);
  if (found.state === 'unreadable') return false;
  const state = stateOfBackup(found.state === 'found' ? found.object : undefined, order);
  return state === 'missing' || state === 'withoutStatus';
}

type Artifact =
  | { readonly ok: true; readonly artifact: BackupArtifact | undefined }
  | { readonly ok: false; readonly reason: string };

function readArtifact({ order, pinned, job }: Running, { live }: WorkInput): Artifact {
  if (pinned.artifact === undefined) return { ok: true, artifact: undefined };
  const pods = live.labelled(podsOf(order));
  if (pods.state === 'unreadable') return { ok: false, reason: `pods: ${pods.reason}` };
  return { ok: true, artifact: artifactOf(pinned.artifact.uri, pods.objects, job) };
}

/** The record first, then the order that points to it. */
function completeBackup(running: Running, spec: BackupJobSpec, input: WorkInput): Work {
  const { order, job, pinned, facts } = running;
  const { name } = order;
  const found = input.referents.find(BACKUP, order.namespace, name);
  if (found.state === 'unreadable') return unreadableWork(order, `backups: ${found.reason}`, facts);
  const message = `Backup ${name} was taken`;
  switch (stateOfBackup(found.state === 'found' ? found.object : undefined, order)) {
    case 'whole':
      return succeeded(running, { steps: [], message, backup: name });
    case 'taken':
      return failedWork(order, takenMessage(order), {
        facts,
        findings: [takenFinding(order)],
      });
    case 'leaving':
      return workOf(order, 'waiting', {
        detail: `Backup ${name} of that name is being deleted; its name is not free yet`,
        facts: [...facts, jobFact(running, 'complete')],
      });
    case 'missing':
    case 'withoutStatus': {
      const read = readArtifact(running, input);
      if (!read.ok) return unreadableWork(order, read.reason, facts);
      const steps = backupSteps({ order, spec, pinned, job, artifact: read.artifact });
      return succeeded(running, { steps, message, backup: name });
    }
  }
}

/** What becomes of an order whose Job exists. */
export function runningWork(running: Running, input: WorkInput): Work {
  const { order, job, facts, backup } = running;
  switch (jobPhase(job)) {
    case 'succeeded':
      if (backup !== undefined) return completeBackup(running, backup, input);
      return succeeded(running, { steps: [], message: `Job ${job.metadata.name} is complete` });
    case 'failed':
      return failedWork(order, failureOf(job), {
        at: endOf(running, 'Failed'),
        facts: [...facts, jobFact(running, 'failed')],
      });
    case 'unknown':
      return oddJob(running);
    case 'pending':
    case 'running':
    case 'inert':
      return stillRunning(running);
  }
}

/** The status tells of a Job that is there no more. */
export function vanishedWork(order: Order, facts: readonly WorkFact[]): Work {
  const message = `Job ${order.jobName} vanished before its end was seen; it is not started again`;
  return failedWork(order, message, { facts });
}

/** For people: since when an order runs. */
export function startedFacts(order: Order): readonly WorkFact[] {
  const at = startedAt(order);
  return at === undefined ? [] : [{ label: 'started', text: formatInstant(at) }];
}
