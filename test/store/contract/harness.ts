import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Store } from '#store/port.ts';

/** What a harness puts into its world before a test; `managers` own the status fields that they are listed with. */
export interface Seed {
  readonly object: KubeObject;
  readonly managers?: Readonly<Record<string, readonly string[]>>;
}

export interface World {
  /** Open and prepared. */
  readonly store: Store;
  /** Ends the session and opens the next one on the same objects, prepared. */
  readonly nextTick: () => Promise<Store>;
  /** Somebody else changes the object in a way that leaves its uid. */
  readonly touch: (type: ResourceType, key: ObjectKey) => Promise<void>;
  /** Somebody else deletes the object and creates a namesake. */
  readonly replace: (type: ResourceType, key: ObjectKey) => Promise<void>;
  readonly end: () => Promise<void>;
}

export interface Harness {
  /** An empty namespace of the suite's own. */
  readonly namespace: string;
  /** Whether it knows which kinds there are; others know objects alone. */
  readonly knowsKinds: boolean;
  readonly world: (seeds: readonly Seed[]) => Promise<World>;
  /** Repeats a check for as long as the implementation may take to collect garbage. */
  readonly eventually: (check: () => Promise<void>) => Promise<void>;
}
