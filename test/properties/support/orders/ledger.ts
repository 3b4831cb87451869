import type { KubeObject } from '#core/object/object.ts';
import { controllerUid } from '#test/properties/support/cluster.ts';
import { isTerminating, member } from '#test/properties/support/expected.ts';
import type { Write } from '#test/properties/support/faulty-store.ts';
import { demand, type TickRecord } from '#test/properties/support/ledger.ts';
import { type Authors, isOrder } from './cluster.ts';
import {
  classOfOrder,
  isOver,
  isRecorded,
  jobEnd,
  ownJob,
  phaseOf,
  type Scene,
  sourceOf,
  takenBy,
} from './expected.ts';
import { jobNameOf } from './perform.ts';

/** One tick as it looked from outside; the writes are those for orders alone. */
export interface OrderRecord extends TickRecord {
  readonly authors: Authors;
}

interface Started {
  readonly job: string;
  /** A status tells of the Job: nothing excuses a second one. */
  told: boolean;
}

/** What a Job was made from. */
interface Pinned {
  readonly strategy: unknown;
  readonly bucket: unknown;
}

/** What is remembered over the whole history. */
export interface OrderLedger {
  /** By the uid of the order. */
  readonly started: Map<string, Started[]>;
  /** By the uid of the Job. */
  readonly pinned: Map<string, Pinned>;
  /** Restore points that were recorded. */
  backups: number;
  /** Orders that ended, by phase. */
  readonly ended: Map<string, number>;
}

export function newOrderLedger(): OrderLedger {
  return { started: new Map(), pinned: new Map(), backups: 0, ended: new Map() };
}

const PINNED = 'minutehand.dev/pinned-strategy';
const OWNER_MARK = 'minutehand.dev/owner-uid';

/** The writes of a tick for its orders; all others are for schedules. */
export function isForOrder({ verb, key, object }: Write): boolean {
  if (key.kind === 'Backup' || key.kind === 'RestoreJob') return verb !== 'delete';
  if (key.kind === 'BackupJob') return verb !== 'create' && verb !== 'delete';
  const owner = object?.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return key.kind === 'Job' && (owner?.kind === 'BackupJob' || owner?.kind === 'RestoreJob');
}

function orderWith({ before }: OrderRecord, uid: string | undefined): KubeObject | undefined {
  return before.find((one) => isOrder(one) && one.metadata.uid === uid);
}

export function sceneOf({ before, authors, now }: OrderRecord, order: KubeObject): Scene {
  return { order, authors, objects: before, now };
}

function pinnedOf(job: KubeObject): Pinned {
  const text = job.metadata.annotations?.[PINNED] ?? '{}';
  const pinned: unknown = JSON.parse(text);
  return {
    strategy: member(member(pinned, 'strategyRef'), 'name'),
    bucket: member(member(pinned, 'parameters'), 'bucket'),
  };
}

function samePinned(a: Pinned, b: Pinned): boolean {
  return a.strategy === b.strategy && a.bucket === b.bucket;
}

/** What stands in the class, or in the Backup, as the tick read it. */
function wantedOf(scene: Scene): Pinned | undefined {
  if (scene.order.kind === 'BackupJob') return classOfOrder(scene);
  const backup = sourceOf(scene);
  return backup === undefined ? undefined : takenBy(backup);
}

/** A second Job needs that the first is gone, and that no status told of it. */
function checkJob(record: OrderRecord, ledger: OrderLedger, job: KubeObject): void {
  const { name } = job.metadata;
  const uid = controllerUid(job) ?? '';
  const order = orderWith(record, uid);
  if (order === undefined) throw new Error(`Job ${name} was started for no order`);
  demand(name === jobNameOf(order), `Job ${name} is not named after its order`);
  demand(!isTerminating(order), `Job ${name} was started for an order that is being deleted`);
  demand(!isOver(order), `Job ${name} was started for an order that is over`);
  const scene = sceneOf(record, order);
  const wanted = wantedOf(scene);
  const pinned = pinnedOf(job);
  demand(wanted !== undefined && samePinned(wanted, pinned), `Job ${name} was made from something else`);
  demand(ownJob(scene) === undefined, `Job ${name} was started beside itself`);
  const earlier = ledger.started.get(uid) ?? [];
  for (const { job: other, told } of earlier) {
    demand(!told, `Job ${name} was started a second time`);
    demand(!record.before.some(({ metadata }) => metadata.uid === other), `Job ${name} was started twice`);
  }
  const made = record.after.find(
    ({ kind, metadata }) =>
      kind === 'Job' && metadata.name === name && metadata.namespace === job.metadata.namespace,
  );
  const job_ = made?.metadata.uid ?? 'gone';
  ledger.started.set(uid, [...earlier, { job: job_, told: false }]);
  ledger.pinned.set(job_, pinned);
}

