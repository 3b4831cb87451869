import { keyOf } from '#core/object/key.ts';
import type { Json, KubeObject, ObjectKey } from '#core/object/object.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';
import type { Beginning } from './arbitraries.ts';
import {
  claimObject,
  type Defaults,
  policyObject,
  type Recipe,
  repositoryObject,
  scheduleObject,
  scheduleSpec,
  type Timetable,
  timeText,
} from './objects.ts';
import type { Authors } from './scene.ts';

/** A cluster with what its authors meant. */
export interface Cluster extends Authors {
  readonly store: MemoryStore;
  readonly timetables: Map<string, Timetable>;
  readonly recipes: Map<string, Recipe>;
  readonly leaving: Set<string>;
  readonly defaults: Map<string, Defaults>;
  readonly claims: Map<string, string>;
  now: Instant;
  born: number;
}

export function newCluster(beginning: Beginning, start: Instant): Cluster {
  const cluster: Cluster = {
    store: memoryStore({ now: start }),
    timetables: new Map(),
    recipes: new Map(),
    leaving: new Set(),
    defaults: new Map(),
    claims: new Map(),
    now: start,
    born: 0,
  };
  for (const [name, defaults] of Object.entries(beginning.defaults)) setRepository(cluster, name, defaults);
  for (const [name, disk] of Object.entries(beginning.claims)) setClaim(cluster, name, disk);
  for (const [name, recipe] of Object.entries(beginning.recipes)) setPolicy(cluster, name, recipe);
  for (const timetable of beginning.timetables) plantSchedule(cluster, timetable);
  return cluster;
}

/** A copy that later acts leave alone. */
export function authorsOf({ timetables, recipes, leaving, defaults, claims }: Cluster): Authors {
  return {
    timetables: new Map(timetables),
    recipes: new Map(recipes),
    leaving: new Set(leaving),
    defaults: new Map(defaults),
    claims: new Map(claims),
  };
}

export function objectNamed({ store }: Cluster, kind: string, name: string): KubeObject | undefined {
  return store.objects().find((one) => one.kind === kind && one.metadata.name === name);
}

/** Replaces what an author applied, under a new generation, or applies it for the first time. */
function apply(cluster: Cluster, object: KubeObject): void {
  const { store } = cluster;
  const before = objectNamed(cluster, object.kind, object.metadata.name);
  if (before === undefined) {
    cluster.born += 1;
    const uid = `${object.metadata.uid}-${cluster.born}`;
    store.put({ ...object, metadata: { ...object.metadata, uid } });
    return;
  }
  store.edit(keyOf(before), (old) => {
    const { labels: _labels, ...metadata } = old.metadata;
    const { labels } = object.metadata;
    const generation = (old.metadata.generation ?? 0) + 1;
    return {
      ...old,
      ...(object.spec === undefined ? {} : { spec: object.spec }),
      metadata: { ...metadata, generation, ...(labels === undefined ? {} : { labels }) },
    };
  });
}

export function removeNamed(cluster: Cluster, kind: string, name: string): void {
  const object = objectNamed(cluster, kind, name);
  if (object !== undefined) cluster.store.remove(keyOf(object));
}

/** A schedule as its author applies it: a uid of its own, created now, without a status. */
function plantSchedule(cluster: Cluster, timetable: Timetable): void {
  cluster.born += 1;
  const uid = `uid-${timetable.name}-${cluster.born}`;
  cluster.store.put(scheduleObject(timetable, uid, cluster.now));
  cluster.timetables.set(uid, timetable);
}

export function editSchedule(cluster: Cluster, uid: string, change: Partial<Timetable>): void {
  const before = cluster.timetables.get(uid);
  const object = cluster.store.objects().find(({ metadata }) => metadata.uid === uid);
  if (before === undefined || object === undefined) return;
  const after = { ...before, ...change };
  cluster.timetables.set(uid, after);
  cluster.store.edit(keyOf(object), (old) => {
    const generation = (old.metadata.generation ?? 0) + 1;
    return { ...old, metadata: { ...old.metadata, generation }, spec: scheduleSpec(after) };
  });
}

/** Deleted and applied anew: its runs stay (D2), and belong to nobody who is there. */
export function recreateSchedule(cluster: Cluster, uid: string): void {
  const timetable = cluster.timetables.get(uid);
  if (timetable === undefined) return;
  removeNamed(cluster, 'SnapshotSchedule', timetable.name);
  cluster.timetables.delete(uid);
  plantSchedule(cluster, timetable);
}

export function setPolicy(cluster: Cluster, name: string, recipe: Recipe): void {
  if (cluster.leaving.has(name)) return;
  cluster.recipes.set(name, recipe);
  apply(cluster, policyObject(name, recipe));
}

/** A finalizer may hold it back; the second try removes it all the same. */
export function dropPolicy(cluster: Cluster, name: string, held: boolean): void {
  const object = objectNamed(cluster, 'SnapshotPolicy', name);
  if (object === undefined) return;
  if (held && !cluster.leaving.has(name)) {
    cluster.leaving.add(name);
    const deletionTimestamp = timeText(cluster.now);
    cluster.store.edit(keyOf(object), (old) => ({
      ...old,
      metadata: { ...old.metadata, deletionTimestamp, finalizers: ['example.org/hold'] },
    }));
    return;
  }
  cluster.leaving.delete(name);
  cluster.recipes.delete(name);
  cluster.store.remove(keyOf(object));
}

export function setRepository(cluster: Cluster, name: string, defaults: Defaults): void {
  cluster.defaults.set(name, defaults);
  apply(cluster, repositoryObject(name, defaults));
}

export function dropRepository(cluster: Cluster, name: string): void {
  cluster.defaults.delete(name);
  removeNamed(cluster, 'Repository', name);
}

export function setClaim(cluster: Cluster, name: string, disk: string): void {
  cluster.claims.set(name, disk);
  apply(cluster, claimObject(name, disk));
}

export function dropClaim(cluster: Cluster, name: string): void {
  cluster.claims.delete(name);
  removeNamed(cluster, 'PersistentVolumeClaim', name);
}

export function setStatus({ store }: Cluster, run: KubeObject, status: Json): void {
  store.edit(keyOf(run), (old) => ({ ...old, status }));
}

/** What a tick created was created now; the store of the tests knows one time only. */
export function dateCreated({ store, now }: Cluster, key: ObjectKey): void {
  const creationTimestamp = timeText(now);
  const isThere = store
    .objects()
    .some(({ kind, metadata }) => kind === key.kind && metadata.name === key.name);
  if (!isThere) return;
  store.edit(key, (old) => ({ ...old, metadata: { ...old.metadata, creationTimestamp } }));
}

export function advance(cluster: Cluster, seconds: number): void {
  cluster.now = instant(cluster.now + seconds);
}

export function isSnapshot({ kind }: KubeObject): boolean {
  return kind === 'Snapshot';
}
