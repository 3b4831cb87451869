import { describe, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';
import { decided } from './support/decided.ts';
import { type RunDraft, runNameOf, runObject, runStatus } from './support/run-object.ts';
import { runTick } from './support/tick.ts';
import { scheduleObject, specOf, type Timetable } from './support/timetable.ts';

const SLOT = 1_781_060_400; // 2026-06-10T03:00:00Z
const NOW = instant(SLOT + 10);
const MINUTE = 60;

const BASE: Timetable = {
  kind: 'CronJob',
  namespace: 'harbor',
  name: 'rotate',
  expression: '* * * * *',
  zone: undefined,
  deadline: undefined,
  concurrency: 'Allow',
  suspend: false,
  limit: 0,
  failedLimit: 0,
  ttl: undefined,
};

function iso(at: number): string {
  return new Date(at * 1000).toISOString().replace('.000Z', 'Z');
}

function schedule(timetable: Timetable): KubeObject {
  return scheduleObject(timetable, SLOT - 86_400, { lastScheduleTime: iso(SLOT - MINUTE) });
}

function run(timetable: Timetable, slot: number, more: Partial<RunDraft>): KubeObject {
  return runObject(timetable, {
    name: runNameOf(timetable, slot),
    slot,
    owner: 'own',
    manual: false,
    created: slot,
    progress: 'running',
    since: slot,
    terminating: false,
    ...more,
  });
}

function storeOf(...objects: readonly KubeObject[]): MemoryStore {
  return memoryStore({ objects, now: NOW });
}

function creates(store: MemoryStore): readonly string[] {
  return store
    .writes()
    .filter(({ verb, key, changed }) => verb === 'create' && changed && key.kind !== 'Event')
    .map(({ key }) => key.name);
}

/** The tick goes wrong in its nth write and the next thing happens at once. */
function failNext(store: MemoryStore, nth: number): void {
  store.failWrite(store.writes().length + nth, { kind: 'transient', message: 'connection reset' });
}

function finish(store: MemoryStore, timetable: Timetable, at: number): void {
  const key = keyOf(run(timetable, SLOT, {}));
  store.edit(key, (object) => ({ ...object, status: runStatus(timetable.kind, 'succeeded', at) ?? null }));
}

function edit(store: MemoryStore, timetable: Timetable, change: Partial<Timetable>): void {
  const spec = specOf({ ...timetable, ...change });
  store.edit(keyOf(schedule(timetable)), (object) => ({ ...object, spec }));
}

const KINDS: readonly Timetable[] = [
  { ...BASE, ttl: 0 },
  { ...BASE, kind: 'EtcdDefragPolicy', failedLimit: undefined },
];

describe('a run whose status was lost and which the history then took away', () => {
  /** Its create went through, its status did not; the run has ended since. */
  async function lostStatus(timetable: Timetable): Promise<MemoryStore> {
    const store = storeOf(schedule(timetable));
    failNext(store, 2);
    await runTick(store, NOW);
    finish(store, timetable, NOW + 20);
    return store;
  }

  test.each(KINDS)('is not started again when the clock goes back ($kind)', async (timetable) => {
    const store = await lostStatus(timetable);
    failNext(store, 1);
    await runTick(store, instant(NOW + MINUTE));
    await runTick(store, instant(NOW + 30));
    expect(creates(store)).toEqual([runNameOf(timetable, SLOT)]);
  });

  test.each(KINDS)('is not started again after a pause ($kind)', async (timetable) => {
    const store = await lostStatus(timetable);
    edit(store, timetable, { suspend: true });
    await runTick(store, instant(NOW + 40));
    expect(store.objects().some(({ kind }) => kind === 'Job' || kind === 'EtcdDefrag')).toBe(false);
    edit(store, timetable, { suspend: false });
    await runTick(store, instant(NOW + 45));
    expect(creates(store)).toEqual([runNameOf(timetable, SLOT)]);
  });

  test.each(KINDS)(
    'is not started again by an edited schedule that names its slot too ($kind)',
    async (timetable) => {
      const store = await lostStatus(timetable);
      failNext(store, 1);
      await runTick(store, instant(NOW + MINUTE));
      edit(store, timetable, { expression: '0 * * * *' });
      await runTick(store, instant(NOW + 2 * MINUTE));
      expect(creates(store)).toEqual([runNameOf(timetable, SLOT)]);
    },
  );

  test.each(KINDS)('stays as long as no status can be written ($kind)', async (timetable) => {
    const store = await lostStatus(timetable);
    failNext(store, 1);
    await runTick(store, instant(NOW + 30));
    expect(store.objects().some(({ metadata }) => metadata.name === runNameOf(timetable, SLOT))).toBe(true);
    await runTick(store, instant(NOW + 40));
    expect(creates(store)).toEqual([runNameOf(timetable, SLOT)]);
  });
});

describe('a run by hand that has the name of the slot', () => {
  test('settles the slot before the history takes it away', async () => {
    const store = storeOf(
      schedule(BASE),
      run(BASE, SLOT, { manual: true, progress: 'succeeded', since: SLOT + 5 }),
    );
    await runTick(store, NOW);
    await runTick(store, NOW);
    expect(creates(store)).toEqual([]);
  });
});

describe('a replaced run that a finalizer holds back', () => {
  test('is tracked until it is gone, so that the next tick has nothing to write', async () => {
    const timetable: Timetable = { ...BASE, concurrency: 'Replace' };
    const held = run(timetable, SLOT - MINUTE, {});
    const metadata = { ...held.metadata, finalizers: ['example.org/hold'] };
    const store = storeOf(schedule(timetable), { ...held, metadata });
    await runTick(store, NOW);
    const written = store.writes().length;
    await runTick(store, NOW);
    expect(store.writes()).toHaveLength(written);
    const [cronJob] = store.objects().filter(({ kind }) => kind === 'CronJob');
    expect(cronJob?.status).toMatchObject({
      active: [{ name: held.metadata.name }, { name: runNameOf(timetable, SLOT) }],
    });
  });
});

describe('a budget of deletes', () => {
  test('is spent on the oldest runs, whatever the order of the input', () => {
    const others = ['a', 'b', 'c'].map((name): Timetable => ({ ...BASE, name, suspend: true }));
    const objects = others.flatMap((timetable, index): KubeObject[] => {
      const slot = SLOT - (index + 1) * 600;
      return [schedule(timetable), run(timetable, slot, { progress: 'succeeded', since: slot + 5 })];
    });
    const deleted = (order: readonly KubeObject[], now: Instant): readonly string[] =>
      decided(order, now, { maxDeletes: 1 }).changeSet.schedules.flatMap(({ changes }) =>
        changes.flatMap(({ verb, key }) => (verb === 'delete' ? key.name : [])),
      );
    expect(deleted(objects, NOW)).toEqual([runNameOf({ ...BASE, name: 'c' }, SLOT - 1800)]);
    expect(deleted([...objects].reverse(), NOW)).toEqual(deleted(objects, NOW));
  });
});