/** The record of a restore point tells what really ran, and outlives everything. */
function checkBackup(record: OrderRecord, ledger: OrderLedger, backup: KubeObject): void {
  const { name, annotations, ownerReferences, labels } = backup.metadata;
  const order = orderWith(record, annotations?.[OWNER_MARK]);
  if (order === undefined) throw new Error(`Backup ${name} is of no order`);
  demand(name === order.metadata.name, `Backup ${name} is not named after its order`);
  demand(ownerReferences === undefined, `Backup ${name} has an owner`);
  demand(!isOver(order), `Backup ${name} is of an order that is over`);
  const job = ownJob(sceneOf(record, order));
  if (job === undefined || jobEnd(job) !== 'Complete')
    throw new Error(`Backup ${name} was recorded before its Job was done`);
  const done = member(job.status, 'completionTime');
  demand(member(backup.spec, 'takenAt') === done, `Backup ${name} does not say when it was taken`);
  const plan = member(member(order.spec, 'planRef'), 'name');
  demand(labels?.['backups.cozystack.io/plan'] === plan, `Backup ${name} is of another Plan`);
  const pinned = ledger.pinned.get(job.metadata.uid ?? '');
  // Of a Job that somebody faster made nothing is remembered.
  if (pinned !== undefined)
    demand(samePinned(pinned, takenBy(backup)), `Backup ${name} does not tell what ran`);
  ledger.backups += 1;
}

function checkPhase(record: OrderRecord, ledger: OrderLedger, write: Write): void {
  const { key, live, fields, uid } = write;
  const order = orderWith(record, uid);
  if (order === undefined || live === undefined) throw new Error(`${key.name} was written unseen`);
  demand(!isOver(live), `${key.kind} ${key.name} was over and was written`);
  const phase = member(fields, 'phase');
  const told = String(member(fields, 'message') ?? '');
  if (phase === 'Pending')
    demand(phaseOf(live) !== 'Running', `${key.kind} ${key.name} went back to Pending`);
  if (phase === 'Succeeded') checkSuccess(record, order);
  if (phase === 'Failed') demand(told !== '', `${key.kind} ${key.name} failed without a word`);
  if (phase === 'Succeeded' || phase === 'Failed') {
    demand(member(fields, 'completedAt') !== undefined, `${key.name} ended at no time`);
    ledger.ended.set(phase, (ledger.ended.get(phase) ?? 0) + 1);
  }
  const isTold = isRecorded({ ...order, status: { ...(fields ?? {}) } });
  for (const one of ledger.started.get(uid ?? '') ?? []) if (isTold) one.told = true;
}

function checkSuccess(record: OrderRecord, order: KubeObject): void {
  const { name, uid, namespace } = order.metadata;
  const job = ownJob(sceneOf(record, order));
  demand(job !== undefined && jobEnd(job) === 'Complete', `${name} succeeded without its Job`);
  if (order.kind !== 'BackupJob') return;
  const made = [...record.writes].some(
    ({ verb, result, key }) => verb === 'create' && result === 'done' && key.name === name,
  );
  const there = [...record.before, ...record.after].some(
    ({ kind, metadata }) =>
      kind === 'Backup' &&
      metadata.name === name &&
      metadata.namespace === namespace &&
      metadata.annotations?.[OWNER_MARK] === uid,
  );
  demand(made || there, `${name} succeeded without a restore point`);
}

function checkRelease(record: OrderRecord, { key, live }: Write): void {
  demand(live !== undefined && isTerminating(live), `${key.name} was freed though nobody deletes it`);
  const left = record.before.find(({ metadata }) => metadata.uid === live?.metadata.uid);
  const others = (left?.metadata.finalizers ?? []).filter((one) => one === 'example.org/hold');
  const after = record.after.find(({ metadata }) => metadata.uid === live?.metadata.uid);
  demand(others.length === 0 || after !== undefined, `${key.name} was freed of somebody else's finalizer`);
}

/** Where a status was lost nothing is told any more. */
function forget(record: OrderRecord, ledger: OrderLedger): void {
  for (const order of record.before.filter(isOrder)) {
    if (phaseOf(order) !== undefined) continue;
    for (const one of ledger.started.get(order.metadata.uid ?? '') ?? []) one.told = false;
  }
}

/** What holds for every write for an order, whatever went wrong around it. */
export function checkOrderWrites(record: OrderRecord, ledger: OrderLedger): void {
  forget(record, ledger);
  for (const write of record.writes) {
    const { verb, key, object, result } = write;
    if (result !== 'done') continue;
    if (verb === 'create' && object !== undefined && key.kind === 'Job') checkJob(record, ledger, object);
    if (verb === 'create' && object !== undefined && key.kind === 'Backup')
      checkBackup(record, ledger, object);
    if (verb === 'apply' && key.kind !== 'Backup') checkPhase(record, ledger, write);
    if (verb === 'release') checkRelease(record, write);
  }
}
