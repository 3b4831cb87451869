import { describe, expect, test } from 'vitest';
import type { Suite } from '#test/store/contract/suite.ts';
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

export function describeDelete(suite: Suite): void {
  const { eventually, inWorld, keyIn, namespace, nightly, read } = suite;

  describe(`${suite.name}: delete`, () => {
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

    test('in the foreground it goes with all that it controls, too', () =>
      inWorld([nightly], async ({ store }) => {
        const owner = await read(store, CRON_JOB, 'nightly');
        accepted(await store.create(JOB, job(namespace, 'run', owner)));
        const key = keyIn(CRON_JOB, 'nightly');
        expect(outcome(await store.delete(CRON_JOB, key, preconditionOf(owner), 'Foreground'))).toBe('ok');
        await eventually(async () => {
          expect([...(await listed(store, JOB)), ...(await listed(store, CRON_JOB))]).toEqual([]);
        });
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
}
