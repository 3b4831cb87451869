import { type Application, referenceText, type TypedReference } from '#api/backups/reference.ts';
import { BACKUP } from '#api/backups/resources.ts';
import { JOB } from '#api/resources.ts';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { isControlledBy } from '#core/object/owner.ts';
import type { DriverInput, LiveReference, Work, WorkFact, WorkInput, WorkStep } from '#core/run/driver.ts';
import { stateOfBackup, takenFinding, takenMessage } from './backup.ts';
import { type SourceBackup, templateContext } from './context.ts';
import { buildJob } from './job.ts';
import { isLeaving, type JobState } from './job-state.ts';
import type { Look } from './look.ts';
import type { Order } from './order.ts';
import { JOB_BACKUP_STRATEGY, JOB_DRIVER_GROUP, PINNED_STRATEGY_ANNOTATION } from './resources.ts';
import { afterStatus, createdMessage, JOB_CREATED, startedAt, statusOf, statusSteps } from './status.ts';
import { type JobBackupStrategySpec, readStrategy } from './strategy.ts';
import { eventOf, failedEnd, failedWork, unreadableWork, waitingWork, workOf } from './work.ts';

/** An order that this driver answers for, with what it was resolved to. */
export interface Start {
  readonly order: Order;
  readonly strategyRef: TypedReference & { readonly apiGroup: string };
  readonly parameters: Readonly<Record<string, string>>;
  /** Backed up, or restored into. */
  readonly application: Application;
  /** Of a restore. */
  readonly backup: SourceBackup | undefined;
  readonly facts: readonly WorkFact[];
}

/** The same, with nothing missing but what is read live. */
export interface ReadyStart extends Start {
  readonly strategy: JobBackupStrategySpec;
}

function conflictMessage({ jobName }: Order): string {
  return `NameConflict: Job ${jobName} exists and belongs to somebody else`;
}

function nameConflict({ order, facts }: Start): Work {
  return failedWork(order, conflictMessage(order), {
    facts,
    findings: [
      {
        code: 'NameTaken',
        severity: 'error',
        path: ['metadata', 'name'],
        what: `Job ${order.jobName} exists, and ${order.sort.type.kind} ${order.name} does not control it`,
        why: 'what it does is not what this order asks for',
        fix: `delete the Job and create the ${order.sort.type.kind} again, under another name if need be`,
      },
    ],
  });
}

/** Its controller is the order, and what it was made from cannot be read. */
function garbledJob({ order, facts }: Start): Work {
  const what = `the annotation ${PINNED_STRATEGY_ANNOTATION} of Job ${order.jobName} cannot be read`;
  return failedWork(order, `${what}: nobody can tell what it was made from`, { facts });
}

function unknownKind({ order, strategyRef, facts }: Start): Work {
  const { kind, name } = strategyRef;
  const supported = JOB_BACKUP_STRATEGY.kind;
  const message = `strategy ${kind} ${name} of ${JOB_DRIVER_GROUP} is not supported; supported kinds: ${supported}`;
  return failedWork(order, message, { facts });
}

/**
 * A restore point that has the name of this order, and that an order before it made: the pod would write over what is
 * stored there, long before the record could be refused.
 */
function backupInTheWay(start: Start, { referents }: DriverInput): Work | undefined {
  const { order, facts } = start;
  if (order.sort.mode === 'restore') return undefined;
  const found = referents.find(BACKUP, order.namespace, order.name);
  if (found.state === 'unreadable') return unreadableWork(order, `backups: ${found.reason}`, facts);
  switch (stateOfBackup(found.state === 'found' ? found.object : undefined, order)) {
    case 'taken':
      return failedWork(order, takenMessage(order), { facts, findings: [takenFinding(order)] });
    case 'leaving': {
      const message = `Backup ${order.name} is being deleted; its name is not free yet`;
      return waitingWork(order, { reason: 'NameConflict', message, facts });
    }
    case 'missing':
    case 'withoutStatus':
    case 'whole':
      return undefined;
  }
}

