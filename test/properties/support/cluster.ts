import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';
import type { Asked } from './faulty-store.ts';
import { ownerReference, type Progress, runNameOf, runObject, runStatus } from './run-object.ts';
import type { Act } from './step.ts';
import { forKind, scheduleObject, specOf, type Timetable } from './timetable.ts';

/** A cluster with what the authors of its schedules meant. */
export interface Cluster {
  readonly store: MemoryStore;
  /** By the uid of the schedule. */
  readonly timetables: Map<string, Timetable>;
  now: Instant;
  born: number;
}

const HOUR = 3600;
const HAND = 'example.org/hold';

export function newCluster(timetables: readonly Timetable[], start: Instant): Cluster {
  const cluster: Cluster = { store: memoryStore({ now: start }), timetables: new Map(), now: start, born: 0 };
  for (const timetable of timetables) plant(cluster, timetable);
  return cluster;
}

/** A schedule as its author applies it: a uid of its own, created now, without a status. */
function plant(cluster: Cluster, timetable: Timetable): void {
  const { store } = cluster;
  const object = scheduleObject(timetable, cluster.now);
  cluster.born += 1;
  const uid = `${object.metadata.uid}-${cluster.born}`;
  store.put({ ...object, metadata: { ...object.metadata, uid } });
  cluster.timetables.set(uid, timetable);
}

function isRun({ kind }: KubeObject): boolean {
  return kind === 'Job' || kind === 'EtcdDefrag' || kind === 'BackupJob';
}

/** An order gets on by its driver, and by nobody else. */
function isOrder({ kind }: KubeObject): boolean {
  return kind === 'BackupJob';
}

export function controllerUid(object: KubeObject): string | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
}

function ownRuns(cluster: Cluster, objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter((object) => isRun(object) && cluster.timetables.has(controllerUid(object) ?? ''));
}

function pick<T>(list: readonly T[], index: number): T | undefined {
  return list.length === 0 ? undefined : list[index % list.length];
}

function progress(store: MemoryStore, run: KubeObject, to: Progress, at: number): void {
  if (isOrder(run) && to !== 'odd') return;
  const kind = run.kind === 'Job' ? 'CronJob' : isOrder(run) ? 'Plan' : 'EtcdDefragPolicy';
  const status = runStatus(kind, to, at);
  store.edit(keyOf(run), ({ status: _before, ...rest }) =>
    status === undefined ? rest : { ...rest, status },
  );
}

function editSchedule(cluster: Cluster, uid: string, change: Partial<Timetable>): void {
  const { store } = cluster;
  const before = cluster.timetables.get(uid);
  const object = store.objects().find(({ metadata }) => metadata.uid === uid);
  if (before === undefined || object === undefined) return;
  const edited: Timetable = { ...before, ...change };
  const after =
    before.kind === 'EtcdDefragPolicy' && change.concurrency === 'Replace'
      ? { ...edited, concurrency: 'Allow' as const }
      : before.kind === 'Plan'
        ? { ...forKind(edited), deadline: before.deadline }
        : edited;
  cluster.timetables.set(uid, after);
  store.edit(keyOf(object), (old) => {
    const generation = (old.metadata.generation ?? 0) + 1;
    return { ...old, metadata: { ...old.metadata, generation }, spec: specOf(after) };
  });
}

/** Deleted without its runs and applied anew: the runs that stay belong to nobody who is there. */
function recreate(cluster: Cluster, uid: string): void {
  const { store } = cluster;
  const timetable = cluster.timetables.get(uid);
  const object = store.objects().find(({ metadata }) => metadata.uid === uid);
  if (timetable === undefined || object === undefined) return;
  store.remove(keyOf(object));
  cluster.timetables.delete(uid);
  plant(cluster, timetable);
}

function actOnRun(store: MemoryStore, act: Act['act'], run: KubeObject, now: Instant): void {
  const isHeld = (run.metadata.finalizers ?? []).length > 0;
  switch (act) {
    case 'deleteRun':
      if (!isHeld) store.remove(keyOf(run));
      else {
        const deletionTimestamp = run.metadata.deletionTimestamp ?? formatInstant(now);
        store.edit(keyOf(run), (old) => ({ ...old, metadata: { ...old.metadata, deletionTimestamp } }));
      }
      break;
    case 'finishRun':
      progress(store, run, 'succeeded', now);
      break;
    case 'oddRun':
      progress(store, run, 'odd', now);
      break;
    case 'holdRun':
      store.edit(keyOf(run), (old) => ({ ...old, metadata: { ...old.metadata, finalizers: [HAND] } }));
      break;
    case 'releaseRun':
      if (run.metadata.deletionTimestamp !== undefined) store.remove(keyOf(run));
      else store.edit(keyOf(run), (old) => ({ ...old, metadata: { ...old.metadata, finalizers: [] } }));
      break;
    case 'edit':
    case 'recreate':
    case 'runByHand':
    case 'squat':
    case 'leave':
      break;
  }
}

