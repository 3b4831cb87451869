import { describe, expect, test } from 'vitest';
import { isObject } from '#core/object/canonical.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import type { Store, WriteResult } from '#store/port.ts';
import type { Suite } from '#test/store/contract/suite.ts';
import { accepted, CRON_JOB, cronJob, FIRST, outcome, preconditionOf } from '#test/store/fixtures.ts';

const SUSPEND = ['suspend'];
/** Of a Job that the CronJob makes: three levels below the spec. */
const NESTED = ['jobTemplate', 'spec', 'suspend'];

function specOf({ spec }: KubeObject): Readonly<Record<string, Json>> {
  return isObject(spec) ? spec : {};
}

function jobSpecOf(object: KubeObject): Readonly<Record<string, Json>> {
  const { jobTemplate } = specOf(object);
  return isObject(jobTemplate) && isObject(jobTemplate.spec) ? jobTemplate.spec : {};
}

/** Without what a server writes down about every change of a spec. */
function content({ metadata, spec, ...rest }: KubeObject): unknown {
  const { resourceVersion: _version, managedFields: _fields, generation: _generation, ...kept } = metadata;
  const { suspend: _suspend, ...others } = isObject(spec) ? spec : {};
  return { ...rest, metadata: kept, spec: others };
}

export function describeSpecField(suite: Suite): void {
  const { inWorld, keyIn, namespace, read } = suite;
  const key = keyIn(CRON_JOB, 'hourly');

  /** Made through the store: the spec of what a manifest spells out is the manifest's. */
  async function make(store: Store): Promise<KubeObject> {
    return accepted(await store.create(CRON_JOB, cronJob(namespace, 'hourly')));
  }

  async function set(
    store: Store,
    object: KubeObject,
    path: readonly string[],
    value: Json,
  ): Promise<WriteResult> {
    return store.setSpecField(CRON_JOB, key, preconditionOf(object), path, value);
  }

  describe(`${suite.name}: a field of the spec`, () => {
    test('is set, replaced, and seen by the next read', () =>
      inWorld([], async ({ store }) => {
        const before = await make(store);
        const suspended = accepted(await set(store, before, SUSPEND, true));
        expect(specOf(suspended).suspend).toBe(true);
        expect(await read(store, CRON_JOB, 'hourly')).toEqual(suspended);
        const resumed = accepted(await set(store, suspended, SUSPEND, false));
        expect(specOf(resumed).suspend).toBe(false);
        expect(await read(store, CRON_JOB, 'hourly')).toEqual(resumed);
      }));

    test('makes a new resource version and generation, and nothing else is different', () =>
      inWorld([], async ({ store }) => {
        const made = await make(store);
        const status = { lastScheduleTime: FIRST };
        const before = accepted(await store.applyStatus(CRON_JOB, key, preconditionOf(made), status));
        const after = accepted(await set(store, before, SUSPEND, true));
        expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
        expect(after.metadata.generation).toBe((before.metadata.generation ?? 0) + 1);
        expect(content(after)).toEqual(content(before));
      }));

    test('may lie deeper, and its neighbours stay', () =>
      inWorld([], async ({ store }) => {
        const before = await make(store);
        const after = accepted(await set(store, before, NESTED, true));
        expect(jobSpecOf(after)).toEqual({ ...jobSpecOf(before), suspend: true });
        expect({ ...specOf(after), jobTemplate: null }).toEqual({ ...specOf(before), jobTemplate: null });
      }));

    test('that has the value already writes nothing, and leaves the resource version', () =>
      inWorld([], async ({ store }) => {
        const suspended = accepted(await set(store, await make(store), SUSPEND, true));
        expect(accepted(await set(store, suspended, SUSPEND, true))).toEqual(suspended);
        expect(await read(store, CRON_JOB, 'hourly')).toEqual(suspended);
      }));

    test('whose holder is not there is refused, and none is made up', () =>
      inWorld([], async ({ store }) => {
        const before = await make(store);
        const result = await set(store, before, ['schedules', 'suspend'], true);
        expect(result).toMatchObject({ ok: false, failure: { kind: 'invalid' } });
        expect(result.ok ? '' : result.failure.message).toContain('.spec.schedules');
        expect(outcome(await set(store, before, ['schedule', 'suspend'], true))).toBe('invalid');
        expect(await read(store, CRON_JOB, 'hourly')).toEqual(before);
      }));

    test('of an object that changed since it was read is a conflict', () =>
      inWorld([], async ({ store, touch }) => {
        const before = await make(store);
        await touch(CRON_JOB, key);
        const touched = await read(store, CRON_JOB, 'hourly');
        expect(outcome(await set(store, before, SUSPEND, true))).toBe('conflict');
        expect(await read(store, CRON_JOB, 'hourly')).toEqual(touched);
      }));

    test('of a namesake with another uid is a conflict', () =>
      inWorld([], async ({ store, replace }) => {
        const before = await make(store);
        await replace(CRON_JOB, key);
        const namesake = await read(store, CRON_JOB, 'hourly');
        const { resourceVersion = '' } = namesake.metadata;
        for (const precondition of [preconditionOf(before), { ...preconditionOf(before), resourceVersion }])
          expect(outcome(await store.setSpecField(CRON_JOB, key, precondition, SUSPEND, true))).toBe(
            'conflict',
          );
        expect(await read(store, CRON_JOB, 'hourly')).toEqual(namesake);
      }));

    test('of an object that is not there is gone, and nothing is made', () =>
      inWorld([], async ({ store }) => {
        const before = await make(store);
        const missing = keyIn(CRON_JOB, 'missing');
        const result = await store.setSpecField(CRON_JOB, missing, preconditionOf(before), SUSPEND, true);
        expect(outcome(result)).toBe('gone');
        expect(await store.get(CRON_JOB, missing)).toEqual({ state: 'missing' });
      }));

    test('is set once where two set it to one value on one version', () =>
      inWorld([], async ({ store }) => {
        const before = accepted(await set(store, await make(store), SUSPEND, true));
        const results = await Promise.all([false, false].map(() => set(store, before, SUSPEND, false)));
        expect(results.map(outcome)).toContain('ok');
        expect(specOf(await read(store, CRON_JOB, 'hourly')).suspend).toBe(false);
      }));

    test('stays in the next tick, and the version that comes back is good for the next write', () =>
      inWorld([], async ({ store, nextTick }) => {
        const before = await make(store);
        const suspended = accepted(await set(store, before, SUSPEND, true));
        expect(outcome(await store.annotate(CRON_JOB, key, preconditionOf(before), { a: 'b' }))).toBe(
          'conflict',
        );
        const next = await nextTick();
        expect(await read(next, CRON_JOB, 'hourly')).toEqual(suspended);
        expect(outcome(await next.annotate(CRON_JOB, key, preconditionOf(suspended), { a: 'b' }))).toBe('ok');
      }));
  });
}
