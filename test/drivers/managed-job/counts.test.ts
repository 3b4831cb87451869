import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import { parseInstant } from '#core/time/instant.ts';
import { RANDOM_FACTOR } from '#test/support/test-length.ts';
import { doDeed, movePods, scenario } from './support/scenario.ts';
import {
  applyAll,
  evaluate,
  phaseOf,
  type Release,
  settle,
  type World,
  worldOf,
  writesOf,
} from './support/world.ts';

const START = parseInstant('2026-10-28T08:00:00Z') ?? (0 as Instant);

function minute(at: number): Instant {
  return (START + at * 60) as Instant;
}

function statusOf({ job }: World): JsonObject {
  return isObject(job.status) ? job.status : {};
}

function numberOf(status: JsonObject, key: string): number {
  return Number(status[key] ?? 0);
}

function count(released: readonly Release[], listed: Release['listed']): number {
  return released.filter((one) => one.listed === listed).length;
}

function isDisrupted({ pod }: Release): boolean {
  return JSON.stringify(pod.status).includes('DisruptionTarget');
}

function isMet({ status }: Release): boolean {
  return JSON.stringify(status.conditions ?? []).includes('SuccessCriteriaMet');
}

/** Pods that are over, lose their finalizer and are on no list, although nothing takes them out of the count. */
function forgotten(spec: JsonObject, { released }: World): readonly string[] {
  return released
    .filter((one) => one.listed === 'nowhere')
    .filter(({ pod }) => ['Succeeded', 'Failed'].includes(phaseOf(pod)))
    .filter(({ pod }) => spec.completionMode !== 'Indexed' || phaseOf(pod) === 'Failed')
    .filter((one) => !(spec.podFailurePolicy !== undefined && isDisrupted(one)))
    .filter((one) => !(isMet(one) && one.pod.metadata.deletionTimestamp !== undefined))
    .map(({ pod }) => pod.metadata.name);
}

/** The scenario with a tick that ends after so many writes in some of its minutes, while the pods go on. */
const killed = fc.record({
  scenario,
  kills: fc.array(fc.option(fc.nat({ max: 8 }), { nil: undefined }), { maxLength: 10 }),
});

test('whenever a tick ends, every pod is counted once', () => {
  fc.assert(
    fc.property(killed, ({ scenario: { spec, minutes }, kills }) => {
      let world = worldOf(spec);
      for (const [at, { fates, deed }] of minutes.entries()) {
        const now = minute(at);
        // A shrunk Job drops what was done beyond its end: the pods of these indexes are in no count.
        const isResize = deed === 'shrink' || deed === 'grow';
        world = doDeed(movePods(world, fates, now), isResize ? 'nothing' : deed, now);
        const writes = writesOf(evaluate(world, now));
        world = applyAll(world, writes.slice(0, kills[at] ?? writes.length), now);
      }
      const rest = settle(world, minute(minutes.length));
      const status = statusOf(rest);
      expect(rest.problems).toEqual([]);
      expect(forgotten(spec, rest)).toEqual([]);
      expect(numberOf(status, 'failed')).toBe(count(rest.released, 'failed'));
      if (spec.completionMode !== 'Indexed')
        expect(numberOf(status, 'succeeded')).toBe(count(rest.released, 'succeeded'));
    }),
    { numRuns: 500 * RANDOM_FACTOR },
  );
});