function addRun(cluster: Cluster, uid: string, slotsAhead: number | undefined): void {
  const { store } = cluster;
  const timetable = cluster.timetables.get(uid);
  if (timetable === undefined || (timetable.kind !== 'CronJob' && slotsAhead === undefined)) return;
  const slot = Math.floor(cluster.now / 60) * 60 + (slotsAhead ?? 0) * 60;
  cluster.born += 1;
  const name =
    slotsAhead === undefined ? `${timetable.name}-by-hand-${cluster.born}` : runNameOf(timetable, slot);
  if (store.objects().some((one) => isRun(one) && one.metadata.name === name)) return;
  const run = runObject(timetable, {
    name,
    slot: undefined,
    owner: slotsAhead === undefined ? 'own' : 'none',
    manual: slotsAhead === undefined,
    created: cluster.now,
    progress: 'running',
    since: cluster.now,
    terminating: false,
  });
  const owner = slotsAhead === undefined ? { ownerReferences: [ownerReference(timetable, uid)] } : {};
  store.put({ ...run, metadata: { ...run.metadata, uid: `uid-outside-${cluster.born}`, ...owner } });
}

/** Somebody else's doing, now or in the middle of a tick. */
export function perform(cluster: Cluster, act: Act): void {
  const { store } = cluster;
  const uids = [...cluster.timetables.keys()];
  if ('run' in act) {
    const run = pick(ownRuns(cluster, store.objects()), act.run);
    // Nobody takes the end of a run back.
    const ended = run !== undefined && isEnded(run) && (act.act === 'finishRun' || act.act === 'oddRun');
    if (run !== undefined && !ended) actOnRun(store, act.act, run, cluster.now);
    return;
  }
  if (act.act === 'leave') {
    const strangers = store.objects().filter((one) => isRun(one) && controllerUid(one) === undefined);
    for (const stranger of strangers) store.remove(keyOf(stranger));
    return;
  }
  const uid = pick(uids, act.schedule);
  if (uid === undefined) return;
  if (act.act === 'edit') editSchedule(cluster, uid, act.change);
  if (act.act === 'recreate') recreate(cluster, uid);
  if (act.act === 'runByHand') addRun(cluster, uid, undefined);
  if (act.act === 'squat') addRun(cluster, uid, act.slotsAhead);
}

/** Whether a run has ended, read from the object itself. */
export function isEnded({ kind, status }: KubeObject): boolean {
  const text = JSON.stringify(status ?? {});
  return kind === 'Job'
    ? /"type":"(Complete|Failed)"/.test(text)
    : /"phase":"(Complete|Succeeded|Failed)"/.test(text);
}

function nextDie(die: number): number {
  return (Math.imul(die ^ 0x9e3779b9, 0x85ebca6b) ^ (die >>> 13)) >>> 0;
}

/** The runs get on: most end within minutes, some fail, some hang. What is old is cleared away by somebody. */
export function letTimePass(cluster: Cluster, dice: number): void {
  const { store } = cluster;
  let die = dice;
  for (const object of store.objects()) {
    const age = cluster.now - Date.parse(object.metadata.creationTimestamp ?? '') / 1000;
    if (object.kind === 'Event' && Math.abs(age) > HOUR) store.remove(keyOf(object));
    if (!isRun(object)) continue;
    die = nextDie(die);
    const chance = die % 100;
    if (isEnded(object)) {
      if (Math.abs(age) > 2 * HOUR && chance < 50) store.remove(keyOf(object));
    } else if (chance < 30) progress(store, object, 'succeeded', cluster.now - (die % 30));
    else if (chance < 40) progress(store, object, 'failed', cluster.now - (die % 30));
    else if (chance < 50) progress(store, object, 'running', cluster.now);
  }
}

/** What a tick created was created now; the store of the tests knows one time only. */
export function dateCreated({ store, now }: Cluster, key: ObjectKey): void {
  const creationTimestamp = formatInstant(now);
  if (!store.objects().some((object) => keyId(keyOf(object)) === keyId(key))) return;
  store.edit(key, (old) => ({ ...old, metadata: { ...old.metadata, creationTimestamp } }));
}

export function advance(cluster: Cluster, seconds: number): void {
  cluster.now = instant(cluster.now + seconds);
}

/** Somebody is faster: the run of the name is there before ours, by nobody or by an earlier, lost try of our own. */
export function takeName(cluster: Cluster, { object, key }: Asked, owner: 'none' | 'own'): boolean {
  if (object === undefined || cluster.store.objects().some((one) => keyId(keyOf(one)) === keyId(key)))
    return false;
  cluster.born += 1;
  const { ownerReferences: _owners, ...metadata } = object.metadata;
  const kept = owner === 'own' ? object.metadata : metadata;
  const creationTimestamp = formatInstant(cluster.now);
  cluster.store.put({
    ...object,
    metadata: { ...kept, uid: `uid-faster-${cluster.born}`, creationTimestamp },
  });
  return true;
}

/** @returns whether the run was still at work */
export function endRun({ store, now }: Cluster, key: ObjectKey): boolean {
  const run = store.objects().find((object) => keyId(keyOf(object)) === keyId(key));
  if (run === undefined || isEnded(run)) return false;
  progress(store, run, 'succeeded', now);
  return true;
}
