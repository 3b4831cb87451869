import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '#core/object/canonical.ts';
import { decided } from './support/decided.ts';
import { effort, PATIENCE } from './support/effort.ts';
import { someWorld } from './support/world.ts';

const someBudget = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined });

describe('the order of the input', () => {
  test(
    'changes no byte of the change set, whatever the budgets',
    () => {
      const world = someWorld({ min: 2, max: 8 }).chain((one) => {
        const objects = [...one.schedules, ...one.runs];
        return fc.record({
          now: fc.constant(one.now),
          objects: fc.constant(objects),
          shuffled: fc.shuffledSubarray(objects, { minLength: objects.length }),
          maxCreates: someBudget,
          maxDeletes: someBudget,
        });
      });
      fc.assert(
        fc.property(world, ({ now, objects, shuffled, maxCreates, maxDeletes }) => {
          const budgets = {
            ...(maxCreates === undefined ? {} : { maxCreates }),
            ...(maxDeletes === undefined ? {} : { maxDeletes }),
          };
          const one = decided(objects, now, budgets);
          const other = decided(shuffled, now, budgets);
          expect(JSON.stringify(other.changeSet)).toBe(JSON.stringify(one.changeSet));
          expect(canonicalJson(other.changeSet)).toBe(canonicalJson(one.changeSet));
          expect(one.problems).toEqual([]);
        }),
        effort('order'),
      );
    },
    PATIENCE,
  );
});
