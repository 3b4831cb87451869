import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import type { MemoryStore } from '#test/fakes/memory-store.ts';
import { Crash, memoryStore } from '#test/fakes/memory-store.ts';
import type { Seed } from '#test/store/contract/harness.ts';
import { describeStoreContract } from '#test/store/contract.ts';
import {
  accepted,
  CRON_JOB,
  cronJob,
  JOB,
  job,
  listed,
  outcome,
  preconditionOf,
} from '#test/store/fixtures.ts';
import { seededObject } from '#test/store/seeded-object.ts';

function touched(object: KubeObject): KubeObject {
  return {
    ...object,
    metadata: { ...object.metadata, labels: { ...object.metadata.labels, touched: 'yes' } },
  };
}

describeStoreContract('memory', {
  namespace: 'harbor',
  knowsKinds: false,
  eventually: (check) => check(),
  world: async (seeds: readonly Seed[]) => {
    const store = memoryStore({ objects: seeds.map(seededObject) });
    return {
      store,
      nextTick: async () => store,
      touch: async (_type, key) => store.edit(key, touched),
      replace: async (_type, key) =>
        store.edit(key, (object) => ({
          ...object,
          metadata: { ...object.metadata, uid: 'uid-of-the-namesake' },
        })),
      end: () => store.close(),
    };
  },
});

const KEY = { group: 'batch', kind: 'Job', namespace: 'harbor', name: 'run' };

function names(store: MemoryStore): readonly string[] {
  return store.objects().map((object) => object.metadata.name);
}

function createRun(store: MemoryStore): Promise<string> {
  return store.create(JOB, job('harbor', 'run')).then(outcome);
}

describe('what a test can arrange', () => {
  test('a write that fails is not done, and only that one', async () => {
    const store = memoryStore();
    store.failWrite(1, { kind: 'forbidden', message: 'no' });
    expect([await createRun(store), await createRun(store)]).toEqual(['forbidden', 'ok']);
  });

  test('a crash before a write leaves it undone', async () => {
    const store = memoryStore();
    store.crashBeforeWrite(1);
    await expect(createRun(store)).rejects.toThrow(Crash);
    expect(names(store)).toEqual([]);
  });

  test('a crash after a write leaves it done', async () => {
    const store = memoryStore();
    store.crashAfterWrite(1);
    await expect(createRun(store)).rejects.toThrow(Crash);
    expect(names(store)).toEqual(['run']);
  });

  test('a lost reply leaves the write done and answers a transient failure', async () => {
    const store = memoryStore();
    store.loseReply(1);
    expect(await createRun(store)).toBe('transient');
    expect(names(store)).toEqual(['run']);
  });

  test('somebody else acts between read and write', async () => {
    const store = memoryStore({ objects: [cronJob('harbor', 'nightly')] });
    const [nightly] = await listed(store, CRON_JOB);
    const object = nightly ?? cronJob('harbor', 'nightly');
    const key = { ...KEY, kind: 'CronJob', name: 'nightly' };
    store.beforeWrite(1, () => store.edit(key, touched));
    store.beforeWrite(2, () => store.remove(key));
    const apply = (): Promise<string> =>
      store.applyStatus(CRON_JOB, key, preconditionOf(object), { active: [] }).then(outcome);
    expect([await apply(), await apply()]).toEqual(['conflict', 'gone']);
  });

  test('a kind is absent or unreadable, and readable again', async () => {
    const store = memoryStore({ objects: [job('harbor', 'run')] });
    store.setListing(JOB, { state: 'absent' });
    expect(await store.list(JOB)).toEqual({ state: 'absent' });
    store.setListing(JOB, { state: 'unreadable', reason: 'forbidden' });
    expect(await store.list(JOB)).toEqual({ state: 'unreadable', reason: 'forbidden' });
    store.setListing(JOB, 'readable');
    expect(await listed(store, JOB)).toHaveLength(1);
  });

  test('every write is written down, with what it changed', async () => {
    const store = memoryStore();
    const run = accepted(await store.create(JOB, job('harbor', 'run')));
    await createRun(store);
    const applied = accepted(await store.applyStatus(JOB, KEY, preconditionOf(run), { active: 1 }));
    await store.applyStatus(JOB, KEY, preconditionOf(applied), { active: 1 });
    const marks = { 'example.com/mark': 'a', gone: null };
    const marked = accepted(await store.annotate(JOB, KEY, preconditionOf(applied), marks));
    await store.annotate(JOB, KEY, preconditionOf(marked), marks);
    await store.delete(JOB, KEY, preconditionOf(marked));
    expect(store.writes().map(({ verb, key, changed }) => `${verb} ${key.name} ${changed}`)).toEqual([
      'create run true',
      'create run false',
      'apply run true',
      'apply run false',
      'annotate run true',
      'annotate run false',
      'delete run true',
    ]);
    expect(store.writes()[2]).toMatchObject({ body: { active: 1 }, precondition: preconditionOf(run) });
    expect(store.writes()[4]).toMatchObject({ body: marks, precondition: preconditionOf(applied) });
  });

  test('nobody can change an object that the store gave out', async () => {
    const store = memoryStore({ objects: [job('harbor', 'run')] });
    const [run] = await listed(store, JOB);
    expect(() => Object.assign(run?.metadata ?? {}, { name: 'other' })).toThrow(TypeError);
  });

  test('places of manifests are kept, and a namespace is filled in', async () => {
    const place = { file: 'a.yaml', line: 1, column: 1 };
    const { namespace: _namespace, ...metadata } = job('harbor', 'run').metadata;
    const store = memoryStore({
      objects: [{ object: { ...job('harbor', 'run'), metadata }, placeOf: () => place }],
    });
    const listing = await store.list(JOB);
    const [found] = listing.state === 'read' ? listing.objects : [];
    expect(found?.placeOf?.([])).toEqual(place);
    expect(found?.object.metadata.namespace).toBe('default');
  });

  test('an object without a namespace is found in default before its kind is listed', async () => {
    const { namespace: _namespace, ...metadata } = job('harbor', 'run').metadata;
    const store = memoryStore({ objects: [{ ...job('harbor', 'run'), metadata }] });
    expect(await store.find({ ...KEY, namespace: 'default' })).toMatchObject({ state: 'found' });
    expect(await store.find(KEY)).toEqual({ state: 'missing' });
  });
});
