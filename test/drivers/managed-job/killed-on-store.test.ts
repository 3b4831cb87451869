import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant } from '#core/time/instant.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';
import { RANDOM_FACTOR } from '#test/support/test-length.ts';
import { live, settleJobs, standing, tickJobs, tickKilled } from './support/on-store.ts';
import { type Scenario, scenario } from './support/scenario.ts';
import { worldOf } from './support/world.ts';

const START = Date.parse('2026-10-28T08:00:00Z') / 1000;

function storeOf({ spec }: Scenario): MemoryStore {
  return memoryStore({ objects: [worldOf(spec).job], now: instant(START), writesAtOnce: 16 });
}

/** The minutes up to one, each of them undisturbed to its end. */
async function arrived(given: Scenario, minute: number): Promise<MemoryStore> {
  const store = storeOf(given);
  for (const [at, { fates, deed }] of given.minutes.slice(0, minute + 1).entries()) {
    const now = instant(START + at * 60);
    live(store, fates, deed, now);
    if (at < minute) await settleJobs(store, now);
  }
  return store;
}

test('killed after every single write of a tick, the store comes to the same rest', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      for (const at of given.minutes.keys()) {
        const now = instant(START + at * 60);
        const whole = await arrived(given, at);
        const before = whole.writes().length;
        await tickJobs(whole, now);
        const writes = whole.writes().length - before;
        await settleJobs(whole, now);
        for (let done = 1; done < writes; done++) {
          const store = await arrived(given, at);
          await tickKilled(store, now, done);
          await settleJobs(store, now);
          expect(standing(store), `minute ${at}, killed after ${done} of ${writes}`).toEqual(standing(whole));
        }
      }
    }),
    { numRuns: 40 * RANDOM_FACTOR },
  );
}, 120_000);
