import { keyOf } from '#core/object/key.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { type Cluster, isSnapshot, objectNamed, removeNamed, setStatus } from './cluster.ts';
import { jobObject, timeText } from './objects.ts';
import { isTerminating, isUnfinished, phaseOf } from './scene.ts';

/* The operator that carries Snapshots out, and whoever clears away what is old. */

export const FINALIZER = 'kopiur.home-operations.com/snapshot-cleanup';
const HOUR = 3600;

function parked(): Json {
  return {
    phase: 'Pending',
    conditions: [{ type: 'RepositorySlotAvailable', status: 'False', reason: 'WaitingForSlot' }],
  };
}

/** How far a run comes. */
export type Progress =
  | 'pending'
  | 'parked'
  | 'running'
  | 'succeeded'
  | 'unchanged'
  | 'failed'
  | 'committed'
  | 'odd';

export function statusOf(progress: Progress, at: number): Json {
  const timing = { endTime: timeText(at) };
  switch (progress) {
    case 'pending':
      return { phase: 'Pending' };
    case 'parked':
      return parked();
    case 'running':
      return { phase: 'Running' };
    case 'succeeded':
      return { phase: 'Succeeded', timing, snapshot: { kopiaSnapshotID: 'k1' } };
    case 'unchanged':
      return { phase: 'Unchanged', timing };
    case 'failed':
      return { phase: 'Failed', timing };
    case 'committed':
      return { phase: 'Failed', timing, snapshot: { kopiaSnapshotID: 'k2' } };
    case 'odd':
      return { phase: 'Verifying' };
  }
}

/** A run at work has a Job of its name; one that ended, or that never began, has none. */
export function move(cluster: Cluster, run: KubeObject, progress: Progress, at: number = cluster.now): void {
  setStatus(cluster, run, statusOf(progress, at));
  const job = objectNamed(cluster, 'Job', run.metadata.name);
  if (progress === 'running' && job === undefined) cluster.store.put(jobObject(run));
  if (progress !== 'running' && job !== undefined) cluster.store.remove(keyOf(job));
}

/** Gone at once, with what it controls. */
export function vanish(cluster: Cluster, run: KubeObject): void {
  const job = objectNamed(cluster, 'Job', run.metadata.name);
  if (job?.metadata.ownerReferences?.[0]?.uid === run.metadata.uid)
    removeNamed(cluster, 'Job', run.metadata.name);
  cluster.store.remove(keyOf(run));
}

/** Somebody deletes it: at once, or as soon as its finalizer is gone. */
export function deleteRun(cluster: Cluster, run: KubeObject): void {
  if ((run.metadata.finalizers ?? []).length === 0) {
    vanish(cluster, run);
    return;
  }
  const deletionTimestamp = run.metadata.deletionTimestamp ?? timeText(cluster.now);
  cluster.store.edit(keyOf(run), (old) => ({ ...old, metadata: { ...old.metadata, deletionTimestamp } }));
}

export function setFinalizers({ store }: Cluster, run: KubeObject, finalizers: readonly string[]): void {
  store.edit(keyOf(run), (old) => ({ ...old, metadata: { ...old.metadata, finalizers } }));
}

function nextDie(die: number): number {
  return (Math.imul(die ^ 0x9e3779b9, 0x85ebca6b) ^ (die >>> 13)) >>> 0;
}

/** By hundredths: what an unfinished run does next. */
const FATES: readonly (readonly [below: number, progress: Progress])[] = [
  [14, 'succeeded'],
  [20, 'unchanged'],
  [32, 'failed'],
  [35, 'committed'],
  [50, 'running'],
  [55, 'pending'],
  [59, 'parked'],
  [61, 'odd'],
];

function carryOn(cluster: Cluster, run: KubeObject, die: number): void {
  const chance = die % 100;
  if (isTerminating(run)) {
    if (chance < 40) vanish(cluster, run);
    return;
  }
  if (isUnfinished(run)) {
    const fate = FATES.find(([below]) => chance < below)?.[1];
    // Only a run that has not begun can be parked or wait.
    const begun = phaseOf(run) === 'running' && (fate === 'parked' || fate === 'pending');
    if (fate !== undefined && !begun) move(cluster, run, fate, cluster.now - (die % 30));
    return;
  }
  const age = Math.abs(cluster.now - Date.parse(run.metadata.creationTimestamp ?? '') / 1000);
  if (age > 4 * HOUR && chance < 40) vanish(cluster, run);
}

/** The runs get on: most end within minutes, some fail, some hang. What is old is cleared away by somebody. */
export function letTimePass(cluster: Cluster, dice: number): void {
  let die = dice;
  for (const object of cluster.store.objects()) {
    const age = Math.abs(cluster.now - Date.parse(object.metadata.creationTimestamp ?? '') / 1000);
    if (object.kind === 'Event' && age > HOUR) cluster.store.remove(keyOf(object));
    if (!isSnapshot(object)) continue;
    die = nextDie(die);
    carryOn(cluster, object, die);
  }
}

/** The webhook gives some new runs the finalizer. */
export function admit(cluster: Cluster, name: string, die: number): void {
  const run = objectNamed(cluster, 'Snapshot', name);
  if (run !== undefined && nextDie(die) % 3 === 0) setFinalizers(cluster, run, [FINALIZER]);
}
