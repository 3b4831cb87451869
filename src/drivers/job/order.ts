import { MAX_BACKUP_JOB_NAME, MAX_RESTORE_JOB_NAME } from '#api/backups/name-limits.ts';
import { BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject, SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { DriverInput } from '#core/run/driver.ts';
import type { Instant } from '#core/time/instant.ts';
import { BACKUP_JOB_LABEL, RESTORE_JOB_LABEL } from './resources.ts';

/** What tells the two sorts of orders apart. */
export interface OrderSort {
  readonly type: ResourceType;
  readonly mode: 'backup' | 'restore';
  /** How the object itself is called in templates. */
  readonly contextName: 'BackupJob' | 'RestoreJob';
  readonly label: string;
  readonly jobSuffix: string;
  /** So that the name of the Job fits a label value of 63. */
  readonly maxName: number;
  readonly action: string;
  readonly started: string;
  readonly completed: string;
  readonly failed: string;
  readonly statusFields: readonly string[];
}

export const BACKUP_ORDER: OrderSort = {
  type: BACKUP_JOB,
  mode: 'backup',
  contextName: 'BackupJob',
  label: BACKUP_JOB_LABEL,
  jobSuffix: '-backup',
  maxName: MAX_BACKUP_JOB_NAME,
  action: 'Backup',
  started: 'BackupStarted',
  completed: 'BackupCompleted',
  failed: 'BackupFailed',
  statusFields: ['phase', 'startedAt', 'completedAt', 'message', 'backupRef', 'conditions'],
};

export const RESTORE_ORDER: OrderSort = {
  type: RESTORE_JOB,
  mode: 'restore',
  contextName: 'RestoreJob',
  label: RESTORE_JOB_LABEL,
  jobSuffix: '-restore',
  maxName: MAX_RESTORE_JOB_NAME,
  action: 'Restore',
  started: 'RestoreStarted',
  completed: 'RestoreCompleted',
  failed: 'RestoreFailed',
  statusFields: ['phase', 'startedAt', 'completedAt', 'message', 'conditions'],
};

/** One BackupJob or RestoreJob in one tick. */
export interface Order {
  readonly sort: OrderSort;
  readonly source: SourcedObject;
  readonly object: KubeObject;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string | undefined;
  readonly jobName: string;
  /** As it was read, or as an earlier step of the same tick leaves it. */
  readonly status: JsonObject;
  readonly now: Instant;
}

export function orderOf(sort: OrderSort, source: SourcedObject, { now }: DriverInput): Order {
  const { object } = source;
  const { name, namespace = '', uid } = object.metadata;
  const status = isObject(object.status) ? object.status : {};
  return {
    sort,
    source,
    object,
    name,
    namespace,
    uid,
    jobName: `${name}${sort.jobSuffix}`,
    status,
    now,
  };
}
