import type { JsonObject, KubeObject } from '#core/object/object.ts';
import type { Store, WriteResult } from '#store/port.ts';
import { type Order, read, standing, type Told, tell } from './order.ts';
import { recordBackup } from './tar-backup.ts';
import { BACKUP_JOB, GROUP, RESTORE_JOB, TAR_RUN, TAR_STRATEGY, TarRunStatus } from './tar-objects.ts';
import { groupOf, type Task, taskOfBackup, taskOfRestore, waiting } from './tar-task.ts';

/** What an order needs next: its status, a write that was just done, or nothing. */
type Step = Told | WriteResult | undefined;

const CREATED = { phase: 'Running', reason: 'TarRunCreated', message: 'the TarRun was created' } as const;

function failed({ type }: Order, message: string): Told {
  return { phase: 'Failed', reason: type === RESTORE_JOB ? 'RestoreFailed' : 'BackupFailed', message };
}

function runName({ object, type }: Order): string {
  return `${object.metadata.name}-${type === RESTORE_JOB ? 'restore' : 'backup'}`;
}

function isControlled({ metadata }: KubeObject, uid: string | undefined): boolean {
  const { deletionTimestamp, ownerReferences = [] } = metadata;
  if (uid === undefined || deletionTimestamp !== undefined) return false;
  return ownerReferences.some((owner) => owner.controller === true && owner.uid === uid);
}

async function step(order: Order): Promise<Step> {
  const { uid, deletionTimestamp } = order.object.metadata;
  const { phase, reason, startedAt } = standing(order);
  if (deletionTimestamp !== undefined || !['', 'Pending', 'Running'].includes(phase)) return undefined;
  const run = await read(order, TAR_RUN, runName(order));
  if (run.state === 'failed') return undefined;
  if (run.state === 'found' && isControlled(run.object, uid)) return finish(order, run.object);
  if (run.state === 'missing' && reason === CREATED.reason)
    return failed(order, 'the TarRun vanished before its end was seen');
  const task = await (order.type === RESTORE_JOB ? taskOfRestore(order) : taskOfBackup(order));
  if (task === undefined || 'phase' in task) return task;
  const { kind } = task.strategyRef;
  if (kind !== TAR_STRATEGY.kind) return failed(order, `${kind} is not supported; TarStrategy is`);
  if (startedAt === undefined) return { ...CREATED, reason: 'Starting', message: 'inputs are read' };
  if (run.state === 'missing') return start(order, task);
  const message = `TarRun ${runName(order)} belongs to somebody else`;
  if (run.object.metadata.deletionTimestamp === undefined) return failed(order, message);
  return waiting(order, startedAt, { reason: 'NameConflict', message });
}

/** The TarRun carries everything that it was made of. */
async function start(order: Order, task: Task): Promise<Step> {
  const { store, object } = order;
  const { namespace = '', name, uid = '' } = object.metadata;
  const { apiGroup, kind, name: application } = task.application;
  const strategy = await read(order, TAR_STRATEGY, task.strategyRef.name);
  const found = await store.find({ group: groupOf(apiGroup), kind, namespace, name: application });
  if (strategy.state === 'failed' || found.state === 'failed') return undefined;
  const since = standing(order).startedAt;
  if (strategy.state === 'missing') {
    const message = `TarStrategy ${task.strategyRef.name} does not exist`;
    return waiting(order, since, { reason: 'StrategyNotReady', message });
  }
  if (found.state !== 'found') {
    const message = `${kind} ${application} does not exist`;
    return waiting(order, since, { reason: 'ApplicationNotReady', message });
  }
  const owner = { apiVersion: object.apiVersion, kind: object.kind, name, uid, controller: true };
  const created = await store.create(TAR_RUN, {
    apiVersion: `${GROUP}/v1`,
    kind: TAR_RUN.kind,
    metadata: { name: runName(order), namespace, ownerReferences: [owner] },
    spec: { ...(task as JsonObject), strategy: strategy.object.spec ?? {} },
  });
  return !created.ok && created.failure.kind === 'invalid' ? failed(order, created.failure.message) : created;
}

/** From here on only the TarRun counts. */
async function finish(order: Order, run: KubeObject): Promise<Step> {
  const { phase, message = 'the TarRun failed', completedAt } = TarRunStatus.parse(run.status ?? {});
  if (phase === 'Failed') return failed(order, message);
  if (phase === undefined || completedAt === undefined) return CREATED;
  if (order.type === RESTORE_JOB)
    return { phase: 'Succeeded', reason: 'RestoreCompleted', message: 'it was restored' };
  const recorded = await recordBackup(order, run);
  if (recorded === undefined || 'ok' in recorded) return recorded;
  if (recorded.state === 'taken') return failed(order, recorded.message);
  const { name } = order.object.metadata;
  return { phase: 'Succeeded', reason: 'BackupCompleted', message: `Backup ${name} was taken`, backup: name };
}

/** Writes from the first look to the end of an order. */
const MOST_WRITES = 6;

/** Write by write, as long as something changes; what went wrong is left to the next pass. */
async function carryOut(first: Order): Promise<void> {
  let order = first;
  for (let writes = 0; writes < MOST_WRITES; writes += 1) {
    const next = await step(order);
    if (next === undefined) return;
    const written = 'ok' in next ? next : await tell(order, next);
    if (!written.ok) return;
    if ('ok' in next) continue;
    const { uid, resourceVersion } = order.object.metadata;
    const { metadata } = written.object;
    if (metadata.uid !== uid || metadata.resourceVersion === resourceVersion) return;
    order = { ...order, object: written.object };
  }
}

/** One pass over every order. */
export async function driveTar(store: Store, now: string): Promise<void> {
  for (const type of [BACKUP_JOB, RESTORE_JOB]) {
    const listing = await store.list(type);
    if (listing.state !== 'read') continue;
    for (const { object } of listing.objects) await carryOut({ store, type, object, now });
  }
}
