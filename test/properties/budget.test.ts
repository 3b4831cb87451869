import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChangeSet } from '#core/change/change-set.ts';
import type { KubeObject } from '#core/object/object.ts';
import { type Instant, instant, parseInstant } from '#core/time/instant.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';
import { effort, PATIENCE } from './support/effort.ts';
import { endState } from './support/end-state.ts';
import { runTick, SETTINGS } from './support/tick.ts';
import { someWorld, type World } from './support/world.ts';

function openWorld({ schedules, runs, now }: World): MemoryStore {
  return memoryStore({ objects: [...schedules, ...runs], now });
}

/** Since when each schedule with this verdict owes a slot: the latest slot alone would favour the same ones for ever. */
function owedSince(changeSet: ChangeSet, code: 'fired' | 'deferred'): readonly number[] {
  return changeSet.schedules.flatMap(({ verdict, changes }) => {
    const isNew = code === 'deferred' || changes.some(({ verb }) => verb === 'create');
    return verdict.code === code && isNew ? (verdict.superseded?.oldest ?? verdict.slot ?? []) : [];
  });
}

const START = parseInstant('2026-06-10T00:00:00Z') as Instant;

function minutely(name: string): KubeObject {
  const containers = [{ name: 'work', image: 'registry.example/work:1' }];
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, namespace: 'harbor', uid: `uid-${name}`, creationTimestamp: '2026-06-10T00:00:00Z' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers } } } },
    },
  };
}

/** More ticks than there is anything to do. */
const MANY = 60;

describe('a budget of creates and deletes', () => {
  test(
    'spreads the same work over several ticks, what has been owed the longest first',
    async () => {
      const budget = fc.record({
        maxCreates: fc.integer({ min: 1, max: 2 }),
        maxDeletes: fc.integer({ min: 8, max: 9 }),
      });
      await fc.assert(
        fc.asyncProperty(someWorld({ min: 2, max: 6 }), budget, async (world, limits) => {
          const free = openWorld(world);
          await runTick(free, world.now);
          const tight = openWorld(world);
          const settings = { ...SETTINGS, ...limits };
          let left = MANY;
          for (let changes = 1; changes > 0 && left > 0; left--) {
            const { changeSet } = await runTick(tight, world.now, settings);
            expect(changeSet.counts.creates).toBeLessThanOrEqual(limits.maxCreates);
            expect(changeSet.counts.deletes).toBeLessThanOrEqual(limits.maxDeletes);
            const youngest = Math.max(0, ...owedSince(changeSet, 'fired'));
            expect(owedSince(changeSet, 'deferred').filter((since) => since < youngest)).toEqual([]);
            changes = changeSet.schedules.flatMap((one) => one.changes).length;
          }
          expect(left).toBeGreaterThan(0);
          expect(await endState(tight)).toEqual(await endState(free));
        }),
        effort('order'),
      );
    },
    PATIENCE,
  );

  test('gives every one of many minutely schedules its turn', async () => {
    const schedules = ['c1', 'c2', 'c3', 'c4', 'c5'].map((name) => minutely(name));
    const store = memoryStore({ objects: schedules, now: START });
    const fired = new Map<string, number>();
    for (let tick = 1; tick <= 10; tick++) {
      const { changeSet } = await runTick(store, instant(START + 60 * tick + 10), {
        ...SETTINGS,
        maxCreates: 2,
      });
      for (const { key, verdict } of changeSet.schedules)
        if (verdict.code === 'fired') fired.set(key.name, (fired.get(key.name) ?? 0) + 1);
    }
    expect(fired.size).toBe(schedules.length);
    expect(Math.min(...fired.values())).toBeGreaterThanOrEqual(3);
  });
});
