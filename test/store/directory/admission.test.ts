import { describe, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { formatInstant, instant } from '#core/time/instant.ts';
import type { Store } from '#store/port.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import {
  inTick,
  NOW,
  nightly,
  objectPaths,
  only,
  openOn,
  openPrepared,
  STATE,
  withMetadata,
} from '#test/store/directory/support.ts';
import { accepted, CRON_JOB, cronJob, job, listed, preconditionOf } from '#test/store/fixtures.ts';

const LATER = { now: instant(NOW + 3600) };
const NIGHTLY_FILE = `${STATE}/batch/cronjob/harbor/nightly.json`;

describe('an object that the state folder does not know', () => {
  test('is created now, with generation 1 and a version 5 uid', async () => {
    const object = await only(await openOn(memoryFiles(), [nightly()]));
    expect(object.metadata).toMatchObject({
      creationTimestamp: formatInstant(NOW),
      generation: 1,
      namespace: 'harbor',
    });
    expect(object.metadata.uid).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  test.each([
    ['not dated by its manifest', nightly(), true],
    ['dated', withMetadata(nightly(), { creationTimestamp: '2026-01-01T00:00:00Z' }), undefined],
  ])('%s says so as long as it is declared so', async (_case, manifest, assumed) => {
    const files = memoryFiles();
    const markOf = async (store: Store): Promise<unknown> => {
      const listing = await store.list(CRON_JOB);
      return listing.state === 'read' ? listing.objects.map((source) => source.assumedCreation) : listing;
    };
    expect(await markOf(await openPrepared(files, [manifest]))).toEqual([assumed]);
    expect(await markOf(await openOn(files, [manifest], LATER))).toEqual([assumed]);
    expect(await markOf(await openOn(memoryFiles(), [manifest]))).toEqual([assumed]);
  });

  test.each([
    ['another name', cronJob('harbor', 'other'), NOW],
    ['another namespace', cronJob('orchard', 'nightly'), NOW],
    ['another creation time', nightly(), LATER.now],
  ])('has another uid with %s', async (_case, manifest, now) => {
    const one = await only(await openOn(memoryFiles(), [nightly()]));
    const two = await only(await openOn(memoryFiles(), [manifest], { now }));
    expect(two.metadata.uid).not.toBe(one.metadata.uid);
  });

  test('has the same uid wherever it is derived', async () => {
    const one = await only(await openOn(memoryFiles(), [nightly()]));
    const two = await only(await openOn(memoryFiles(), [nightly('5 5 * * *')]));
    expect(two.metadata.uid).toBe(one.metadata.uid);
  });

  test('takes uid, creation time, generation, status and owners from its manifest', async () => {
    const given = {
      uid: 'uid-1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      generation: 7,
      finalizers: ['example.com/hold'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'cm', uid: 'uid-cm' }],
    };
    const status = { lastScheduleTime: '2026-06-09T03:00:00Z' };
    const object = await only(await openOn(memoryFiles(), [{ ...withMetadata(nightly(), given), status }]));
    expect(object.metadata).toMatchObject(given);
    expect(object.status).toEqual(status);
  });

  test.each([
    ['no namespace', undefined],
    ['an empty namespace', ''],
  ])('is in the namespace default with %s', async (_case, namespace) => {
    const { namespace: _given, ...metadata } = nightly().metadata;
    const manifest = {
      ...nightly(),
      metadata: namespace === undefined ? metadata : { ...metadata, namespace },
    };
    const disk = memoryFiles();
    const object = await inTick(disk, [manifest], (store) => only(store));
    expect(object.metadata.namespace).toBe('default');
    expect(objectPaths(disk)).toEqual(['batch/cronjob/default/nightly.json']);
  });

  test('of a kind without namespaces has none', async () => {
    const type: ResourceType = { ...CRON_JOB, group: 'example.com', kind: 'Store', namespaced: false };
    const manifest = { ...nightly(), apiVersion: 'example.com/v1', kind: 'Store' };
    const disk = memoryFiles();
    const object = await inTick(disk, [manifest], (store) => only(store, type));
    expect(object.metadata).not.toHaveProperty('namespace');
    expect(objectPaths(disk)).toEqual(['example.com/store/_/nightly.json']);
  });

  test('keeps the place that it was read from', async () => {
    const place = { file: 'a.yaml', line: 3, column: 1 };
    const store = await openPrepared(memoryFiles(), [], {
      manifests: [{ object: nightly(), placeOf: () => place }],
    });
    const listing = await store.list(CRON_JOB);
    expect(listing.state === 'read' ? listing.objects[0]?.placeOf?.(['spec']) : undefined).toEqual(place);
  });
});

describe('recording', () => {
  test('without prepare nothing is written, whatever is listed', async () => {
    const disk = memoryFiles();
    const store = await openOn(disk, [nightly()]);
    await only(store);
    await store.close();
    expect([...disk.texts().keys()]).toEqual([]);
  });

  test('creation sticks from the first tick on', async () => {
    const disk = memoryFiles();
    const first = await inTick(disk, [nightly()], (store) => only(store));
    const second = await inTick(disk, [nightly()], (store) => only(store), LATER);
    expect(second).toEqual(first);
    expect(second.metadata.creationTimestamp).toBe(formatInstant(NOW));
  });

  test('kinds that were listed before prepare are recorded by it', async () => {
    const disk = memoryFiles();
    const store = await openOn(disk, [nightly()]);
    await only(store);
    await store.prepare();
    expect(objectPaths(disk)).toEqual(['batch/cronjob/harbor/nightly.json']);
  });

  test('kinds that nobody lists are not recorded', async () => {
    const disk = memoryFiles();
    await inTick(disk, [nightly(), job('harbor', 'run')], (store) => only(store));
    expect(objectPaths(disk)).toEqual(['batch/cronjob/harbor/nightly.json']);
  });

  test('an idle second tick leaves every byte as it is', async () => {
    const disk = memoryFiles();
    await inTick(disk, [nightly(), cronJob('harbor', 'weekly')], (store) => listed(store, CRON_JOB));
    const before = disk.texts();
    const second = disk.restart('killed');
    await inTick(second, [cronJob('harbor', 'weekly'), nightly()], (store) => listed(store, CRON_JOB), LATER);
    expect(second.texts()).toEqual(before);
    const written = second
      .operations()
      .filter(({ verb, path }) => verb === 'rename' || (verb === 'writeNew' && !path.includes('/.lock-')));
    expect(written).toEqual([]);
  });

  test('files hold one object each, keys sorted, with a final newline', async () => {
    const disk = memoryFiles();
    await inTick(disk, [nightly()], (store) => only(store));
    const text = disk.texts().get(NIGHTLY_FILE) ?? '';
    expect(text.endsWith('}\n')).toBe(true);
    expect(Object.keys(JSON.parse(text))).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(JSON.parse(disk.texts().get(`${STATE}/meta.json`) ?? '')).toEqual({
      formatVersion: 1,
      resourceVersion: '100',
    });
  });

  test('data of an object stays in Git', async () => {
    const secret: KubeObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'key', namespace: 'harbor' },
      data: { key: 'c2VjcmV0' },
    };
    const type: ResourceType = { ...CRON_JOB, group: '', kind: 'Secret' };
    const disk = memoryFiles();
    const object = await inTick(disk, [secret], (store) => only(store, type));
    expect(object.data).toEqual({ key: 'c2VjcmV0' });
    expect([...disk.texts().values()].join('')).not.toContain('c2VjcmV0');
    expect(objectPaths(disk)).toEqual(['core/secret/harbor/key.json']);
  });

  test('the mark of a manifest in the file is seen by nobody', async () => {
    const disk = memoryFiles();
    const object = await inTick(disk, [nightly()], (store) => only(store));
    expect(disk.texts().get(NIGHTLY_FILE)).toContain('minutehand.dev/origin');
    expect(object.metadata).not.toHaveProperty('annotations');
  });
});

