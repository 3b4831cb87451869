import type { KubeObject } from '#core/object/object.ts';
import type { Run } from './phase.ts';

/** Which runs matter to one schedule, and what they are to it. */
export interface RunReading {
  /** Where its own runs and those of others are found, as `runKeys` of the kind gives them. */
  readonly ownKeys: readonly string[];
  readonly otherKeys: () => readonly string[];
  /** The run if it belongs to this schedule, else undefined. */
  readonly readRun: (object: KubeObject) => Run | undefined;
  /** The run if it belongs to somebody else and may hold a slot of this schedule. */
  readonly readOther: (object: KubeObject) => Run | undefined;
  /** The run if a person asked this schedule for it and it is none of its own: no tick asks for it. */
  readonly readByHand: (object: KubeObject) => Run | undefined;
}
