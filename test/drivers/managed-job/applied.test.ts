import { expect, test } from 'vitest';
import type { ApplyReport } from '#core/change/applied.ts';
import { keyOf } from '#core/object/key.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import type { Store } from '#store/port.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';
import { live, tickJobs } from './support/on-store.ts';
import { worldOf } from './support/world.ts';

const START = Date.parse('2026-10-28T08:00:00Z') / 1000;
const NOW = instant(START);
const LATER = instant(START + 60);

function storeOf(spec: JsonObject): MemoryStore {
  return memoryStore({ objects: [worldOf(spec).job], now: NOW, writesAtOnce: 16 });
}

function ofKind(store: MemoryStore, kind: string): readonly KubeObject[] {
  return store.objects().filter((object) => object.kind === kind);
}

function statusOf(store: MemoryStore): JsonObject {
  return (ofKind(store, 'Job')[0]?.status ?? {}) as JsonObject;
}

function eventsOf(store: MemoryStore): readonly string[] {
  return ofKind(store, 'Event').map(({ reason, note }) => `${String(reason)}: ${String(note)}`);
}

function outcomes({ works }: ApplyReport): readonly string[] {
  return works.flatMap(({ applied }) =>
    applied.map(({ change, state }) => `${change.verb} ${change.key.kind} ${state}`),
  );
}

/** A quota for so many pods. */
function withQuota(store: Store, pods: number): Store {
  let made = 0;
  return {
    ...store,
    create: async (type, object) => {
      if (type.kind === 'Pod' && ++made > pods)
        return { ok: false, failure: { kind: 'forbidden', message: 'exceeded quota: few' } };
      return store.create(type, object);
    },
  };
}

test('at the end of a quota few creates are tried, the status tells the truth, and an event the reason', async () => {
  const store = storeOf({ parallelism: 16, completions: 16 });
  const report = await tickJobs(withQuota(store, 2), NOW);
  expect(ofKind(store, 'Pod')).toHaveLength(2);
  expect(statusOf(store)).toMatchObject({ active: 2, startTime: '2026-10-28T08:00:00Z' });
  expect(eventsOf(store)).toEqual(['FailedCreate: Error creating: exceeded quota: few']);
  const tried = outcomes(report).filter((line) => line.startsWith('create Pod'));
  expect(tried.filter((line) => line.endsWith('failed')).length).toBeLessThanOrEqual(2);
  expect(tried.filter((line) => line.endsWith('skipped')).length).toBeGreaterThan(10);
  expect(report.partial).toBe(true);
  // The next tick makes the rest.
  await tickJobs(store, NOW);
  expect(ofKind(store, 'Pod')).toHaveLength(16);
  expect(statusOf(store)).toMatchObject({ active: 16 });
});

test('a pod that another tick made is no failure; one of somebody else is', async () => {
  const store = storeOf({ parallelism: 1 });
  await tickJobs(store, NOW);
  const [pod] = ofKind(store, 'Pod');
  if (pod === undefined) throw new Error('no pod');
  // It is hidden from the list, as one that was made a moment ago.
  const blind: Store = { ...store, listLabelled: async () => ({ state: 'read', objects: [] }) };
  expect(outcomes(await tickJobs(blind, NOW))).toContain('create Pod unnecessary');
  const { ownerReferences: _owners, ...metadata } = pod.metadata;
  store.put({ ...pod, metadata });
  const report = await tickJobs(blind, NOW);
  expect(report.diagnostics.map(({ code }) => code)).toEqual(['NameTaken']);
  expect(statusOf(store)).not.toHaveProperty(['active']);
});

/** Somebody changes a pod between the read of a tick and its first write. */
function touching(store: MemoryStore, change: (pod: KubeObject) => KubeObject): Store {
  let touched = false;
  const touch = (): void => {
    if (touched) return;
    touched = true;
    for (const pod of ofKind(store, 'Pod')) store.edit(keyOf(pod), change);
  };
  return {
    ...store,
    removeFinalizers: (...asked) => {
      touch();
      return store.removeFinalizers(...asked);
    },
    delete: (...asked) => {
      touch();
      return store.delete(...asked);
    },
  };
}

test('a pod that only changed a little is released all the same', async () => {
  const store = storeOf({});
  await tickJobs(store, NOW);
  live(store, ['succeeds'], 'nothing', LATER);
  const label = (pod: KubeObject): KubeObject => ({
    ...pod,
    metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, touched: 'yes' } },
  });
  const report = await tickJobs(touching(store, label), LATER);
  expect(report.diagnostics).toEqual([]);
  expect(statusOf(store)).toMatchObject({ succeeded: 1, uncountedTerminatedPods: {} });
  expect(ofKind(store, 'Pod')[0]?.metadata.finalizers).toBeUndefined();
});

test('a pod that ends while the Job is being suspended is counted, not given up', async () => {
  const store = storeOf({});
  await tickJobs(store, NOW);
  live(store, ['runs'], 'suspend', LATER);
  const end = (pod: KubeObject): KubeObject => ({ ...pod, status: { phase: 'Succeeded' } });
  const report = await tickJobs(touching(store, end), LATER);
  expect(report.diagnostics.map(({ code }) => code)).toEqual(['ChangedMeanwhile']);
  expect(ofKind(store, 'Pod')[0]?.metadata.finalizers).toEqual(['batch.kubernetes.io/job-tracking']);
  await tickJobs(store, LATER);
  expect(statusOf(store)).toMatchObject({ succeeded: 1 });
});

test('a finished Job goes when its time to live is over, and not one that changed since', async () => {
  const store = storeOf({ ttlSecondsAfterFinished: 60 });
  await tickJobs(store, NOW);
  live(store, ['succeeds'], 'nothing', LATER);
  await tickJobs(store, LATER);
  const over = instant(START + 120);
  const edited: Store = {
    ...store,
    delete: (...asked) => {
      const [job] = ofKind(store, 'Job');
      if (job !== undefined)
        store.edit(keyOf(job), (one) => ({
          ...one,
          spec: { ...(one.spec as JsonObject), ttlSecondsAfterFinished: 3600 },
        }));
      return store.delete(...asked);
    },
  };
  expect((await tickJobs(edited, over)).diagnostics.map(({ code }) => code)).toEqual(['ChangedMeanwhile']);
  expect(ofKind(store, 'Job')).toHaveLength(1);
  store.edit(keyOf(ofKind(store, 'Job')[0] as KubeObject), (one) => ({
    ...one,
    spec: { ...(one.spec as JsonObject), ttlSecondsAfterFinished: 60 },
  }));
  await tickJobs(store, over);
  expect([...ofKind(store, 'Job'), ...ofKind(store, 'Pod')]).toEqual([]);
});

test('many pods are told of by one event', async () => {
  const store = storeOf({ parallelism: 5, completions: 5 });
  await tickJobs(store, NOW);
  const [event, ...more] = eventsOf(store);
  expect(more).toEqual([]);
  expect(event).toMatch(/^SuccessfulCreate: Created 5 pods: work-\w{5}, work-\w{5}, work-\w{5} and 2 more$/);
});
