import type { ResourceType } from '#core/object/resource.ts';

/** The group of the backups core (backups.md B.1). */
export const BACKUPS_GROUP = 'backups.cozystack.io';
const VERSION = 'v1alpha1';

export const BACKUP_CLASS: ResourceType = {
  group: BACKUPS_GROUP,
  version: VERSION,
  kind: 'BackupClass',
  plural: 'backupclasses',
  singular: 'backupclass',
  shortNames: [],
  namespaced: false,
};

export const BACKUP_JOB: ResourceType = {
  group: BACKUPS_GROUP,
  version: VERSION,
  kind: 'BackupJob',
  plural: 'backupjobs',
  singular: 'backupjob',
  shortNames: [],
  namespaced: true,
};

export const BACKUP: ResourceType = {
  group: BACKUPS_GROUP,
  version: VERSION,
  kind: 'Backup',
  plural: 'backups',
  singular: 'backup',
  shortNames: [],
  namespaced: true,
};

export const RESTORE_JOB: ResourceType = {
  group: BACKUPS_GROUP,
  version: VERSION,
  kind: 'RestoreJob',
  plural: 'restorejobs',
  singular: 'restorejob',
  shortNames: [],
  namespaced: true,
};
