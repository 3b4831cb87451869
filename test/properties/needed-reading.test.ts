import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Instant, parseInstant } from '#core/time/instant.ts';
import { memoryStore } from '#test/fakes/memory-store.ts';
import { IS_LONG } from '#test/support/test-length.ts';
import { checkBothReadings } from './support/both-readings.ts';
import { effort, PATIENCE } from './support/effort.ts';
import { live } from './support/history.ts';
import { someOrderHistory } from './support/orders/arbitraries.ts';
import { live as liveOrders } from './support/orders/history.ts';
import { someBeginning } from './support/snapshot/arbitraries.ts';
import { someStart } from './support/snapshot/grown-world.ts';
import { live as liveSnapshots } from './support/snapshot/history.ts';
import { someStep as someSnapshotStep } from './support/snapshot/step.ts';
import { someStep } from './support/step.ts';
import { SETTINGS } from './support/tick.ts';
import { someTimetables } from './support/timetable.ts';
import { someWorld } from './support/world.ts';

const HISTORIES = IS_LONG ? 10_000 : 300;
const TICKS = 24;
/** Orders pile up, so that their histories cost more the longer they are. */
const ORDER_TICKS = IS_LONG ? TICKS : 16;
/** One history of Plans in that many ends with the time of a sweep in which nobody does anything. */
const RESTING = 4;
const { seed } = effort('histories');

/** Of all histories those of a kind, undisturbed or troubled; they cost the more the more they have to write. */
function share(part: number): {
  readonly seed: number;
  readonly numRuns: number;
  readonly endOnFailure: true;
} {
  return { seed, numRuns: Math.ceil((HISTORIES * part) / 2), endOnFailure: true };
}

const OF_RUNS = share(0.5);
const OF_SNAPSHOTS = share(0.25);
const OF_ORDERS = share(0.25);

const STARTS = ['2026-03-28T22:50:20Z', '2026-10-24T22:50:20Z', '2026-06-10T08:50:20Z'].map(
  (text) => parseInstant(text) as Instant,
);

describe('reading only the runs that a tick needs', () => {
  test.each([
    ['undisturbed', false],
    ['troubled', true],
  ])(
    'keeps every promise of reading all of them, in %s histories',
    async (_what, troubled) => {
      let made = 0;
      const steps = fc.array(someStep(troubled), { minLength: TICKS, maxLength: TICKS });
      const history = fc.tuple(someTimetables(2, 5), fc.constantFrom(...STARTS), steps);
      await fc.assert(
        fc.asyncProperty(history, async ([timetables, start, taken]) => {
          made += (await live(timetables, start, taken, (store) => store, 'needed')).runs;
        }),
        OF_RUNS,
      );
      expect(made).toBeGreaterThan(OF_RUNS.numRuns);
    },
    PATIENCE * 3,
  );

  test.each([
    ['undisturbed', false],
    ['troubled', true],
  ])(
    'keeps them for SnapshotSchedules, in %s histories',
    async (_what, troubled) => {
      let made = 0;
      const steps = fc.array(someSnapshotStep(troubled), { minLength: TICKS, maxLength: TICKS });
      await fc.assert(
        fc.asyncProperty(fc.tuple(someBeginning, someStart, steps), async ([beginning, start, taken]) => {
          made += (await liveSnapshots(beginning, start, taken, (store) => store, 'needed')).runs;
        }),
        OF_SNAPSHOTS,
      );
      expect(made).toBeGreaterThan(OF_SNAPSHOTS.numRuns);
    },
    PATIENCE * 3,
  );

  test.each([
    ['undisturbed', false],
    ['troubled', true],
  ])(
    'keeps them for Plans and for the orders of drivers, in %s histories',
    async (_what, troubled) => {
      let made = 0;
      let backups = 0;
      await fc.assert(
        fc.asyncProperty(someOrderHistory(troubled, ORDER_TICKS, RESTING), async (history) => {
          const { runs, orders } = await liveOrders(history, 'needed');
          made += runs;
          backups += orders.backups;
        }),
        OF_ORDERS,
      );
      expect(made).toBeGreaterThan(OF_ORDERS.numRuns);
      expect(backups).toBeGreaterThan(OF_ORDERS.numRuns);
    },
    PATIENCE * 3,
  );

  test(
    'decides any world as reading all of them does',
    async () => {
      await fc.assert(
        fc.asyncProperty(someWorld({ min: 1, max: 6 }), async ({ schedules, runs, now }) => {
          const store = memoryStore({ objects: [...schedules, ...runs], now });
          await checkBothReadings(store, now, SETTINGS);
        }),
        effort('settled'),
      );
    },
    PATIENCE,
  );
});
