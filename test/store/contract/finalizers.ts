import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import type { Store, WriteResult } from '#store/port.ts';
import type { Seed } from '#test/store/contract/harness.ts';
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

const OURS = 'example.com/ours';
const OLD = 'example.com/ours-of-old';
const THEIRS = 'example.com/theirs';

/** Without what a server writes down about every write. */
function content({ metadata, ...rest }: KubeObject): unknown {
  const { resourceVersion: _version, managedFields: _fields, finalizers: _finalizers, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

export function describeFinalizers(suite: Suite): void {
  const { eventually, inWorld, keyIn, namespace, nightly, read } = suite;
  const key = keyIn(JOB, 'run');
  const held: Seed = {
    object: cronJob(namespace, 'nightly', {
      metadata: { name: 'nightly', namespace, finalizers: [OURS, THEIRS] },
    }),
  };

  async function createHeld(store: Store, finalizers: readonly string[]): Promise<KubeObject> {
    const body = job(namespace, 'run');
    return accepted(await store.create(JOB, { ...body, metadata: { ...body.metadata, finalizers } }));
  }

  async function createLeaving(store: Store, finalizers: readonly string[]): Promise<KubeObject> {
    const run = await createHeld(store, finalizers);
    accepted(await store.delete(JOB, key, preconditionOf(run)));
    return read(store, JOB, 'run');
  }

  async function remove(
    store: Store,
    object: KubeObject,
    finalizers: readonly string[],
  ): Promise<WriteResult> {
    return store.removeFinalizers(JOB, key, preconditionOf(object), finalizers);
  }

  describe(`${suite.name}: finalizers`, () => {
    test('these are taken off, others stay in their order, and nothing else is different', () =>
      inWorld([], async ({ store }) => {
        const before = await createHeld(store, [THEIRS, OURS, 'example.com/a', OLD]);
        const after = accepted(await remove(store, before, [OLD, OURS]));
        expect(after.metadata.finalizers).toEqual([THEIRS, 'example.com/a']);
        expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
        expect(content(after)).toEqual(content(before));
        expect(await read(store, JOB, 'run')).toEqual(after);
      }));

    test('an object that nobody deletes stays when it loses the last one', () =>
      inWorld([], async ({ store }) => {
        const before = await createHeld(store, [OURS]);
        const after = accepted(await remove(store, before, [OURS, OLD]));
        expect(after.metadata).not.toHaveProperty('finalizers');
        expect(await read(store, JOB, 'run')).toEqual(after);
      }));

    test.each<readonly [string, readonly string[], readonly string[]]>([
      ['one that is not there', [THEIRS], [OURS]],
      ['one that is there in part', [OLD], [OURS]],
      ['one of an object without any', [], [OURS]],
      ['none at all', [THEIRS], []],
    ])('to take off %s changes nothing, and leaves the resource version', (_case, standing, finalizers) =>
      inWorld([], async ({ store }) => {
        const before = await createHeld(store, standing);
        expect(accepted(await remove(store, before, finalizers))).toEqual(before);
        expect(await read(store, JOB, 'run')).toEqual(before);
      }),
    );

    test('an object under deletion stays until it loses the last one, and is answered as it was', () =>
      inWorld([], async ({ store }) => {
        const leaving = await createLeaving(store, [OURS, THEIRS]);
        const waiting = accepted(await remove(store, leaving, [OURS]));
        expect(waiting.metadata.finalizers).toEqual([THEIRS]);
        expect(waiting.metadata.deletionTimestamp).toBe(leaving.metadata.deletionTimestamp);
        expect(await read(store, JOB, 'run')).toEqual(waiting);
        const gone = accepted(await remove(store, waiting, [THEIRS]));
        expect([gone.metadata.name, gone.metadata.uid]).toEqual(['run', leaving.metadata.uid]);
        expect(await store.get(JOB, key)).toEqual({ state: 'missing' });
        expect(outcome(await remove(store, waiting, [THEIRS]))).toBe('gone');
      }));

    test('what an object controls goes with it when it loses the last one', () =>
      inWorld([], async ({ store }) => {
        const leaving = await createLeaving(store, [OURS]);
        accepted(await store.create(JOB, job(namespace, 'child', leaving)));
        accepted(await store.create(JOB, job(namespace, 'other')));
        accepted(await remove(store, leaving, [OURS]));
        await eventually(async () => {
          expect((await listed(store, JOB)).map(({ metadata }) => metadata.name)).toEqual(['other']);
        });
      }));

    test('an object that changed since it was read is a conflict, and is left as it is', () =>
      inWorld([], async ({ store, touch }) => {
        await createHeld(store, [OURS]);
        const before = await read(store, JOB, 'run');
        await touch(JOB, key);
        expect(outcome(await remove(store, before, [OURS]))).toBe('conflict');
        expect((await read(store, JOB, 'run')).metadata.finalizers).toEqual([OURS]);
      }));

    test('the uid alone decides, even with the current resource version', () =>
      inWorld([], async ({ store }) => {
        const before = await createHeld(store, [OURS]);
        const precondition = { ...preconditionOf(before), uid: '11111111-2222-4333-8444-555555555555' };
        expect(outcome(await store.removeFinalizers(JOB, key, precondition, [OURS]))).toBe('conflict');
        expect(await read(store, JOB, 'run')).toEqual(before);
      }));

    test('an object that is not there is gone, and is not made', () =>
      inWorld([], async ({ store }) => {
        const run = await createHeld(store, [OURS]);
        const missing = keyIn(JOB, 'missing');
        const result = await store.removeFinalizers(JOB, missing, preconditionOf(run), [OURS]);
        expect(outcome(result)).toBe('gone');
        expect(await store.get(JOB, missing)).toEqual({ state: 'missing' });
      }));

    test('of two at once on one version, one goes through', () =>
      inWorld([], async ({ store }) => {
        const before = await createHeld(store, [OURS, THEIRS]);
        const results = await Promise.all([OURS, THEIRS].map((one) => remove(store, before, [one])));
        expect(results.map(outcome).sort()).toEqual(['conflict', 'ok']);
      }));

    test('the version that comes back is good for the next write', () =>
      inWorld([nightly], async ({ store }) => {
        const before = await createHeld(store, [OURS, THEIRS]);
        const after = accepted(await remove(store, before, [OURS]));
        const marks = { 'example.com/mark': 'a' };
        expect(outcome(await store.annotate(JOB, key, preconditionOf(before), marks))).toBe('conflict');
        expect(outcome(await store.annotate(JOB, key, preconditionOf(after), marks))).toBe('ok');
      }));

    test('what was taken off an object that was there before stays off in the next ticks', () =>
      inWorld([held], async ({ store, nextTick }) => {
        const seeded = keyIn(CRON_JOB, 'nightly');
        const before = await read(store, CRON_JOB, 'nightly');
        expect(before.metadata.finalizers).toEqual([OURS, THEIRS]);
        accepted(await store.removeFinalizers(CRON_JOB, seeded, preconditionOf(before), [OURS]));
        const next = await nextTick();
        const freed = await read(next, CRON_JOB, 'nightly');
        expect(freed.metadata.finalizers).toEqual([THEIRS]);
        accepted(await next.delete(CRON_JOB, seeded, preconditionOf(freed)));
        const leaving = await read(next, CRON_JOB, 'nightly');
        accepted(await next.removeFinalizers(CRON_JOB, seeded, preconditionOf(leaving), [THEIRS]));
        expect(await (await nextTick()).get(CRON_JOB, seeded)).toEqual({ state: 'missing' });
      }));
  });
}
