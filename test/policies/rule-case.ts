import type { JsonObject } from '#core/object/object.ts';

/** A request that a rule judges. The run-up (`given`) is the administrator's. */
export type Attempt =
  | { readonly verb: 'create'; readonly object: JsonObject; readonly as?: Account; readonly dryRun?: true }
  | {
      readonly verb: 'update';
      readonly given: JsonObject;
      readonly object: JsonObject;
      readonly as?: Account;
      readonly dryRun?: true;
    }
  | {
      readonly verb: 'status';
      readonly given: JsonObject;
      readonly status: JsonObject;
      readonly as?: Account;
      readonly dryRun?: true;
    }
  | { readonly verb: 'delete'; readonly given: JsonObject; readonly as?: Account; readonly dryRun?: true };

/** A ServiceAccount of the namespace of the cases; without one the administrator asks. */
export type Account = 'minutehand-job-driver' | 'minutehand-plan' | 'minutehand-reconcile';

export interface RuleCase {
  /** What is refused, as the end of a sentence. */
  readonly name: string;
  /** Where the rule stands, below `policies/`. */
  readonly file: string;
  /** Which field a definition's rule is about, as the API server names it; absent for rules of admission. */
  readonly field?: string;
  /** What the API server says to the refused one: the message of the rule, or its end. */
  readonly says: string;
  /** What `validate` says to it, in full or in part; absent for what only a server can judge. */
  readonly offline?: string;
  /** Admitted all the same, with a warning. */
  readonly onlyWarned?: true;
  readonly accepted: Attempt;
  readonly refused: Attempt;
}

export const NAMESPACE = 'rules';

interface Parts {
  readonly metadata?: JsonObject;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
}

function object(head: JsonObject, { metadata = {}, spec, status }: Parts): JsonObject {
  const namespaced = head['kind'] === 'ClusterRepository' ? {} : { namespace: NAMESPACE };
  return {
    ...head,
    metadata: { name: 'it', ...namespaced, ...metadata },
    ...(spec === undefined ? {} : { spec }),
    ...(status === undefined ? {} : { status }),
  };
}

const ETCD = 'etcd-operator.cozystack.io/v1alpha2';
const KOPIUR = 'kopiur.home-operations.com/v1alpha1';

export function defragPolicy(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  const base = { clusterRef: { name: 'etcd' }, schedule: '0 3 * * *' };
  return object({ apiVersion: ETCD, kind: 'EtcdDefragPolicy' }, { metadata, spec: { ...base, ...spec } });
}

export function defrag({ metadata = {}, spec = {}, status }: Parts): JsonObject {
  const parts = { metadata, spec: { clusterRef: { name: 'etcd' }, ...spec } };
  return object(
    { apiVersion: ETCD, kind: 'EtcdDefrag' },
    status === undefined ? parts : { ...parts, status },
  );
}

/** Everything but the timetable is in `spec`. */
export function snapshotSchedule(timetable: JsonObject, spec: JsonObject = {}): JsonObject {
  const aim = spec['policySelector'] === undefined ? { policyRef: { name: 'pg' } } : {};
  const schedule = { cron: 'H 2 * * *', ...timetable };
  return object({ apiVersion: KOPIUR, kind: 'SnapshotSchedule' }, { spec: { ...aim, schedule, ...spec } });
}

export function snapshot({ metadata = {}, spec = {}, status }: Parts): JsonObject {
  const parts = { metadata, spec: { policyRef: { name: 'pg' }, ...spec } };
  return object(
    { apiVersion: KOPIUR, kind: 'Snapshot' },
    status === undefined ? parts : { ...parts, status },
  );
}

export function snapshotPolicy(spec: JsonObject): JsonObject {
  const base = { sources: [{ pvc: { name: 'pg' } }] };
  return object({ apiVersion: KOPIUR, kind: 'SnapshotPolicy' }, { spec: { ...base, ...spec } });
}

