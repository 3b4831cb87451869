import { isObject } from '#core/object/canonical.ts';
import type { RunLifecycle } from '#core/run/lifecycle.ts';
import { formatInstant } from '#core/time/instant.ts';

/** The status of a BackupJob, backups.md B.1; the Backup that it leaves is nothing that a Plan looks at. */
export const lifecycle: RunLifecycle = {
  begun: (run, at) => ({ ...run, status: { phase: 'Running', startedAt: formatInstant(at) } }),
  ended: (run, at, end) => ({
    ...run,
    status: {
      ...(isObject(run.status) ? run.status : {}),
      phase: end === 'succeeded' ? 'Succeeded' : 'Failed',
      completedAt: formatInstant(at),
    },
  }),
};
