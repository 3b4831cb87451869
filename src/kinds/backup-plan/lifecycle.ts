import { phaseLifecycle } from '#core/run/lifecycle.ts';

/** The status of a BackupJob, backups.md B.1; the Backup that it leaves is nothing that a Plan looks at. */
export const lifecycle = phaseLifecycle('Succeeded');
