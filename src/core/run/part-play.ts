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
}

/**
 * What is written on the parts of an order by those who carry them out, such as a kubelet on pods: simulations play
 * them by it. Pure like the rest of a driver.
 */
export interface PartPlay {
  /** Whether the driver carries this order out by parts. */
  readonly isPlayed: (order: KubeObject) => boolean;
  readonly read: (part: KubeObject) => PartState;
  /** The part at work since then. */
  readonly begun: (part: KubeObject, at: Instant) => KubeObject;
  readonly ended: (part: KubeObject, at: Instant, end: PartEnd) => KubeObject;
  /** Where what runs in it is started anew in the same part: the part, and the seconds until then. */
  readonly restarted: (
    part: KubeObject,
    at: Instant,
    end: PartEnd,
  ) => { readonly part: KubeObject; readonly seconds: number } | undefined;
  /** The part after a delete that something still holds up. */
  readonly stopping: (part: KubeObject, at: Instant) => KubeObject;
  /** The same once what ran in it has stopped. */
  readonly stopped: (part: KubeObject, at: Instant) => KubeObject;
  /** It is counted, and no later pass looks at it. */
  readonly isSpent: (part: KubeObject) => boolean;
}
