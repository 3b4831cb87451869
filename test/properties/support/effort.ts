import { RANDOM_FACTOR } from '#test/support/test-length.ts';

/** The one seed of every property here: a failure is found again by running the test again. */
const SEED = 20_260_610;

/** Runs of each property in a short test run. */
export const RUNS = {
  settled: 250,
  order: 150,
  poison: 250,
  histories: 5,
  crashing: 8,
  owed: 1000,
  snapshots: 3,
  crashingSnapshots: 5,
  grown: 25,
  poisonedSnapshots: 25,
  storms: 200,
  sharded: 60,
  shardedSnapshots: 60,
} as const;

/** Ticks of one random history. */
export const TICKS = 500;

/** `MINUTEHAND_SHORTEST=1` lets a failing history shrink to the ticks that matter. */
export const SHORTEST = Number(process.env['MINUTEHAND_SHORTEST'] ?? TICKS);

/** Milliseconds that a test may take; a long search may take longer. */
export const PATIENCE = 60_000 * RANDOM_FACTOR;

export function effort(property: keyof typeof RUNS): { readonly seed: number; readonly numRuns: number } {
  return {
    seed: Number(process.env['MINUTEHAND_SEED'] ?? SEED),
    numRuns: RUNS[property] * RANDOM_FACTOR,
  };
}
