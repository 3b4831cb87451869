import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import {
  type Cluster as BaseCluster,
  controllerUid,
  isEnded,
  newCluster as newBaseCluster,
} from '#test/properties/support/cluster.ts';
import type { Timetable } from '#test/properties/support/timetable.ts';
import {
  applicationKey,
  applicationObject,
  type ClassDraft,
  classObject,
  GROUP,
  NAMESPACES,
  STRATEGIES,
  strategyObject,
} from './objects.ts';

/** What the authors meant at one instant; the model reads this and never the objects made from it. */
export interface Authors {
  readonly classes: ReadonlyMap<string, ClassDraft>;
  readonly strategies: ReadonlySet<string>;
  /** The namespaces that have the application. */
  readonly applications: ReadonlySet<string>;
}

export interface Cluster extends BaseCluster, Authors {
  readonly classes: Map<string, ClassDraft>;
  readonly strategies: Set<string>;
  readonly applications: Set<string>;
}

/** What there is when a history begins. */
export interface Beginning {
  readonly timetables: readonly Timetable[];
  readonly classes: Readonly<Record<string, ClassDraft>>;
}

export function newCluster({ timetables, classes }: Beginning, start: Instant): Cluster {
  const cluster: Cluster = {
    ...newBaseCluster(timetables, start),
    classes: new Map(),
    strategies: new Set(),
    applications: new Set(),
  };
  for (const [name, draft] of Object.entries(classes)) setClass(cluster, name, draft);
  for (const name of STRATEGIES) setStrategy(cluster, name);
  for (const namespace of NAMESPACES) setApplication(cluster, namespace);
  return cluster;
}

/** A copy that later acts leave alone. */
export function authorsOf({ classes, strategies, applications }: Cluster): Authors {
  return {
    classes: new Map(classes),
    strategies: new Set(strategies),
    applications: new Set(applications),
  };
}

export function find({ store }: BaseCluster, wanted: KubeObject): KubeObject | undefined {
  return store.objects().find((one) => keyId(keyOf(one)) === keyId(keyOf(wanted)));
}

/** Replaces the spec of what is there, or puts it there. */
function apply(cluster: BaseCluster, object: KubeObject): void {
  if (find(cluster, object) === undefined) plant(cluster, object);
  else cluster.store.edit(keyOf(object), (old) => ({ ...old, spec: object.spec ?? {} }));
}

/** A new object, as its author applies it. */
export function plant(cluster: BaseCluster, object: KubeObject): void {
  cluster.born += 1;
  const { kind, metadata } = object;
  const uid = `uid-${kind}-${metadata.name}-${cluster.born}`;
  const creationTimestamp = formatInstant(cluster.now);
  cluster.store.put({ ...object, metadata: { ...metadata, uid, creationTimestamp } });
}

export function setClass(cluster: Cluster, name: string, draft: ClassDraft): void {
  cluster.classes.set(name, draft);
  apply(cluster, classObject(name, draft));
}

export function setStrategy(cluster: Cluster, name: string): void {
  cluster.strategies.add(name);
  apply(cluster, strategyObject(name));
}

export function setApplication(cluster: Cluster, namespace: string): void {
  cluster.applications.add(namespace);
  apply(cluster, applicationObject(namespace));
}

export function dropClass(cluster: Cluster, name: string): void {
  if (!cluster.classes.delete(name)) return;
  cluster.store.remove({ group: GROUP, kind: 'BackupClass', namespace: '', name });
}

export function dropStrategy(cluster: Cluster, name: string): void {
  if (!cluster.strategies.delete(name)) return;
  cluster.store.remove(keyOf(strategyObject(name)));
}

export function dropApplication(cluster: Cluster, namespace: string): void {
  if (cluster.applications.delete(namespace)) cluster.store.remove(applicationKey(namespace));
}

export function isOrder({ kind }: Pick<KubeObject, 'kind'>): boolean {
  return kind === 'BackupJob' || kind === 'RestoreJob';
}

export function isBackup({ kind }: KubeObject): boolean {
  return kind === 'Backup';
}

const HOUR = 3600;

/**
 * What the garbage collector gets to, and what people clear away: objects whose controller is gone, and old restore
 * points.
 */
export function clearAway({ store, now }: Cluster, dice: number): void {
  const objects = store.objects();
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  let die = dice;
  for (const object of objects) {
    die = (Math.imul(die, 1_103_515_245) + 12_345) >>> 8;
    const isHeld = (object.metadata.finalizers ?? []).length > 0;
    const owner = controllerUid(object);
    const isOrphan = owner !== undefined && !uids.has(owner);
    const age = now - Date.parse(object.metadata.creationTimestamp ?? '') / 1000;
    const isOld = (isBackup(object) && age > HOUR) || (object.kind === 'RestoreJob' && isEnded(object));
    if (!isHeld && ((isOrphan && die % 2 === 0) || (isOld && die % 4 === 0))) store.remove(keyOf(object));
  }
}
