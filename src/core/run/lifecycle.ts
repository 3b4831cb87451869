import { isObject } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

/** How a run comes out. */
export type RunEnd = 'succeeded' | 'failed';

/** What is written on a run by whoever carries it out, as far as schedules look at it. */
export interface RunLifecycle {
  /** The run at work since then. */
  readonly begun: (run: KubeObject, at: Instant) => KubeObject;
  /** The run as it is once it ended then. */
  readonly ended: (run: KubeObject, at: Instant, end: RunEnd) => KubeObject;
}

/** Of runs whose status has a phase, `startedAt` and `completedAt`; kinds differ in what they call a success. */
export function phaseLifecycle(succeeded: string): RunLifecycle {
  return {
    begun: (run, at) => ({ ...run, status: { phase: 'Running', startedAt: formatInstant(at) } }),
    ended: (run, at, end) => ({
      ...run,
      status: {
        ...(isObject(run.status) ? run.status : {}),
        phase: end === 'succeeded' ? succeeded : 'Failed',
        completedAt: formatInstant(at),
      },
    }),
  };
}
