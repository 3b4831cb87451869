import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { decided } from './support/decided.ts';
import { effort, PATIENCE } from './support/effort.ts';
import { somePoisoned } from './support/poison.ts';
import { apartObjects, isApart } from './support/snapshot/apart.ts';
import { grow, someGrowth } from './support/snapshot/grown-world.ts';
import { MANAGING } from './support/snapshot/history.ts';

/** What is decided for schedules and policies that have nothing to do with all the others. */
function toldOfApart(objects: readonly KubeObject[], now: Instant, what = 'whole'): string {
  const { changeSet, problems } = decided(objects, now, MANAGING);
  expect(problems, what).toEqual([]);
  const { schedules, retention, diagnostics } = changeSet;
  return JSON.stringify(
    {
      schedules: schedules.filter(({ key }) => isApart(key.name)),
      retention: retention.filter(({ key }) => isApart(key.name)),
      diagnostics: diagnostics.filter(({ object }) => object !== undefined && isApart(object.name)),
    },
    undefined,
    1,
  );
}

const POISONED = ['SnapshotSchedule', 'SnapshotPolicy', 'Repository', 'Snapshot'];

describe('one broken object of a SnapshotSchedule', () => {
  test(
    'never changes what happens to another schedule of other policies',
    async () => {
      const some = fc.record({ growth: someGrowth, seed: fc.nat() });
      const what = new Set<string>();
      await fc.assert(
        fc.asyncProperty(some, async ({ growth, seed }) => {
          const { objects, now } = await grow(growth);
          const whole = apartObjects(now);
          const clean = toldOfApart([...objects, ...whole], now);
          const victims = objects.filter(({ kind }) => POISONED.includes(kind));
          const poisons = fc
            .constantFrom(...victims)
            .chain((victim) => somePoisoned(victim).map((poisoned) => ({ victim, poisoned })));
          for (const { victim, poisoned } of fc.sample(poisons, { numRuns: POISONS, seed })) {
            what.add(poisoned.what);
            const id = keyId(keyOf(victim));
            const dirty = objects.map((object) => (keyId(keyOf(object)) === id ? poisoned.object : object));
            expect(toldOfApart([...dirty, ...whole], now, poisoned.what), poisoned.what).toBe(clean);
          }
        }),
        effort('poisonedSnapshots'),
      );
      expect(what.size).toBeGreaterThan(100);
    },
    PATIENCE,
  );

  test('is seen beside schedules that fire, replace, trim and wait', () => {
    const now = instant(1_781_060_410);
    const told = toldOfApart(apartObjects(now), now);
    const words = [
      'fired',
      'held',
      'ReplacedActiveRun',
      'OtherRunActive',
      'HistoryLimit',
      'Retention',
      'apart-disk',
    ];
    expect(words.filter((word) => !told.includes(word))).toEqual([]);
  });
});

/** Broken objects in each world. */
const POISONS = 25;
