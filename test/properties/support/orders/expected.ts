import type { KubeObject } from '#core/object/object.ts';
import { controllerUid } from '#test/properties/support/cluster.ts';
import { isTerminating, member, secondsOf } from '#test/properties/support/expected.ts';
import type { Authors } from './cluster.ts';
import type { ClassDraft } from './objects.ts';
import { jobOf } from './perform.ts';

/** One order as a tick finds it. */
export interface Scene {
  readonly order: KubeObject;
  readonly authors: Authors;
  readonly objects: readonly KubeObject[];
  readonly now: number;
}

/** What one undisturbed tick must make of one order, by the documents and not by the code under test. */
export interface Fate {
  /** As the tick tells it. */
  readonly state: string;
  /** Of the status afterwards; absent = the order stays as it is, to the byte. */
  readonly phase?: string;
  readonly reason?: string;
  readonly starts?: true;
  readonly keeps?: true;
}

/** Seconds that an order waits for what it needs (backups.md, decision 8). */
const PATIENCE = 1800;
const OWNER_MARK = 'minutehand.dev/owner-uid';
const CLEANUP = 'backups.cozystack.io/cleanup';

const STATES: readonly unknown[] = [undefined, '', 'Pending', 'Running'];

export function phaseOf({ status }: KubeObject): unknown {
  return member(status, 'phase');
}

export function isOver(order: KubeObject): boolean {
  return phaseOf(order) === 'Succeeded' || phaseOf(order) === 'Failed';
}

function conditionsOf({ status }: KubeObject): readonly unknown[] {
  const conditions = member(status, 'conditions');
  return Array.isArray(conditions) ? conditions : [];
}

export function readyReason(order: KubeObject): unknown {
  const ready = conditionsOf(order).find((one) => member(one, 'type') === 'Ready');
  return member(ready, 'reason');
}

/** The status says that there was a Job. */
export function isRecorded(order: KubeObject): boolean {
  return ['JobCreated', 'JobSuspended'].includes(String(readyReason(order)));
}

export function jobEnd(job: KubeObject): 'Complete' | 'Failed' | undefined {
  const types = conditionsOf(job).map((one) => member(one, 'type'));
  return types.includes('Complete') ? 'Complete' : types.includes('Failed') ? 'Failed' : undefined;
}

export function ownJob({ order, objects }: Pick<Scene, 'order' | 'objects'>): KubeObject | undefined {
  const job = jobOf(objects, order);
  return job !== undefined && controllerUid(job) === order.metadata.uid ? job : undefined;
}

function backupNamed({ order, objects }: Scene, name: unknown): KubeObject | undefined {
  return objects.find(
    ({ kind, metadata }) =>
      kind === 'Backup' && metadata.name === name && metadata.namespace === order.metadata.namespace,
  );
}

/** Whose record of a restore point has the name of an order. */
function recordOf(scene: Scene): 'none' | 'own' | 'leaving' | 'taken' {
  const { name, uid } = scene.order.metadata;
  const backup = backupNamed(scene, name);
  if (backup === undefined) return 'none';
  if (isTerminating(backup)) return 'leaving';
  return backup.metadata.annotations?.[OWNER_MARK] === uid ? 'own' : 'taken';
}

function ends(scene: Scene, phase: 'Succeeded' | 'Failed', more: Pick<Fate, 'keeps'> = {}): Fate {
  const sort = scene.order.kind === 'BackupJob' ? 'Backup' : 'Restore';
  const reason = `${sort}${phase === 'Succeeded' ? 'Completed' : 'Failed'}`;
  return { state: phase.toLowerCase(), phase, reason, ...more };
}

/** Started, and something is missing: for half an hour. */
function waits(scene: Scene, reason: string): Fate {
  const since = secondsOf(member(scene.order.status, 'startedAt')) ?? scene.now;
  if (scene.now > since + PATIENCE) return ends(scene, 'Failed');
  return { state: 'waiting', phase: 'Running', reason };
}

/** Not started: without limit, or for half an hour from an instant. */
function pends(scene: Scene, reason: string, since?: number): Fate {
  if (secondsOf(member(scene.order.status, 'startedAt')) !== undefined) return waits(scene, reason);
  if (since !== undefined && scene.now > since + PATIENCE) return ends(scene, 'Failed');
  return { state: 'pending', phase: 'Pending', reason };
}

