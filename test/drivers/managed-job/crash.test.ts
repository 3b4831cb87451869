import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Instant } from '#core/time/instant.ts';
import { parseInstant } from '#core/time/instant.ts';
import { RANDOM_FACTOR } from '#test/support/test-length.ts';
import { doDeed, movePods, scenario } from './support/scenario.ts';
import { applyAll, evaluate, settle, type World, worldOf, writesOf } from './support/world.ts';

const START = parseInstant('2026-10-28T08:00:00Z') ?? (0 as Instant);

function minute(at: number): Instant {
  return (START + at * 60) as Instant;
}

/** What is left at rest: the counts, the conditions, and every pod with its finalizers. */
function remains({ job, pods, problems, jobDeleted }: World): unknown {
  const sorted = [...pods].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    status: job.status,
    annotations: job.metadata.annotations ?? {},
    pods: sorted,
    problems,
    jobDeleted,
  };
}

test('killed after every single write, the Job comes to the same rest', () => {
  fc.assert(
    fc.property(scenario, ({ spec, minutes }) => {
      let world = worldOf(spec);
      for (const [at, { fates, deed }] of minutes.entries()) {
        const now = minute(at);
        world = doDeed(movePods(world, fates, now), deed, now);
        const writes = writesOf(evaluate(world, now));
        const rest = settle(world, now);
        expect(rest.problems).toEqual([]);
        for (let done = 1; done < writes.length; done++) {
          const killed = applyAll(world, writes.slice(0, done), now);
          expect(remains(settle(killed, now)), `killed after ${done} of ${writes.length}`).toEqual(
            remains(rest),
          );
        }
        world = rest;
      }
    }),
    { numRuns: 200 * RANDOM_FACTOR },
  );
});
