import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Instant, parseInstant } from '#core/time/instant.ts';
import { memoryStore } from '#test/fakes/memory-store.ts';
import { IS_LONG } from '#test/support/test-length.ts';
import { checkBothReadings } from './support/both-readings.ts';
import { effort, PATIENCE } from './support/effort.ts';
import { live } from './support/history.ts';
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
const amount = { seed: effort('histories').seed, numRuns: HISTORIES / 2 };

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
        { ...amount, numRuns: amount.numRuns / 2 },
      );
      expect(made).toBeGreaterThan(amount.numRuns);
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
        { ...amount, numRuns: amount.numRuns / 2 },
      );
      expect(made).toBeGreaterThan(amount.numRuns);
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
