import { isObject } from '#core/object/canonical.ts';
import type { RunLifecycle } from '#core/run/lifecycle.ts';
import { formatInstant } from '#core/time/instant.ts';

/** The status of a Snapshot, snapshot-schedule.md 1.3; a failed one has committed nothing. */
export const lifecycle: RunLifecycle = {
  begun: (run, at) => ({ ...run, status: { phase: 'Running', timing: { startTime: formatInstant(at) } } }),
  ended: (run, at, end) => {
    const status = isObject(run.status) ? run.status : {};
    const timing = isObject(status.timing) ? status.timing : {};
    return {
      ...run,
      status: {
        ...status,
        phase: end === 'succeeded' ? 'Succeeded' : 'Failed',
        timing: { ...timing, endTime: formatInstant(at) },
      },
    };
  },
};