describe('an object whose manifest changes', () => {
  interface Change {
    readonly name: string;
    readonly change: (object: KubeObject) => KubeObject;
    readonly generation: number;
    readonly rises: boolean;
  }
  const changes: readonly Change[] = [
    { name: 'spec', change: (o) => ({ ...o, spec: { schedule: '0 4 * * *' } }), generation: 2, rises: true },
    { name: 'no spec', change: ({ spec: _spec, ...o }) => o, generation: 2, rises: true },
    { name: 'labels', change: (o) => withMetadata(o, { labels: { a: 'b' } }), generation: 1, rises: true },
    {
      name: 'annotations',
      change: (o) => withMetadata(o, { annotations: { a: 'b' } }),
      generation: 1,
      rises: true,
    },
    { name: 'version', change: (o) => ({ ...o, apiVersion: 'batch/v2' }), generation: 1, rises: true },
    { name: 'status', change: (o) => ({ ...o, status: { active: [] } }), generation: 1, rises: false },
    {
      name: 'creation time',
      change: (o) => withMetadata(o, { creationTimestamp: '2020-01-01T00:00:00Z' }),
      generation: 1,
      rises: false,
    },
    { name: 'order of keys', change: (o) => ({ spec: o.spec ?? {}, ...o }), generation: 1, rises: false },
  ];

  test.each(changes)(
    'in its $name has generation $generation, a new resource version: $rises',
    async ({ change, generation, rises }) => {
      const disk = memoryFiles();
      const before = await inTick(disk, [nightly()], (store) => only(store));
      const planned = await only(await openOn(disk, [change(nightly())], LATER));
      const after = await inTick(disk, [change(nightly())], (store) => only(store), LATER);
      expect([planned.metadata.generation, after.metadata.generation]).toEqual([generation, generation]);
      expect(after.metadata.resourceVersion !== before.metadata.resourceVersion).toBe(rises);
      expect(after.metadata.uid).toBe(before.metadata.uid);
      expect(after.metadata.creationTimestamp).toBe(before.metadata.creationTimestamp);
      expect([after.spec, after.metadata.labels, after.apiVersion]).toEqual([
        change(nightly()).spec,
        change(nightly()).metadata.labels,
        change(nightly()).apiVersion,
      ]);
      expect(after.status).toBeUndefined();
      expect(await inTick(disk, [change(nightly())], (store) => only(store), LATER)).toEqual(after);
    },
  );

  test('keeps its status and what owns it', async () => {
    const disk = memoryFiles();
    const fields = { lastScheduleTime: '2026-06-09T03:00:00Z' };
    const before = await inTick(disk, [nightly()], async (store) => {
      const object = await only(store);
      return accepted(await store.applyStatus(CRON_JOB, keyOf(object), preconditionOf(object), fields));
    });
    const after = await inTick(disk, [{ ...nightly('0 4 * * *'), status: { active: [] } }], (store) =>
      only(store),
    );
    expect(after.status).toEqual(fields);
    expect(after.metadata.managedFields).toEqual(before.metadata.managedFields);
  });

  test('to another uid is another object, without the status of the old one', async () => {
    const disk = memoryFiles();
    await inTick(disk, [nightly()], async (store) => {
      const object = await only(store);
      accepted(await store.applyStatus(CRON_JOB, keyOf(object), preconditionOf(object), { active: [] }));
    });
    const after = await inTick(disk, [withMetadata(nightly(), { uid: 'uid-2' })], (store) => only(store));
    expect(after.metadata).toMatchObject({ uid: 'uid-2', generation: 1 });
    expect(after).not.toHaveProperty('status');
  });

  test('was edited between read and write: the write is a conflict of the old read', async () => {
    const disk = memoryFiles();
    const read = await inTick(disk, [nightly()], (store) => only(store));
    const result = await inTick(disk, [nightly('0 5 * * *')], async (store) => {
      await only(store);
      return store.applyStatus(CRON_JOB, keyOf(read), preconditionOf(read), { active: [] });
    });
    expect(result.ok ? 'ok' : result.failure.kind).toBe('conflict');
  });
});
