/* A label value has 63 characters at most, and the pods of a Job carry its name as one (backups.md B.8). */

/** Its Job is called `<name>-backup`. */
export const MAX_BACKUP_JOB_NAME = 56;
/** Its Job is called `<name>-restore`. */
export const MAX_RESTORE_JOB_NAME = 55;
/** Its BackupJobs are called `<name>-<minutes>`, which are eight digits until 2160. */
export const MAX_PLAN_NAME = 47;
