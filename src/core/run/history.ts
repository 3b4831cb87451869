import { compareText } from '#core/object/key.ts';
import type { Run, RunPhase } from '#core/run/phase.ts';
import type { Instant } from '#core/time/instant.ts';

/** Finished runs that share one limit. */
export interface HistoryPool {
  readonly phases: readonly (RunPhase & ('succeeded' | 'failed'))[];
  /** How many of them are kept; 0 keeps none. */
  readonly limit: number;
}

function compareAge(a: Run, b: Run): number {
  const age = (a.historyTime ?? Number.POSITIVE_INFINITY) - (b.historyTime ?? Number.POSITIVE_INFINITY);
  return age < 0 || age > 0 ? age : compareText(a.object.metadata.name, b.object.metadata.name);
}

/** The oldest finished runs beyond each pool's limit, pool by pool. Strays do not count, nor do runs under deletion. */
export function surplusRuns(pools: readonly HistoryPool[], runs: readonly Run[]): readonly Run[] {
  return pools.flatMap((pool) => {
    const finished = runs.filter(
      (run) =>
        !run.terminating &&
        run.stray !== true &&
        run.kept !== true &&
        pool.phases.some((phase) => phase === run.phase),
    );
    if (finished.length <= pool.limit) return [];
    return finished.sort(compareAge).slice(0, finished.length - pool.limit);
  });
}

/** Runs whose own time to live is over; a run without an end never is. */
export function outlivedRuns(runs: readonly Run[], now: Instant): readonly Run[] {
  return runs.filter((run) => !run.terminating && run.removeAt !== undefined && run.removeAt <= now);
}
