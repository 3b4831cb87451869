import type { ResourceType } from '#core/object/resource.ts';

/** The group of this driver's strategies, and of its labels and keys (backups.md, decision 1). */
export const JOB_DRIVER_GROUP = 'jobdriver.backups.cozystack.io';

/** Its id, which configuration uses. */
export const DRIVER_ID = 'job-driver';

export const JOB_BACKUP_STRATEGY: ResourceType = {
  group: JOB_DRIVER_GROUP,
  version: 'v1alpha1',
  kind: 'JobBackupStrategy',
  plural: 'jobbackupstrategies',
  singular: 'jobbackupstrategy',
  shortNames: [],
  namespaced: false,
};

export const MODE_LABEL = `${JOB_DRIVER_GROUP}/mode`;
export const BACKUP_JOB_LABEL = `${JOB_DRIVER_GROUP}/backupjob`;
export const RESTORE_JOB_LABEL = `${JOB_DRIVER_GROUP}/restorejob`;

/** In `driverMetadata` of a Backup; the key of the parameter follows. */
export const PARAMETER_PREFIX = `${JOB_DRIVER_GROUP}/parameter/`;

/** The one that the Job controller gives to pods. */
export const POD_JOB_LABEL = 'batch.kubernetes.io/job-name';

/** What the Job was made from, as JSON. */
export const PINNED_STRATEGY_ANNOTATION = 'minutehand.dev/pinned-strategy';
