import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import type { Store, WriteResult } from '#store/port.ts';
import type { Seed } from '#test/store/contract/harness.ts';
import type { Suite } from '#test/store/contract/suite.ts';
import {
  accepted,
  CRON_JOB,
  cronJob,
  FIRST,
  JOB,
  job,
  outcome,
  preconditionOf,
} from '#test/store/fixtures.ts';

type Changes = Readonly<Record<string, string | null>>;

const MARK = 'example.com/mark';
const NOTE = 'example.com/note';

/** Without what a server writes down about every write. */
function content({ metadata, ...rest }: KubeObject): unknown {
  const { resourceVersion: _version, managedFields: _fields, annotations: _annotations, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

export function describeAnnotate(suite: Suite): void {
  const { inWorld, keyIn, namespace, nightly, read } = suite;
  const annotated: Seed = {
    object: cronJob(namespace, 'nightly', {
      metadata: { name: 'nightly', namespace, labels: { tier: 'a' }, annotations: { [NOTE]: 'given' } },
    }),
  };

  async function annotate(store: Store, object: KubeObject, changes: Changes): Promise<WriteResult> {
    return store.annotate(CRON_JOB, keyIn(CRON_JOB, 'nightly'), preconditionOf(object), changes);
  }

  describe(`${suite.name}: annotate`, () => {
    test('annotations are set, replaced and removed, and seen by the next read', () =>
      inWorld([annotated], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const set = accepted(await annotate(store, before, { [MARK]: 'a', [NOTE]: 'changed' }));
        expect(set.metadata.annotations).toEqual({ [MARK]: 'a', [NOTE]: 'changed' });
        expect(await read(store, CRON_JOB, 'nightly')).toEqual(set);
        const removed = accepted(await annotate(store, set, { [MARK]: 'b', [NOTE]: null }));
        expect(removed.metadata.annotations).toEqual({ [MARK]: 'b' });
        expect(await read(store, CRON_JOB, 'nightly')).toEqual(removed);
      }));

    test('the resource version is new, and nothing else is different', () =>
      inWorld([annotated], async ({ store }) => {
        const seeded = await read(store, CRON_JOB, 'nightly');
        const key = keyIn(CRON_JOB, 'nightly');
        const status = { lastScheduleTime: FIRST };
        const before = accepted(await store.applyStatus(CRON_JOB, key, preconditionOf(seeded), status));
        const after = accepted(await annotate(store, before, { [MARK]: 'a' }));
        expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
        expect(content(after)).toEqual(content(before));
      }));

    test('the first annotation makes the map, and the last one takes it away', () =>
      inWorld([nightly], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const set = accepted(await annotate(store, before, { [MARK]: 'a' }));
        expect(set.metadata.annotations).toEqual({ [MARK]: 'a' });
        const removed = accepted(await annotate(store, set, { [MARK]: null }));
        expect(removed.metadata).not.toHaveProperty('annotations');
        expect((await read(store, CRON_JOB, 'nightly')).metadata).not.toHaveProperty('annotations');
      }));

    test('the last annotation that the object was made with takes the map away, too', () =>
      inWorld([annotated], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        accepted(await annotate(store, before, { [NOTE]: null }));
        expect((await read(store, CRON_JOB, 'nightly')).metadata).not.toHaveProperty('annotations');
      }));

    test.each<readonly [string, Changes]>([
      ['the value that is there', { [NOTE]: 'given' }],
      ['the removal of what is not there', { [MARK]: null }],
      ['the removal of what every map inherits', { constructor: null, toString: null }],
      ['no annotation at all', {}],
    ])('%s changes nothing, and leaves the resource version', (_case, changes) =>
      inWorld([annotated], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        expect(accepted(await annotate(store, before, changes))).toEqual(before);
        expect(await read(store, CRON_JOB, 'nightly')).toEqual(before);
      }),
    );

    test('an empty text is a value', () =>
      inWorld([nightly], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const after = accepted(await annotate(store, before, { [MARK]: '' }));
        expect(after.metadata.annotations).toEqual({ [MARK]: '' });
      }));

    test('names such as constructor, or with the signs of a JSON pointer, are ordinary names', () =>
      inWorld([nightly], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const changes = { constructor: 'a', toString: 'b', 'example.com/a.b_c-d': 'c' };
        const after = accepted(await annotate(store, before, changes));
        expect(after.metadata.annotations).toEqual(changes);
        expect(await read(store, CRON_JOB, 'nightly')).toEqual(after);
        const removed = accepted(await annotate(store, after, { constructor: null }));
        expect(Object.keys(removed.metadata.annotations ?? {}).sort()).toEqual([
          'example.com/a.b_c-d',
          'toString',
        ]);
      }));

    test('an object that changed since it was read is a conflict, and is left as it is', () =>
      inWorld([nightly], async ({ store, touch }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        await touch(CRON_JOB, keyIn(CRON_JOB, 'nightly'));
        const touched = await read(store, CRON_JOB, 'nightly');
        expect(outcome(await annotate(store, before, { [MARK]: 'a' }))).toBe('conflict');
        expect(outcome(await annotate(store, before, { [MARK]: null }))).toBe('conflict');
        expect(await read(store, CRON_JOB, 'nightly')).toEqual(touched);
      }));

    test('a namesake with another uid is a conflict, and is left as it is', () =>
      inWorld([], async ({ store, replace }) => {
        const run = accepted(await store.create(JOB, job(namespace, 'run')));
        await replace(JOB, keyIn(JOB, 'run'));
        const namesake = await read(store, JOB, 'run');
        const { resourceVersion = '' } = namesake.metadata;
        for (const precondition of [preconditionOf(run), { ...preconditionOf(run), resourceVersion }]) {
          const result = await store.annotate(JOB, keyIn(JOB, 'run'), precondition, { [MARK]: 'a' });
          expect(outcome(result)).toBe('conflict');
        }
        expect(await read(store, JOB, 'run')).toEqual(namesake);
      }));

    test('an object that is not there is gone, and is not made', () =>
      inWorld([], async ({ store }) => {
        const run = accepted(await store.create(JOB, job(namespace, 'run')));
        const missing = keyIn(JOB, 'missing');
        expect(outcome(await store.annotate(JOB, missing, preconditionOf(run), { [MARK]: 'a' }))).toBe(
          'gone',
        );
        expect(await store.get(JOB, missing)).toEqual({ state: 'missing' });
      }));

    test('of two at once on one version, one goes through', () =>
      inWorld([nightly], async ({ store }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const results = await Promise.all(
          ['a', 'b'].map((value) => annotate(store, before, { [MARK]: value })),
        );
        expect(results.map(outcome).sort()).toEqual(['conflict', 'ok']);
      }));

    test('an object under deletion can be annotated, and stays so', () =>
      inWorld([], async ({ store }) => {
        const { metadata, ...rest } = job(namespace, 'run');
        const held = { ...rest, metadata: { ...metadata, finalizers: ['example.com/hold'] } };
        const run = accepted(await store.create(JOB, held));
        accepted(await store.delete(JOB, keyIn(JOB, 'run'), preconditionOf(run)));
        const leaving = await read(store, JOB, 'run');
        const changes = { [MARK]: 'a', [NOTE]: null };
        const after = accepted(
          await store.annotate(JOB, keyIn(JOB, 'run'), preconditionOf(leaving), changes),
        );
        expect(after.metadata.annotations).toEqual({ [MARK]: 'a' });
        expect(content(after)).toEqual(content(leaving));
      }));

    test('the version that comes back is good for a delete', () =>
      inWorld([], async ({ store }) => {
        const run = accepted(await store.create(JOB, job(namespace, 'run')));
        const key = keyIn(JOB, 'run');
        const marked = accepted(await store.annotate(JOB, key, preconditionOf(run), { [MARK]: 'a' }));
        expect(outcome(await store.delete(JOB, key, preconditionOf(run)))).toBe('conflict');
        expect(outcome(await store.delete(JOB, key, preconditionOf(marked)))).toBe('ok');
      }));

    test('what was set and removed stays so in the next tick, and through a status write', () =>
      inWorld([annotated], async ({ store, nextTick }) => {
        const before = await read(store, CRON_JOB, 'nightly');
        const marked = accepted(await annotate(store, before, { [MARK]: 'a', [NOTE]: null }));
        const next = await nextTick();
        expect(await read(next, CRON_JOB, 'nightly')).toEqual(marked);
        const key = keyIn(CRON_JOB, 'nightly');
        const fields = { lastScheduleTime: FIRST };
        accepted(await next.applyStatus(CRON_JOB, key, preconditionOf(marked), fields));
        const last = await read(await nextTick(), CRON_JOB, 'nightly');
        expect(last.metadata.annotations).toEqual({ [MARK]: 'a' });
      }));
  });
}
