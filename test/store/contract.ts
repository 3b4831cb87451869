import { describe, expect, test } from 'vitest';
import type { Precondition } from '#core/change/change.ts';
import type { JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import { controllerReference } from '#core/object/owner.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Store, WriteResult } from '#store/port.ts';

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
  readonly world: (seeds: readonly Seed[]) => Promise<World>;
  /** Repeats a check for as long as the implementation may take to collect garbage. */
  readonly eventually: (check: () => Promise<void>) => Promise<void>;
}

export const CRON_JOB: ResourceType = {
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  singular: 'cronjob',
  shortNames: ['cj'],
  namespaced: true,
};

export const JOB: ResourceType = {
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  singular: 'job',
  shortNames: [],
  namespaced: true,
};

const POD_TEMPLATE: JsonObject = {
  spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/tool:1' }] },
};

export function cronJob(namespace: string, name: string, more: Partial<KubeObject> = {}): KubeObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, namespace },
    spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: POD_TEMPLATE } } },
    ...more,
  };
}

export function job(namespace: string, name: string, owner?: KubeObject): KubeObject {
  const ownerReferences = owner === undefined ? {} : { ownerReferences: [controllerReference(owner)] };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace,
      labels: { app: 'tool' },
      annotations: { 'example.com/note': 'kept' },
      ...ownerReferences,
    },
    spec: { template: POD_TEMPLATE },
  };
}

const FIRST = '2026-06-10T03:00:00Z';
const SECOND = '2026-06-11T03:00:00Z';

export function accepted(result: WriteResult): KubeObject {
  if (!result.ok) throw new Error(`refused as ${result.failure.kind}: ${result.failure.message}`);
  return result.object;
}

/** The kind of a failure, or `ok`. */
export function outcome(result: WriteResult): string {
  return result.ok ? 'ok' : result.failure.kind;
}

export function preconditionOf(object: KubeObject): Precondition {
  return { uid: object.metadata.uid ?? '', resourceVersion: object.metadata.resourceVersion ?? '' };
}

export async function listed(store: Store, type: ResourceType): Promise<readonly KubeObject[]> {
  const listing = await store.list(type);
  if (listing.state !== 'read') throw new Error(`${type.kind} is ${listing.state}`);
  return listing.objects.map(({ object }) => object);
}