function ofOwnJob(scene: Scene, job: KubeObject): Fate {
  const end = jobEnd(job);
  if (end === 'Failed') return ends(scene, 'Failed');
  if (end === undefined) return { state: 'running', phase: 'Running', reason: 'JobCreated' };
  if (scene.order.kind === 'RestoreJob') return ends(scene, 'Succeeded');
  const record = recordOf(scene);
  switch (record) {
    case 'none':
      return ends(scene, 'Succeeded', { keeps: true });
    case 'own':
      return ends(scene, 'Succeeded');
    case 'taken':
      return ends(scene, 'Failed');
    case 'leaving':
      return { state: 'waiting' };
  }
}

/** What the class or the Backup names is there, and nothing is in the way. */
function starts(scene: Scene, strategy: unknown, bucket: unknown): Fate {
  const { order, objects, authors } = scene;
  const job = jobOf(objects, order);
  if (job !== undefined) return isTerminating(job) ? waits(scene, 'NameConflict') : ends(scene, 'Failed');
  const record = order.kind === 'BackupJob' ? recordOf(scene) : 'none';
  if (record === 'taken') return ends(scene, 'Failed');
  if (record === 'leaving') return waits(scene, 'NameConflict');
  if (!authors.strategies.has(String(strategy))) return waits(scene, 'StrategyNotReady');
  if (!authors.applications.has(order.metadata.namespace ?? '')) return waits(scene, 'ApplicationNotReady');
  // Its template asks for the bucket.
  if (bucket === undefined) return ends(scene, 'Failed');
  return { state: 'started', phase: 'Running', reason: 'JobCreated', starts: true };
}

function ofClass(scene: Scene): Fate {
  const draft = classOfOrder(scene);
  switch (draft?.binding) {
    case undefined:
      return pends(scene, 'BackupClassNotFound');
    case 'incomplete':
      return pends(scene, 'StrategyRefIncomplete');
    case 'foreign':
      return { state: 'foreign' };
    case 'none':
      return ends(scene, 'Failed');
    case 'ours':
      return starts(scene, draft?.strategy, draft?.bucket);
  }
}

export function classOfOrder({ order, authors }: Pick<Scene, 'order' | 'authors'>): ClassDraft | undefined {
  return authors.classes.get(String(member(order.spec, 'backupClassName')));
}

const PARAMETER = 'jobdriver.backups.cozystack.io/parameter/bucket';

/** What a Backup tells of how it was taken. */
export function takenBy(backup: KubeObject): Pick<ClassDraft, 'bucket'> & { readonly strategy: unknown } {
  const bucket = member(member(backup.spec, 'driverMetadata'), PARAMETER);
  const strategy = member(member(backup.spec, 'strategyRef'), 'name');
  return { strategy, bucket: typeof bucket === 'string' ? bucket : undefined };
}

export function sourceOf(scene: Scene): KubeObject | undefined {
  return backupNamed(scene, member(member(scene.order.spec, 'backupRef'), 'name'));
}

function ofBackup(scene: Scene): Fate {
  const backup = sourceOf(scene);
  const phase = backup === undefined ? undefined : phaseOf(backup);
  if (phase === 'Failed') return ends(scene, 'Failed');
  if (backup === undefined || isTerminating(backup) || phase !== 'Ready')
    return pends(scene, 'BackupNotReady', secondsOf(scene.order.metadata.creationTimestamp));
  const { strategy, bucket } = takenBy(backup);
  return starts(scene, strategy, bucket);
}

/** Only the known finalizer is taken off, and only where Job or Backup tell that the order is ours. */
function leaves(scene: Scene): Fate {
  const { order } = scene;
  const carries = (order.metadata.finalizers ?? []).includes(CLEANUP);
  const isOurs = ownJob(scene) !== undefined || sourceOf(scene) !== undefined;
  return { state: order.kind === 'RestoreJob' && carries && isOurs ? 'releasing' : 'deleting' };
}

export function fateOf(scene: Scene): Fate {
  const { order } = scene;
  if (isTerminating(order)) return leaves(scene);
  if (isOver(order)) return { state: 'finished' };
  if (!STATES.includes(phaseOf(order))) return { state: 'invalid' };
  const own = ownJob(scene);
  if (own !== undefined) return ofOwnJob(scene, own);
  // One that vanished is not started again.
  if (jobOf(scene.objects, order) === undefined && isRecorded(order)) return ends(scene, 'Failed');
  return order.kind === 'BackupJob' ? ofClass(scene) : ofBackup(scene);
}
