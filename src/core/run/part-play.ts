import type { KubeObject } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';

/** How what runs in a part comes out. */
export interface PartEnd {
  readonly exitCode: number;
  /** It was taken from its node by somebody: it has failed, whatever its exit code. */
  readonly disrupted?: true;
}

/** What stands in a part. */
export interface PartState {
  /** Which of several places of its order it has; absent where they have none. */
  readonly place?: number;
  readonly phase: 'running' | 'succeeded' | 'failed';
  readonly createdAt?: Instant;
  readonly endedAt?: Instant;
  readonly exitCode?: number;
  /** It failed because it was taken from its node. */
  readonly disrupted?: true;
  /** How often what runs in it was started anew, and since when it runs for the last time. */
  readonly restarts: number;
  readonly runsSince?: Instant;
  /** What runs in it failed, and waits until then to be started anew. */
  readonly restartsAt?: Instant;
}

/**
 * What is written on the parts of an order by those who carry them out, such as a kubelet on pods: simulations play
 * them by it. Pure like the rest of a driver.
 */
export interface PartPlay {
  /** Whether the driver carries this order out by parts. */
  readonly isPlayed: (order: KubeObject) => boolean;
  /**
   * In how many places parts of this order can begin, from 0 on: none where they have no places, infinitely many where
   * nobody can tell.
   */
  readonly places: (order: KubeObject) => number;
  readonly read: (part: KubeObject) => PartState;
  /** The part at work since then. */
  readonly begun: (part: KubeObject, at: Instant) => KubeObject;
  readonly ended: (part: KubeObject, at: Instant, end: PartEnd) => KubeObject;
  /** The part that waits to have what ran in it started anew; undefined where the part ends by it. */
  readonly failed: (part: KubeObject, at: Instant, end: PartEnd) => KubeObject | undefined;
  /** The same once that has begun. */
  readonly restarted: (part: KubeObject, at: Instant) => KubeObject;
  /** The part after a delete that something still holds up. */
  readonly stopping: (part: KubeObject, at: Instant) => KubeObject;
  /** The same once what ran in it has stopped. */
  readonly stopped: (part: KubeObject, at: Instant) => KubeObject;
  /** It is counted, and no later pass looks at it. */
  readonly isSpent: (part: KubeObject) => boolean;
}
