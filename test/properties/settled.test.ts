import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChangeSet } from '#core/change/change-set.ts';
import { instant } from '#core/time/instant.ts';
import { memoryStore } from '#test/fakes/memory-store.ts';
import { effort, PATIENCE } from './support/effort.ts';
import { foresee, runTick } from './support/tick.ts';
import { someWorld } from './support/world.ts';

function changesOf(changeSet: ChangeSet): readonly string[] {
  return changeSet.schedules.flatMap(({ changes }) =>
    changes.map((change) => `${change.verb} ${change.key.kind} ${change.key.namespace}/${change.key.name}`),
  );
}

describe('deciding again after applying', () => {
  test(
    'gives nothing at the same now, and nothing a second later when no slot fell in between',
    async () => {
      const world = someWorld({ min: 1, max: 6 });
      await fc.assert(
        fc.asyncProperty(world, async ({ now, schedules, runs }) => {
          const store = memoryStore({ objects: [...schedules, ...runs], now });
          const { report } = await runTick(store, now);
          expect(report.partial).toBe(false);
          expect(report.diagnostics).toEqual([]);
          const again = await foresee(store, now);
          expect(changesOf(again.changeSet)).toEqual([]);
          const later = await foresee(store, instant(now + 1));
          expect(changesOf(later.changeSet)).toEqual([]);
        }),
        effort('settled'),
      );
    },
    PATIENCE,
  );

  test(
    'writes nothing at all in an idle tick',
    async () => {
      const world = someWorld({ min: 1, max: 6 });
      await fc.assert(
        fc.asyncProperty(world, async ({ now, schedules, runs }) => {
          const store = memoryStore({ objects: [...schedules, ...runs], now });
          await runTick(store, now);
          const written = store.writes().length;
          await runTick(store, now);
          expect(store.writes()).toHaveLength(written);
        }),
        effort('order'),
      );
    },
    PATIENCE,
  );
});
