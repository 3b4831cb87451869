import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChangeSet } from '#core/change/change-set.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';
import { effort, PATIENCE } from './support/effort.ts';
import { endState } from './support/end-state.ts';
import { runTick, SETTINGS } from './support/tick.ts';
import { someWorld, type World } from './support/world.ts';

function openWorld({ schedules, runs, now }: World): MemoryStore {
  return memoryStore({ objects: [...schedules, ...runs], now });
}

function slotsWith(changeSet: ChangeSet, code: 'fired' | 'deferred'): readonly number[] {
  return changeSet.schedules.flatMap(({ verdict, changes }) => {
    const isNew = code === 'deferred' || changes.some(({ verb }) => verb === 'create');
    return verdict.code === code && isNew ? (verdict.slot ?? []) : [];
  });
}

/** More ticks than there is anything to do. */
const MANY = 60;

describe('a budget of creates and deletes', () => {
  test(
    'spreads the same work over several ticks, the oldest slots first',
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
            const newest = Math.max(0, ...slotsWith(changeSet, 'fired'));
            expect(slotsWith(changeSet, 'deferred').filter((slot) => slot < newest)).toEqual([]);
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
});
