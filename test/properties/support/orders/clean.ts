import type { ChangeSet } from '#core/change/change-set.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { controllerUid } from '#test/properties/support/cluster.ts';
import { isTerminating, member } from '#test/properties/support/expected.ts';
import { demand } from '#test/properties/support/ledger.ts';
import { isBackup, isOrder } from './cluster.ts';
import { type Fate, fateOf, phaseOf, readyReason } from './expected.ts';
import { type OrderRecord, sceneOf } from './ledger.ts';

/** Nothing is said of orders in these states, unless something is written for them. */
const SILENT: readonly string[] = ['finished', 'foreign', 'deleting'];

const CLEANUP = 'backups.cozystack.io/cleanup';

function madeFor({ writes }: OrderRecord, order: KubeObject, kind: string): number {
  const { name, namespace, uid } = order.metadata;
  return writes.filter(
    ({ verb, result, key, object }) =>
      verb === 'create' &&
      result === 'done' &&
      key.kind === kind &&
      key.namespace === namespace &&
      (kind === 'Backup' ? key.name === name : object !== undefined && controllerUid(object) === uid),
  ).length;
}

function checkStatus(
  record: OrderRecord,
  { after, order }: { readonly after: KubeObject; readonly order: KubeObject },
  { phase, reason }: Fate,
  told: string,
): void {
  demand(phaseOf(after) === phase, `${told}: phase ${String(phaseOf(after))} where ${phase} is right`);
  const given = readyReason(after);
  demand(given === reason, `${told}: ${String(given)} where ${reason} is right`);
  if (phase !== 'Succeeded' || order.kind !== 'BackupJob') return;
  const backup = member(member(after.status, 'backupRef'), 'name');
  demand(backup === order.metadata.name, `${told}: it points to Backup ${String(backup)}`);
  checkRestorePoint(record, order, told);
}

function checkOrder(record: OrderRecord, works: ChangeSet['works'], order: KubeObject): void {
  const { kind, metadata } = order;
  const told = `${kind} ${metadata.namespace}/${metadata.name}`;
  const fate = fateOf(sceneOf(record, order));
  const work = works.find(({ key }) => keyId(key) === keyId(keyOf(order)));
  const said = SILENT.includes(fate.state) ? undefined : fate.state;
  demand(work?.state === said, `${told}: ${work?.state} where ${fate.state} is right`);
  const after = record.after.find((one) => isOrder(one) && one.metadata.uid === metadata.uid);
  if (fate.state === 'releasing') {
    const left = after?.metadata.finalizers ?? [];
    demand(!left.includes(CLEANUP), `${told}: it was not freed`);
    return;
  }
  if (after === undefined) throw new Error(`${told} is gone`);
  if (fate.phase === undefined) demand(after === order, `${told}: it was touched`);
  else checkStatus(record, { after, order }, fate, told);
  const jobs = madeFor(record, order, 'Job');
  demand(jobs === (fate.starts === true ? 1 : 0), `${told}: ${jobs} Jobs were started`);
  const backups = madeFor(record, order, 'Backup');
  demand(backups === (fate.keeps === true ? 1 : 0), `${told}: ${backups} Backups were recorded`);
}

/** Restore points go by nobody's hand here; one that is being deleted is freed, and else they stay as they are. */
function checkBackups(record: OrderRecord): void {
  for (const backup of record.before.filter(isBackup)) {
    const { name, uid } = backup.metadata;
    const after = record.after.find((one) => isBackup(one) && one.metadata.uid === uid);
    const waits = isTerminating(backup) && (backup.metadata.finalizers ?? []).includes(CLEANUP);
    if (waits) demand(!(after?.metadata.finalizers ?? []).includes(CLEANUP), `Backup ${name} was not freed`);
    else demand(after === backup || phaseOf(backup) === undefined, `Backup ${name} was touched`);
  }
}

/** What a BackupJob points to once it succeeded can be restored from, unless somebody else has spoilt it. */
function checkRestorePoint(record: OrderRecord, order: KubeObject, told: string): void {
  const { name, namespace } = order.metadata;
  const backup = record.after.find(
    (one) => isBackup(one) && one.metadata.name === name && one.metadata.namespace === namespace,
  );
  const phase = backup === undefined ? undefined : phaseOf(backup);
  demand(phase === 'Ready' || phase === 'Failed', `${told}: its Backup is ${String(phase)}`);
}

/** What an undisturbed tick owes every order: started, followed, ended and told by what stands there. */
export function checkOrders(record: OrderRecord, { works }: Pick<ChangeSet, 'works'>): void {
  for (const order of record.before.filter(isOrder)) checkOrder(record, works, order);
  checkBackups(record);
}

/** What may be left for the next tick: orders that are new, and those that waited for a Backup of this one. */
export function checkOrdersIdle(record: OrderRecord, { works }: Pick<ChangeSet, 'works'>): void {
  const known = new Set(record.before.filter(isOrder).map(({ metadata }) => metadata.uid));
  const isMoved = record.writes.some(({ key }) => key.kind === 'Backup');
  const left = works.find(
    ({ uid, key, changes }) => changes.length > 0 && known.has(uid) && !(isMoved && isOrder(key)),
  );
  demand(left === undefined, `an idle tick would ${left?.changes[0]?.verb} for ${left?.key.name}`);
}
