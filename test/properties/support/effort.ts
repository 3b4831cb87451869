/** The one seed of every property here: a failure is found again by running the test again. */
const SEED = 20_260_610;

/** Runs of each property; `MINUTEHAND_EFFORT=20` multiplies them for a long search. */
export const RUNS = {
  settled: 250,
  order: 150,
  poison: 250,
  histories: 5,
  crashing: 8,
  owed: 1500,
  snapshots: 5,
  crashingSnapshots: 8,
  grown: 40,
} as const;

/** Ticks of one random history. */
export const TICKS = 500;

/** `MINUTEHAND_SHORTEST=1` lets a failing history shrink to the ticks that matter. */
export const SHORTEST = Number(process.env['MINUTEHAND_SHORTEST'] ?? TICKS);

const factor = Number(process.env['MINUTEHAND_EFFORT'] ?? '1');

/** Milliseconds that a test may take; a long search may take longer. */
export const PATIENCE = 60_000 * Math.max(1, factor);

export function effort(property: keyof typeof RUNS): { readonly seed: number; readonly numRuns: number } {
  return {
    seed: Number(process.env['MINUTEHAND_SEED'] ?? SEED),
    numRuns: Math.ceil(RUNS[property] * factor),
  };
}
