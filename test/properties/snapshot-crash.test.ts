import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { FAULTS, inDirectory, inMemory, type Place, tickWith } from './support/crash-at-write.ts';
import { effort, PATIENCE } from './support/effort.ts';
import { endState } from './support/end-state.ts';
import { CRASH_WORLDS, NOW } from './support/snapshot/crash-worlds.ts';
import { grow, someGrowth } from './support/snapshot/grown-world.ts';
import { MANAGING } from './support/snapshot/history.ts';
import { foresee } from './support/tick.ts';

/** More ticks than one that died leaves work for: a run that is deleted in one may set another schedule free. */
const PATIENT = 6;

async function settle(place: Place, from: Instant): Promise<void> {
  for (let tick = 1; tick <= PATIENT; tick++) {
    const store = await place.open(from);
    const { changeSet } = await foresee(store, from, MANAGING);
    if (![...changeSet.schedules, ...changeSet.retention].some(({ changes }) => changes.length > 0)) return;
    await tickWith(store, from, undefined, { settings: MANAGING });
  }
  throw new Error(`not settled after ${PATIENT} ticks`);
}

interface Undisturbed {
  readonly writes: number;
  readonly end: unknown;
}

async function undisturbed(place: Place, now: Instant, next: Instant): Promise<Undisturbed> {
  const { writes } = await tickWith(await place.open(now), now, undefined, { settings: MANAGING });
  await settle(place, next);
  return { writes: writes.length, end: await endState(await place.open(next)) };
}

const NEXT = instant(NOW + 60);

describe.each([
  ['the memory', (objects: readonly KubeObject[]) => inMemory(objects, NOW), Object.keys(FAULTS)],
  // Answers that are lost look alike on every store.
  ['a state folder', inDirectory, ['dies before', 'dies after']],
] as const)('on %s, a tick of SnapshotSchedules that', (_name, open, faults) => {
  describe.each(faults)('%s a write', (fault) => {
    test.each(Object.entries(CRASH_WORLDS))('is made good for %s', async (_what, objects) => {
      const { writes, end } = await undisturbed(open(objects), NOW, NEXT);
      expect(writes).toBeGreaterThan(0);
      for (let write = 0; write < writes; write++) {
        const place = open(objects);
        await tickWith(await place.open(NOW), NOW, { write, fault }, { settings: MANAGING });
        await settle(place, NEXT);
        expect(await endState(await place.open(NEXT)), `${fault} write ${write + 1}`).toEqual(end);
      }
    });
  });
});

describe('a tick that dies anywhere in a cluster that has lived', () => {
  test(
    'is made good by the next ones',
    async () => {
      const some = fc.record({
        growth: someGrowth,
        fault: fc.constantFrom(...Object.keys(FAULTS)),
        write: fc.nat(),
      });
      let tried = 0;
      await fc.assert(
        fc.asyncProperty(some, async ({ growth, fault, write }) => {
          const { objects, now } = await grow(growth);
          const { writes, end } = await undisturbed(inMemory(objects, now), now, now);
          if (writes === 0) return;
          tried += 1;
          const place = inMemory(objects, now);
          await tickWith(
            await place.open(now),
            now,
            { write: write % writes, fault },
            { settings: MANAGING },
          );
          await settle(place, now);
          expect(await endState(await place.open(now))).toEqual(end);
        }),
        effort('grown'),
      );
      expect(tried).toBeGreaterThan(effort('grown').numRuns / 2);
    },
    PATIENCE,
  );
});