/** Rules that every store keeps, whatever it is made of. Nothing here knows what a resource version looks like. */
export function describeStoreContract(name: string, harness: Harness): void {
  const { namespace, eventually } = harness;

  function keyIn(type: ResourceType, objectName: string): ObjectKey {
    return { group: type.group, kind: type.kind, namespace, name: objectName };
  }

  async function read(store: Store, type: ResourceType, objectName: string): Promise<KubeObject> {
    await store.list(type);
    const result = await store.get(type, keyIn(type, objectName));
    if (result.state !== 'found') throw new Error(`${objectName} is ${result.state}`);
    return result.object;
  }

  async function inWorld(seeds: readonly Seed[], run: (world: World) => Promise<void>): Promise<void> {
    const world = await harness.world(seeds);
    try {
      await run(world);
    } finally {
      await world.end();
    }
  }

  const nightly: Seed = { object: cronJob(namespace, 'nightly') };
  const foreign: Seed = {
    object: cronJob(namespace, 'nightly', { status: { lastSuccessfulTime: FIRST } }),
    managers: { 'other-controller': ['lastSuccessfulTime'] },
  };

  describe(`${name}: reading`, () => {
    test('a kind without objects is read and empty', () =>
      inWorld([nightly], async ({ store }) => {
        expect(await listed(store, JOB)).toEqual([]);
      }));

    test('a list holds every object of its kind and no other, sorted by name', () =>
      inWorld(
        ['b', 'a', 'c'].map((id) => ({ object: cronJob(namespace, id) })),
        async ({ store }) => {
          await store.create(JOB, job(namespace, 'a-job'));
          expect((await listed(store, CRON_JOB)).map((object) => object.metadata.name)).toEqual([
            'a',
            'b',
            'c',
          ]);
        },
      ));

    test('every object has uid, resource version, generation and creation time, and no two share a uid', () =>
      inWorld([nightly, { object: cronJob(namespace, 'weekly') }], async ({ store }) => {
        const objects = await listed(store, CRON_JOB);
        for (const { metadata } of objects) {
          expect(metadata).toMatchObject({ uid: expect.any(String), resourceVersion: expect.any(String) });
          expect(metadata).toMatchObject({
            generation: expect.any(Number),
            creationTimestamp: expect.any(String),
          });
        }
        expect(new Set(objects.map((object) => object.metadata.uid)).size).toBe(2);
      }));

    test('reading changes nothing: two lists are equal', () =>
      inWorld([foreign], async ({ store }) => {
        expect(await listed(store, CRON_JOB)).toEqual(await listed(store, CRON_JOB));
      }));

    test('get answers the object that the list has, or missing', () =>
      inWorld([nightly], async ({ store }) => {
        const [object] = await listed(store, CRON_JOB);
        expect(await store.get(CRON_JOB, keyIn(CRON_JOB, 'nightly'))).toEqual({ state: 'found', object });
        expect(await store.get(CRON_JOB, keyIn(CRON_JOB, 'weekly'))).toEqual({ state: 'missing' });
      }));

    test('names such as constructor are ordinary names', () =>
      inWorld([{ object: cronJob(namespace, 'constructor') }], async ({ store }) => {
        const created = accepted(await store.create(JOB, job(namespace, 'constructor')));
        expect((await read(store, JOB, 'constructor')).metadata.uid).toBe(created.metadata.uid);
        expect((await listed(store, CRON_JOB)).map((object) => object.metadata.name)).toEqual([
          'constructor',
        ]);
      }));
  });

  describe(`${name}: create`, () => {
    test('a created object is answered with what a server sets, and is there', () =>
      inWorld([], async ({ store }) => {
        const object = accepted(await store.create(JOB, job(namespace, 'run')));
        expect(object.metadata).toMatchObject({
          name: 'run',
          namespace,
          uid: expect.any(String),
          generation: 1,
        });
        expect(await read(store, JOB, 'run')).toEqual(object);
      }));

    test('labels, annotations, owners and spec are kept', () =>
      inWorld([nightly], async ({ store }) => {
        const owner = await read(store, CRON_JOB, 'nightly');
        const body = job(namespace, 'run', owner);
        const object = accepted(await store.create(JOB, body));
        expect(object.metadata.annotations).toMatchObject({ 'example.com/note': 'kept' });
        expect(object.metadata.labels).toMatchObject({ app: 'tool' });
        expect(object.metadata.ownerReferences).toEqual(body.metadata.ownerReferences);
        expect(object.spec).toMatchObject({ template: { spec: { restartPolicy: 'Never' } } });
      }));

    test('a status in the body is dropped', () =>
      inWorld([], async ({ store }) => {
        accepted(await store.create(JOB, { ...job(namespace, 'run'), status: { succeeded: 1 } }));
        expect((await read(store, JOB, 'run')).status ?? {}).not.toHaveProperty('succeeded');
      }));

    test('uid and creation time are the store’s, whatever the body says', () =>
      inWorld([], async ({ store }) => {
        const { metadata, ...rest } = job(namespace, 'run');
        const claimed = {
          uid: '11111111-2222-4333-8444-555555555555',
          creationTimestamp: '1999-01-01T00:00:00Z',
        };
        const object = accepted(await store.create(JOB, { ...rest, metadata: { ...metadata, ...claimed } }));
        expect(object.metadata.uid).not.toBe(claimed.uid);
        expect(object.metadata.creationTimestamp).not.toBe(claimed.creationTimestamp);
      }));

    test('a name that exists is refused and its object is not altered', () =>
      inWorld([], async ({ store }) => {
        const first = accepted(await store.create(JOB, job(namespace, 'run')));
        const { metadata, ...rest } = job(namespace, 'run');
        const other = { ...rest, metadata: { ...metadata, labels: { app: 'other' } } };
        expect(outcome(await store.create(JOB, other))).toBe('exists');
        expect(await read(store, JOB, 'run')).toEqual(first);
      }));

    test('of many creates of one name at once, one goes through', () =>
      inWorld([], async ({ store }) => {
        const results = await Promise.all(
          Array.from({ length: 8 }, () => store.create(JOB, job(namespace, 'run'))),
        );
        expect(results.map(outcome).sort()).toEqual([...Array.from({ length: 7 }, () => 'exists'), 'ok']);
      }));

    test('one name may be used by two kinds', () =>
      inWorld([nightly], async ({ store }) => {
        expect(outcome(await store.create(JOB, job(namespace, 'nightly')))).toBe('ok');
      }));

    test('a name that is used again gets another uid', () =>
      inWorld([], async ({ store }) => {
        const first = accepted(await store.create(JOB, job(namespace, 'run')));
        accepted(await store.delete(JOB, keyIn(JOB, 'run'), preconditionOf(first)));
        await eventually(async () => {
          const second = accepted(await store.create(JOB, job(namespace, 'run')));
          expect(second.metadata.uid).not.toBe(first.metadata.uid);
        });
      }));

    test.each([
      ['an empty name', ''],
      ['a slash', 'a/b'],
      ['a step upwards', '..'],
      ['a line break', 'a\nb'],
      ['254 characters', 'a'.repeat(254)],
    ])('%s is an invalid name', (_case, objectName) =>
      inWorld([], async ({ store }) => {
        expect(outcome(await store.create(JOB, job(namespace, objectName)))).toBe('invalid');
        expect(await listed(store, JOB)).toEqual([]);
      }),
    );

    test('a name of 253 characters is stored and found', () =>
      inWorld([], async ({ store }) => {
        // Dots, because a label between two of them has at most 63 characters.
        const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
        accepted(await store.create(CONFIG_MAP, configMap(namespace, long)));
        expect((await listed(store, CONFIG_MAP)).some((object) => object.metadata.name === long)).toBe(true);
      }));

    test('an object of another kind than the type says is invalid', () =>
      inWorld([], async ({ store }) => {
        expect(outcome(await store.create(JOB, cronJob(namespace, 'run')))).toBe('invalid');
      }));
  });

  describe(`${name}: status`, () => {
    const key = keyIn(CRON_JOB, 'nightly');

    async function apply(store: Store, object: KubeObject, fields: JsonObject): Promise<WriteResult> {
      return store.applyStatus(CRON_JOB, key, preconditionOf(object), fields);
    }

    test('fields are written, owned, and seen by the next read', () =>
      inWorld([nightly], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const after = accepted(await apply(store, before, { lastScheduleTime: FIRST }));
        expect(after.status).toMatchObject({ lastScheduleTime: FIRST });
        expect(after.metadata.managedFields).toContainEqual(
          expect.objectContaining({
            manager: 'minutehand',
            operation: 'Apply',
            subresource: 'status',
            fieldsV1: { 'f:status': { 'f:lastScheduleTime': {} } },
          }),
        );
        expect(await read(store, CRON_JOB, 'nightly')).toEqual(after);
      }));

    test('a status write changes the resource version and neither generation nor spec nor labels', () =>
      inWorld([nightly], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const after = accepted(await apply(store, before, { lastScheduleTime: FIRST }));
        expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
        expect(after.metadata.uid).toBe(before.metadata.uid);
        expect(after.metadata.generation).toBe(before.metadata.generation);
        expect([after.spec, after.metadata.labels]).toEqual([before.spec, before.metadata.labels]);
      }));

    test('an apply that changes nothing leaves the resource version', () =>
      inWorld([nightly], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const first = accepted(await apply(store, before, { lastScheduleTime: FIRST }));
        const second = accepted(await apply(store, first, { lastScheduleTime: FIRST }));
        expect(second).toEqual(first);
      }));

    test('owned fields that are left out disappear', () =>
      inWorld([nightly], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const first = accepted(
          await apply(store, before, { lastScheduleTime: FIRST, lastSuccessfulTime: FIRST }),
        );
        const second = accepted(await apply(store, first, { lastScheduleTime: SECOND }));
        expect(second.status).toMatchObject({ lastScheduleTime: SECOND });
        expect(second.status).not.toHaveProperty('lastSuccessfulTime');
      }));

    test('fields of another manager are left alone', () =>
      inWorld([foreign], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const after = accepted(await apply(store, before, { lastScheduleTime: SECOND }));
        expect(after.status).toEqual({ lastScheduleTime: SECOND, lastSuccessfulTime: FIRST });
      }));

    test('another value for a field of another manager is refused, naming manager and field', () =>
      inWorld([foreign], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const result = await apply(store, before, { lastScheduleTime: SECOND, lastSuccessfulTime: SECOND });
        expect(outcome(result)).toBe('fieldConflict');
        expect(result.ok ? '' : result.failure.message).toContain('other-controller');
        expect(result.ok ? '' : result.failure.message).toContain('.status.lastSuccessfulTime');
        expect(await read(store, CRON_JOB, 'nightly')).toEqual(before);
      }));

    test('a field with the value that another manager gave it is shared, and stays when we let go of it', () =>
      inWorld([foreign], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const shared = accepted(
          await apply(store, before, { lastScheduleTime: FIRST, lastSuccessfulTime: FIRST }),
        );
        const left = accepted(await apply(store, shared, { lastScheduleTime: FIRST }));
        expect(left.status).toEqual({ lastScheduleTime: FIRST, lastSuccessfulTime: FIRST });
      }));

    test('an object that changed since it was read is a conflict, and nothing is written', () =>
      inWorld([nightly], async ({ store, touch }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        await touch(CRON_JOB, key);
        expect(outcome(await apply(store, before, { lastScheduleTime: FIRST }))).toBe('conflict');
        expect((await read(store, CRON_JOB, 'nightly')).status ?? {}).not.toHaveProperty('lastScheduleTime');
      }));

    test('our own earlier write makes an older read stale', () =>
      inWorld([nightly], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        accepted(await apply(store, before, { lastScheduleTime: FIRST }));
        expect(outcome(await apply(store, before, { lastScheduleTime: SECOND }))).toBe('conflict');
      }));

    test('a namesake with another uid is a conflict', () =>
      inWorld([nightly], async ({ store, replace }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        await replace(CRON_JOB, key);
        expect(outcome(await apply(store, before, { lastScheduleTime: FIRST }))).toBe('conflict');
      }));

    test('the uid alone decides, even with the current resource version', () =>
      inWorld([nightly], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const precondition = { ...preconditionOf(before), uid: '11111111-2222-4333-8444-555555555555' };
        const fields = { lastScheduleTime: FIRST };
        expect(outcome(await store.applyStatus(CRON_JOB, key, precondition, fields))).toBe('conflict');
        expect(outcome(await store.delete(CRON_JOB, key, precondition))).toBe('conflict');
        expect(await read(store, CRON_JOB, 'nightly')).toEqual(before);
      }));

    test('a missing object is gone, and is not created', () =>
      inWorld([nightly], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const other = keyIn(CRON_JOB, 'weekly');
        const result = await store.applyStatus(CRON_JOB, other, preconditionOf(before), {
          lastScheduleTime: FIRST,
        });
        expect(outcome(result)).toBe('gone');
        expect(await store.get(CRON_JOB, other)).toEqual({ state: 'missing' });
      }));

    test('of two applies from one read, one goes through', () =>
      inWorld([nightly], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const times = [FIRST, SECOND];
        const results = await Promise.all(
          times.map((lastScheduleTime) => apply(store, before, { lastScheduleTime })),
        );
        expect(results.map(outcome).sort()).toEqual(['conflict', 'ok']);
      }));
  });

  describe(`${name}: delete`, () => {
    test('a deleted object is missing, and deleting it again is gone', () =>
      inWorld([], async ({ store }) => {
        const run = accepted(await store.create(JOB, job(namespace, 'run')));
        expect(outcome(await store.delete(JOB, keyIn(JOB, 'run'), preconditionOf(run)))).toBe('ok');
        await eventually(async () => {
          expect(await store.get(JOB, keyIn(JOB, 'run'))).toEqual({ state: 'missing' });
        });
        expect(outcome(await store.delete(JOB, keyIn(JOB, 'run'), preconditionOf(run)))).toBe('gone');
        expect(await listed(store, JOB)).toEqual([]);
      }));

    test('an object that changed since it was read survives', () =>
      inWorld([], async ({ store, touch }) => {
        const run = accepted(await store.create(JOB, job(namespace, 'run')));
        await touch(JOB, keyIn(JOB, 'run'));
        expect(outcome(await store.delete(JOB, keyIn(JOB, 'run'), preconditionOf(run)))).toBe('conflict');
        expect((await read(store, JOB, 'run')).metadata.uid).toBe(run.metadata.uid);
      }));

    test('a namesake with another uid survives', () =>
      inWorld([], async ({ store, replace }) => {
        const run = accepted(await store.create(JOB, job(namespace, 'run')));
        await replace(JOB, keyIn(JOB, 'run'));
        expect(outcome(await store.delete(JOB, keyIn(JOB, 'run'), preconditionOf(run)))).toBe('conflict');
        expect((await read(store, JOB, 'run')).metadata.uid).not.toBe(run.metadata.uid);
      }));

    test('what the object controls goes too, however deep, and nothing else', () =>
      inWorld([nightly, { object: cronJob(namespace, 'weekly') }], async ({ store }) => {
        const owner = await read(store, CRON_JOB, 'nightly');
        const other = await read(store, CRON_JOB, 'weekly');
        const run = accepted(await store.create(JOB, job(namespace, 'run', owner)));
        accepted(await store.create(JOB, job(namespace, 'grandchild', run)));
        accepted(await store.create(JOB, job(namespace, 'of-other', other)));
        accepted(await store.create(JOB, job(namespace, 'of-nobody')));
        const fresh = await read(store, CRON_JOB, 'nightly');
        expect(outcome(await store.delete(CRON_JOB, keyIn(CRON_JOB, 'nightly'), preconditionOf(fresh)))).toBe(
          'ok',
        );
        await eventually(async () => {
          const left = (await listed(store, JOB)).map((object) => object.metadata.name);
          expect(left).toEqual(['of-nobody', 'of-other']);
        });
        expect((await listed(store, CRON_JOB)).map((object) => object.metadata.name)).toEqual(['weekly']);
      }));

    test('what is created between two deletions goes with its owner as well', () =>
      inWorld([nightly], async ({ store }) => {
        const owner = await read(store, CRON_JOB, 'nightly');
        const first = accepted(await store.create(JOB, job(namespace, 'first', owner)));
        accepted(await store.delete(JOB, keyIn(JOB, 'first'), preconditionOf(first)));
        accepted(await store.create(JOB, job(namespace, 'second', owner)));
        accepted(await store.delete(CRON_JOB, keyIn(CRON_JOB, 'nightly'), preconditionOf(owner)));
        await eventually(async () => {
          expect(await listed(store, JOB)).toEqual([]);
        });
      }));

    test('an object with finalizers is marked and stays, and so does what it controls', () =>
      inWorld([nightly], async ({ store }) => {
        const owner = await read(store, CRON_JOB, 'nightly');
        const { metadata, ...rest } = job(namespace, 'run', owner);
        const held = { ...rest, metadata: { ...metadata, finalizers: ['example.com/hold'] } };
        const run = accepted(await store.create(JOB, held));
        accepted(await store.create(JOB, job(namespace, 'child', run)));
        expect(outcome(await store.delete(JOB, keyIn(JOB, 'run'), preconditionOf(run)))).toBe('ok');
        const marked = await read(store, JOB, 'run');
        expect(marked.metadata.deletionTimestamp).toEqual(expect.any(String));
        expect(marked.metadata.uid).toBe(run.metadata.uid);
        expect((await listed(store, JOB)).map((object) => object.metadata.name)).toEqual(['child', 'run']);
        expect(outcome(await store.create(JOB, job(namespace, 'run')))).toBe('exists');
      }));
  });

  describe(`${name}: from tick to tick`, () => {
    test('the next tick finds what this one wrote', () =>
      inWorld([nightly], async ({ store, nextTick }) => {
        const owner = await read(store, CRON_JOB, 'nightly');
        accepted(await store.create(JOB, job(namespace, 'run', owner)));
        accepted(await store.create(JOB, job(namespace, 'short', owner)));
        const short = await read(store, JOB, 'short');
        accepted(await store.delete(JOB, keyIn(JOB, 'short'), preconditionOf(short)));
        const fresh = await read(store, CRON_JOB, 'nightly');
        const fields = { lastScheduleTime: FIRST };
        accepted(
          await store.applyStatus(CRON_JOB, keyIn(CRON_JOB, 'nightly'), preconditionOf(fresh), fields),
        );
        await eventually(async () => {
          expect((await listed(store, JOB)).length).toBe(1);
        });
        const before = [await listed(store, CRON_JOB), await listed(store, JOB)];
        const next = await nextTick();
        expect([await listed(next, CRON_JOB), await listed(next, JOB)]).toEqual(before);
      }));

    test('uid and creation time stay from tick to tick', () =>
      inWorld([nightly], async ({ store, nextTick }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const next = await nextTick();
        expect(await read(next, CRON_JOB, 'nightly')).toEqual(before);
      }));

    test('closing twice is harmless', () =>
      inWorld([nightly], async ({ store }) => {
        await store.close();
        await expect(store.close()).resolves.toBeUndefined();
      }));
  });
}

/** A kind whose names may have 253 characters; those of Jobs and CronJobs are shorter on a real server. */
const CONFIG_MAP: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  shortNames: ['cm'],
  namespaced: true,
};

function configMap(namespace: string, name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { key: 'value' } };
}
