import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Store } from '#store/port.ts';
import type { Harness, Seed, World } from '#test/store/contract/harness.ts';
import { cronJob, FIRST } from '#test/store/fixtures.ts';

/** What every part of the contract needs of one harness. */
export interface Suite {
  readonly name: string;
  readonly namespace: string;
  readonly knowsKinds: boolean;
  readonly eventually: Harness['eventually'];
  readonly keyIn: (type: ResourceType, name: string) => ObjectKey;
  /** The object as the store has it now; throws when there is none. */
  readonly read: (store: Store, type: ResourceType, name: string) => Promise<KubeObject>;
  readonly inWorld: (seeds: readonly Seed[], run: (world: World) => Promise<void>) => Promise<void>;
  readonly nightly: Seed;
  /** The same schedule, with a status field that another manager owns. */
  readonly foreign: Seed;
}

export function suiteOf(name: string, harness: Harness): Suite {
  const { namespace, knowsKinds, eventually } = harness;
  const keyIn: Suite['keyIn'] = (type, objectName) => ({
    group: type.group,
    kind: type.kind,
    namespace,
    name: objectName,
  });
  return {
    name,
    namespace,
    knowsKinds,
    eventually,
    keyIn,
    read: async (store, type, objectName) => {
      await store.list(type);
      const result = await store.get(type, keyIn(type, objectName));
      if (result.state !== 'found') throw new Error(`${objectName} is ${result.state}`);
      return result.object;
    },
    inWorld: async (seeds, run) => {
      const world = await harness.world(seeds);
      try {
        await run(world);
      } finally {
        await world.end();
      }
    },
    nightly: { object: cronJob(namespace, 'nightly') },
    foreign: {
      object: cronJob(namespace, 'nightly', { status: { lastSuccessfulTime: FIRST } }),
      managers: { 'other-controller': ['lastSuccessfulTime'] },
    },
  };
}
