import { keyOf } from '#core/object/key.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { formatInstant } from '#core/time/instant.ts';
import { controllerUid, endRun, isEnded, perform as performOther } from '#test/properties/support/cluster.ts';
import { runStatus } from '#test/properties/support/run-object.ts';
import {
  type Cluster,
  dropApplication,
  dropClass,
  dropStrategy,
  find,
  isBackup,
  isOrder,
  plant,
  setApplication,
  setClass,
  setStrategy,
} from './cluster.ts';
import { backupJobObject, GROUP, restoreJobObject } from './objects.ts';
import type { OrderAct } from './step.ts';

const CLEANUP = `${GROUP}/cleanup`;
const HAND = 'example.org/hold';

type OnOrder = Extract<OrderAct, { readonly order: number }>;
type OnBackup = Extract<OrderAct, { readonly backup: number; readonly act: string; readonly name?: never }>;

function pick<T>(list: readonly T[], index: number): T | undefined {
  return list.length === 0 ? undefined : list[index % list.length];
}

export function jobNameOf({ kind, metadata }: KubeObject): string {
  return `${metadata.name}${kind === 'BackupJob' ? '-backup' : '-restore'}`;
}

/** The Job under the name of an order's, whoever controls it. */
export function jobOf(objects: readonly KubeObject[], order: KubeObject): KubeObject | undefined {
  const name = jobNameOf(order);
  return objects.find(
    ({ kind, metadata }) =>
      kind === 'Job' && metadata.name === name && metadata.namespace === order.metadata.namespace,
  );
}

function setStatus({ store }: Cluster, object: KubeObject, status: Json | undefined): void {
  store.edit(keyOf(object), ({ status: _before, ...rest }) =>
    status === undefined ? rest : { ...rest, status },
  );
}

/** As a server deletes: at once, or by a mark that waits for finalizers. */
function removeOr(cluster: Cluster, object: KubeObject, finalizers: readonly string[]): void {
  const { store, now } = cluster;
  const carried = [...(object.metadata.finalizers ?? []), ...finalizers];
  if (carried.length === 0) store.remove(keyOf(object));
  else {
    const deletionTimestamp = object.metadata.deletionTimestamp ?? formatInstant(now);
    store.edit(keyOf(object), (old) => ({
      ...old,
      metadata: { ...old.metadata, deletionTimestamp, finalizers: [...new Set(carried)] },
    }));
  }
}

function actOnOrder(cluster: Cluster, { act }: OnOrder, order: KubeObject): void {
  const job = jobOf(cluster.store.objects(), order);
  const isOwn = job !== undefined && controllerUid(job) === order.metadata.uid;
  switch (act) {
    case 'deleteOrder':
      removeOr(cluster, order, order.kind === 'RestoreJob' ? [CLEANUP] : []);
      break;
    case 'loseOrderStatus':
      setStatus(cluster, order, undefined);
      break;
    case 'oddOrder':
      if (!isEnded(order)) setStatus(cluster, order, { phase: 'Verifying' });
      break;
    case 'endWell':
      if (isOwn) endRun(cluster, keyOf(job));
      break;
    case 'endBadly':
      if (isOwn && !isEnded(job)) setStatus(cluster, job, runStatus('CronJob', 'failed', cluster.now));
      break;
    case 'deleteJob':
      if (job !== undefined) cluster.store.remove(keyOf(job));
      break;
    case 'squatJob':
      if (job === undefined) plant(cluster, strangerJob(order));
      break;
  }
}

function strangerJob(order: KubeObject): KubeObject {
  const { namespace = '' } = order.metadata;
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: jobNameOf(order), namespace }, spec: {} };
}

function actOnBackup(cluster: Cluster, { act }: OnBackup, backup: KubeObject): void {
  switch (act) {
    case 'deleteBackup':
      removeOr(cluster, backup, []);
      break;
    case 'cleanBackup':
      removeOr(cluster, backup, [CLEANUP]);
      break;
    case 'holdBackup':
      removeOr(cluster, backup, [HAND]);
      break;
    case 'failBackup':
      setStatus(cluster, backup, { phase: 'Failed' });
      break;
    case 'releaseBackup':
      if (backup.metadata.deletionTimestamp !== undefined) cluster.store.remove(keyOf(backup));
      break;
  }
}

function restore(cluster: Cluster, { namespace, name, backup }: Extract<OrderAct, { act: 'restore' }>): void {
  const here = cluster.store.objects().filter((one) => isBackup(one) && one.metadata.namespace === namespace);
  const source = pick(here, backup)?.metadata.name ?? 'never-taken';
  const order = restoreJobObject(namespace, name, source);
  if (find(cluster, order) === undefined) plant(cluster, order);
}

function planAt({ store }: Cluster, index: number): KubeObject | undefined {
  return pick(
    store.objects().filter(({ kind }) => kind === 'Plan'),
    index,
  );
}

function newestRun({ store }: Cluster, plan: KubeObject): KubeObject | undefined {
  const runs = store.objects().filter((one) => controllerUid(one) === plan.metadata.uid);
  return runs.findLast((run) => !isEnded(run));
}

function losePlanStatus(cluster: Cluster, { act, schedule }: Extract<OrderAct, { schedule: number }>): void {
  const plan = planAt(cluster, schedule);
  if (plan === undefined) return;
  setStatus(cluster, plan, undefined);
  const run = act === 'haltRun' ? newestRun(cluster, plan) : undefined;
  if (run !== undefined) removeOr(cluster, run, [HAND]);
}

/** Somebody else's doing, now or in the middle of a tick. */
export function perform(cluster: Cluster, act: OrderAct): void {
  switch (act.act) {
    case 'setClass':
      setClass(cluster, act.name, act.draft);
      break;
    case 'dropClass':
      dropClass(cluster, act.name);
      break;
    case 'setStrategy':
      setStrategy(cluster, act.name);
      break;
    case 'dropStrategy':
      dropStrategy(cluster, act.name);
      break;
    case 'setApplication':
      setApplication(cluster, act.namespace);
      break;
    case 'dropApplication':
      dropApplication(cluster, act.namespace);
      break;
    case 'orderByHand': {
      const order = backupJobObject(act.namespace, act.name, act.backupClass);
      if (find(cluster, order) === undefined) plant(cluster, order);
      break;
    }
    case 'restore':
      restore(cluster, act);
      break;
    case 'losePlanStatus':
    case 'haltRun':
      losePlanStatus(cluster, act);
      break;
    case 'other':
      performOther(cluster, act.other);
      break;
    default:
      performOnObject(cluster, act);
  }
}

function performOnObject(cluster: Cluster, act: OnOrder | OnBackup): void {
  const objects = cluster.store.objects();
  if ('order' in act) {
    const order = pick(objects.filter(isOrder), act.order);
    if (order !== undefined) actOnOrder(cluster, act, order);
    return;
  }
  const backup = pick(objects.filter(isBackup), act.backup);
  if (backup !== undefined) actOnBackup(cluster, act, backup);
}
