import { isObject } from '#core/object/canonical.ts';
import type { RunLifecycle } from '#core/run/lifecycle.ts';
import { formatInstant } from '#core/time/instant.ts';

/** The status of an EtcdDefrag, etcd-defrag-policy.md A.4. */
export const lifecycle: RunLifecycle = {
  begun: (run, at) => ({ ...run, status: { phase: 'Running', startedAt: formatInstant(at) } }),
  ended: (run, at, end) => ({
    ...run,
    status: {
      ...(isObject(run.status) ? run.status : {}),
      phase: end === 'succeeded' ? 'Complete' : 'Failed',
      completedAt: formatInstant(at),
    },
  }),
};