export function repository(
  kind: 'Repository' | 'ClusterRepository',
  scheduleDefaults: JsonObject,
): JsonObject {
  return object({ apiVersion: KOPIUR, kind }, { spec: { scheduleDefaults } });
}

export function job(metadata: JsonObject, spec: JsonObject = {}): JsonObject {
  const template = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.37' }] },
  };
  return object({ apiVersion: 'batch/v1', kind: 'Job' }, { metadata, spec: { template, ...spec } });
}

const JOB_UID = '3b0f5e9a-71c4-4e0b-9d2e-5a8c1f6e3e01';

/** A pod as a tick makes it for a Job that it manages. */
export function managedPod(metadata: JsonObject = {}): JsonObject {
  const own = {
    labels: { 'minutehand.dev/managed-job': 'true' },
    annotations: { 'minutehand.dev/owner-uid': JOB_UID },
    ...controlledBy('batch/v1', 'Job'),
  };
  const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.37' }] };
  return object({ apiVersion: 'v1', kind: 'Pod' }, { metadata: { ...own, ...metadata }, spec });
}

const BACKUPS = 'backups.cozystack.io/v1alpha1';
const APPLICATION = { apiGroup: 'apps.cozystack.io', kind: 'Redis', name: 'sessions' };

export function plan(metadata: JsonObject = {}): JsonObject {
  const spec = { applicationRef: APPLICATION, backupClassName: 'silver', schedule: { cron: '0 3 * * *' } };
  return object({ apiVersion: BACKUPS, kind: 'Plan' }, { metadata, spec });
}

export function backupJob({ metadata = {}, spec = {} }: Parts): JsonObject {
  const base = { applicationRef: APPLICATION, backupClassName: 'silver' };
  return object({ apiVersion: BACKUPS, kind: 'BackupJob' }, { metadata, spec: { ...base, ...spec } });
}

export function backup(spec: JsonObject): JsonObject {
  const base = {
    applicationRef: APPLICATION,
    strategyRef: { apiGroup: 'jobdriver.backups.cozystack.io', kind: 'JobBackupStrategy', name: 'rdb' },
    takenAt: '2026-01-01T03:00:00Z',
  };
  return object({ apiVersion: BACKUPS, kind: 'Backup' }, { spec: { ...base, ...spec } });
}

export function restoreJob({ metadata = {}, spec = {} }: Parts): JsonObject {
  const base = { backupRef: { name: 'nightly' } };
  return object({ apiVersion: BACKUPS, kind: 'RestoreJob' }, { metadata, spec: { ...base, ...spec } });
}

export function event(): JsonObject {
  return {
    ...object({ apiVersion: 'events.k8s.io/v1', kind: 'Event' }, {}),
    eventTime: '2026-01-01T00:00:00.000000Z',
    type: 'Normal',
    reason: 'StampedRun',
    action: 'Schedule',
    note: 'stamped',
    reportingController: 'minutehand',
    reportingInstance: 'minutehand',
    regarding: { apiVersion: ETCD, kind: 'EtcdDefragPolicy', name: 'it', namespace: NAMESPACE },
  };
}

/** A controller that need not exist. */
export function controlledBy(apiVersion: string, kind: string): JsonObject {
  return { ownerReferences: [{ apiVersion, kind, name: 'it', uid: JOB_UID, controller: true }] };
}

export function creates(object: JsonObject, as?: Account): Attempt {
  return as === undefined ? { verb: 'create', object } : { verb: 'create', object, as };
}

export function updates(given: JsonObject, object: JsonObject, as?: Account): Attempt {
  return as === undefined ? { verb: 'update', given, object } : { verb: 'update', given, object, as };
}

export function writesStatus(given: JsonObject, status: JsonObject, as: Account): Attempt {
  return { verb: 'status', given, status, as };
}

export function deletes(given: JsonObject, as: Account): Attempt {
  return { verb: 'delete', given, as };
}

export function dryRun(attempt: Attempt): Attempt {
  return { ...attempt, dryRun: true };
}
