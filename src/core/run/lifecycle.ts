import type { KubeObject } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';

/** How a run comes out. */
export type RunEnd = 'succeeded' | 'failed';

/** What is written on a run by whoever carries it out, as far as schedules look at it. */
export interface RunLifecycle {
  /** The run at work since then. */
  readonly begun: (run: KubeObject, at: Instant) => KubeObject;
  /** The run as it is once it ended then. */
  readonly ended: (run: KubeObject, at: Instant, end: RunEnd) => KubeObject;
}
