import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import type { Store, WriteResult } from '#store/port.ts';
import type { Suite } from '#test/store/contract/suite.ts';
import {
  accepted,
  CRON_JOB,
  FIRST,
  JOB,
  job,
  outcome,
  preconditionOf,
  SECOND,
} from '#test/store/fixtures.ts';

export function describeStatus(suite: Suite): void {
  const { foreign, inWorld, keyIn, namespace, nightly, read } = suite;

  describe(`${suite.name}: status`, () => {
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

  describe(`${suite.name}: annotations that travel with a status`, () => {
    const key = keyIn(JOB, 'run');
    const marks = { 'example.com/mark': 'a', 'example.com/other': 'b' };

    function apply(store: Store, object: KubeObject, active: number, annotations?: typeof marks | object) {
      const texts = annotations as Readonly<Record<string, string>> | undefined;
      return store.applyStatus(JOB, key, preconditionOf(object), { active }, texts);
    }

    test('are set in the one write, beside those that are there', () =>
      inWorld([], async ({ store }) => {
        const before = accepted(await store.create(JOB, job(namespace, 'run')));
        const after = accepted(await apply(store, before, 1, marks));
        expect(after.metadata.annotations).toMatchObject({ 'example.com/note': 'kept', ...marks });
        expect(after.status).toMatchObject({ active: 1 });
        expect(after.spec).toEqual(before.spec);
        expect(await read(store, JOB, 'run')).toEqual(after);
      }));

    test('are a whole set: one that is left out goes, and no other', () =>
      inWorld([], async ({ store }) => {
        const before = accepted(await store.create(JOB, job(namespace, 'run')));
        const both = accepted(await apply(store, before, 1, marks));
        const one = accepted(await apply(store, both, 1, { 'example.com/mark': 'c' }));
        expect(one.metadata.annotations).toMatchObject({
          'example.com/note': 'kept',
          'example.com/mark': 'c',
        });
        expect(one.metadata.annotations).not.toHaveProperty(['example.com/other']);
        const none = accepted(await apply(store, one, 2));
        expect(none.metadata.annotations).not.toHaveProperty(['example.com/mark']);
        expect(none.metadata.annotations).toMatchObject({ 'example.com/note': 'kept' });
      }));

    test('that stand already change nothing', () =>
      inWorld([], async ({ store }) => {
        const before = accepted(await store.create(JOB, job(namespace, 'run')));
        const first = accepted(await apply(store, before, 1, marks));
        expect(accepted(await apply(store, first, 1, marks))).toEqual(first);
      }));

    test('outlive the next read of what a manifest spells out', () =>
      inWorld([{ object: job(namespace, 'run') }], async ({ store, nextTick }) => {
        const before = await read(store, JOB, 'run');
        accepted(await apply(store, before, 1, marks));
        const next = await nextTick();
        expect((await read(next, JOB, 'run')).metadata.annotations).toMatchObject(marks);
      }));
  });
}
