import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChangeSet } from '#core/change/change-set.ts';
import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { controllerOf } from '#core/object/owner.ts';
import { decided } from './support/decided.ts';
import { effort, PATIENCE } from './support/effort.ts';
import { somePoisoned } from './support/poison.ts';
import { someWorld } from './support/world.ts';

/** The schedules that an object may rightly speak for: itself, or the one that controls it or has its name in use. */
function concerned(object: KubeObject, schedules: readonly KubeObject[]): ReadonlySet<string> {
  const owner = controllerOf(object)?.uid;
  const namesake = (schedule: KubeObject): boolean =>
    schedule.metadata.namespace === object.metadata.namespace &&
    object.metadata.name.startsWith(`${schedule.metadata.name}-`);
  const mine = schedules.filter(
    (schedule) => schedule === object || schedule.metadata.uid === owner || namesake(schedule),
  );
  return new Set(mine.map((schedule) => keyId(keyOf(schedule))));
}

function told(changeSet: ChangeSet, concernedIds: ReadonlySet<string>): string {
  const schedules = changeSet.schedules.filter(({ key }) => !concernedIds.has(keyId(key)));
  const diagnostics = changeSet.diagnostics.filter(
    ({ object }) => object === undefined || !concernedIds.has(keyId(object)),
  );
  return JSON.stringify({ schedules, diagnostics }, undefined, 1);
}

describe('one broken object', () => {
  test(
    'never changes what is decided for another',
    () => {
      const world = someWorld({ min: 2, max: 6 }).chain(({ now, schedules, runs }) => {
        const objects = [...schedules, ...runs];
        return fc
          .constantFrom(...objects)
          .chain((victim) =>
            somePoisoned(victim).map((poisoned) => ({ now, schedules, objects, victim, poisoned })),
          );
      });
      fc.assert(
        fc.property(world, ({ now, schedules, objects, victim, poisoned }) => {
          const ids = new Set([
            ...concerned(victim, schedules),
            keyId(keyOf(poisoned.object)),
            ...concerned(poisoned.object, schedules),
          ]);
          const clean = decided(objects, now);
          const dirty = decided(
            objects.map((object) => (object === victim ? poisoned.object : object)),
            now,
          );
          expect(told(dirty.changeSet, ids), poisoned.what).toBe(told(clean.changeSet, ids));
          expect(dirty.problems).toEqual([]);
        }),
        effort('poison'),
      );
    },
    PATIENCE,
  );

  test('is a world in which objects are truly broken', () => {
    const world = someWorld({ min: 1, max: 2 }).chain(({ schedules }) =>
      fc.constantFrom(...schedules).chain(somePoisoned),
    );
    const kinds = new Set(fc.sample(world, { ...effort('poison') }).map(({ what }) => what.split(': ')[1]));
    expect(kinds.size).toBeGreaterThan(7);
  });
});