/** What is in the way of a start, before anything is read live. */
export function lookAtStart(start: Start, job: JobState, input: DriverInput): Look {
  const { order, strategyRef, facts } = start;
  if (strategyRef.kind !== JOB_BACKUP_STRATEGY.kind) return { at: 'rest', work: unknownKind(start) };
  switch (job.state) {
    case 'unreadable':
      return { at: 'rest', work: unreadableWork(order, `jobs: ${job.reason}`, facts) };
    case 'taken':
      return { at: 'rest', work: nameConflict(start) };
    case 'own':
      return { at: 'rest', work: garbledJob(start) };
    case 'leaving': {
      const message = `Job ${order.jobName} of somebody else is being deleted; its name is not free yet`;
      return { at: 'rest', work: waitingWork(order, { reason: 'NameConflict', message, facts }) };
    }
    case 'missing':
      break;
  }
  const inTheWay = backupInTheWay(start, input);
  if (inTheWay !== undefined) return { at: 'rest', work: inTheWay };
  const { referents } = input;
  const strategy = readStrategy(referents.find(JOB_BACKUP_STRATEGY, '', strategyRef.name), strategyRef.name);
  switch (strategy.state) {
    case 'unreadable':
      return { at: 'rest', work: unreadableWork(order, `jobbackupstrategies: ${strategy.reason}`, facts) };
    case 'notReady': {
      const { message } = strategy;
      return { at: 'rest', work: waitingWork(order, { reason: 'StrategyNotReady', message, facts }) };
    }
    case 'found':
      return { at: 'start', start: { ...start, strategy: strategy.spec } };
  }
}

export function applicationReference({ order, application }: Start): LiveReference {
  const { apiGroup: group, kind, name } = application;
  return { group, kind, namespace: order.namespace, name };
}

/** Running first, then the Job, then the record that it existed (backups.md, decisions 8 and 9). */
function startSteps(order: Order, job: KubeObject): readonly WorkStep[] {
  const { jobName } = order;
  const at = startedAt(order) ?? order.now;
  const starting = statusOf(order, {
    phase: 'Running',
    startedAt: at,
    condition: { status: 'False', reason: 'JobStarting', message: `Job ${jobName} is being created` },
  });
  const started = afterStatus(order, starting);
  const created = statusOf(started, {
    phase: 'Running',
    condition: { status: 'False', reason: JOB_CREATED, message: createdMessage(order) },
  });
  return [
    ...statusSteps(order, starting),
    {
      verb: 'create',
      change: { verb: 'create', type: JOB, key: keyOf(job), reason: 'WorkStarted', object: job },
      isWanted: (existing) => isControlledBy(existing, order.uid) && !isLeaving(existing),
      refused: (message) => failedEnd(started, `creating Job ${jobName} was refused: ${message}`),
      taken: (existing) => (isLeaving(existing) ? undefined : failedEnd(started, conflictMessage(order))),
    },
    ...statusSteps(started, created),
  ];
}

/** Starts an order for which everything is there, or says what is not. */
export function startWork(start: ReadyStart, { live, render }: WorkInput): Work {
  const { order, application, facts, strategyRef, strategy, parameters, backup } = start;
  const found = live.object(applicationReference(start));
  switch (found.state) {
    case 'failed':
      return unreadableWork(order, `${referenceText(application)}: ${found.reason}`, facts);
    case 'missing':
    case 'unserved': {
      const why = found.state === 'missing' ? 'does not exist' : 'is of a kind that is not served here';
      const message = `${referenceText(application)} ${why}`;
      return waitingWork(order, { reason: 'ApplicationNotReady', message, facts });
    }
    case 'found':
      break;
  }
  if (render === undefined) return unreadableWork(order, 'the template language is not loaded', facts);
  const context = templateContext(order, { application: found.object, parameters, backup });
  const built = buildJob({ order, strategyRef, strategy, parameters, render: render(context) });
  if (!built.ok)
    return failedWork(order, `JobBackupStrategy ${strategyRef.name}: ${built.problem}`, { facts });
  const reason = order.sort.started;
  return workOf(order, 'started', {
    reason,
    detail: createdMessage(order),
    facts: [...facts, { label: 'job', text: `${order.jobName}, to be created` }],
    steps: startSteps(order, built.job),
    events: [eventOf(order, 'Normal', reason, createdMessage(order))],
  });
}
