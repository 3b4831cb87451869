import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Instant, parseInstant } from '#core/time/instant.ts';
import { effort, PATIENCE, SHORTEST, TICKS } from './support/effort.ts';
import { type Beginning, someBeginning } from './support/snapshot/arbitraries.ts';
import { live } from './support/snapshot/history.ts';
import { type Step, someStep } from './support/snapshot/step.ts';

const STARTS = ['2026-03-28T20:00:20Z', '2026-10-24T20:00:20Z', '2026-06-10T08:00:20Z'].flatMap(
  (text): readonly Instant[] => {
    const at = parseInstant(text);
    return at === undefined ? [] : [at];
  },
);

function someHistory(troubled: boolean): fc.Arbitrary<readonly [Beginning, Instant, readonly Step[]]> {
  const steps = fc.array(someStep(troubled), { minLength: SHORTEST, maxLength: TICKS, size: 'max' });
  return fc.tuple(someBeginning, fc.constantFrom(...STARTS), steps);
}

/** Histories in which next to nothing runs would keep every promise. */
const RUNS_PER_HISTORY = 20;

describe('a history of SnapshotSchedules of 500 ticks', () => {
  test.each([
    ['when no write fails, whatever clock, authors, operator and runs do', false, 'snapshots'],
    [
      'through crashes, refusals, lost replies, lists that break off and people who meddle',
      true,
      'crashingSnapshots',
    ],
  ] as const)(
    'keeps every promise %s',
    async (_what, troubled, property) => {
      let made = 0;
      const amount = effort(property);
      await fc.assert(
        fc.asyncProperty(someHistory(troubled), async (history) => {
          made += (await live(...history)).runs;
        }),
        amount,
      );
      expect(made).toBeGreaterThan(amount.numRuns * RUNS_PER_HISTORY);
    },
    PATIENCE,
  );
});
