import { describe, expect, test } from 'vitest';
import type { Suite } from '#test/store/contract/suite.ts';
import {
  accepted,
  CONFIG_MAP,
  CRON_JOB,
  configMap,
  cronJob,
  JOB,
  job,
  listed,
  outcome,
  preconditionOf,
} from '#test/store/fixtures.ts';

export function describeCreate(suite: Suite): void {
  const { eventually, inWorld, keyIn, namespace, nightly, read } = suite;

  describe(`${suite.name}: create`, () => {
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
}
