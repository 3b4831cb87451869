import type { LastRun } from '#core/explanation.ts';
import type { Run } from '#core/run/phase.ts';
import { type Instant, later } from '#core/time/instant.ts';

export function lastRun(runs: readonly Run[]): LastRun | undefined {
  const own = runs.flatMap((run) => (run.manual || run.slot === undefined ? [] : [{ run, slot: run.slot }]));
  const latest = own.reduce<(typeof own)[number] | undefined>(
    (best, one) => (best === undefined || one.slot > best.slot ? one : best),
    undefined,
  );
  if (latest === undefined) return undefined;
  const { run, slot } = latest;
  const { object, phase, phaseText, terminating, finishedAt } = run;
  return { name: object.metadata.name, slot, phase, phaseText, terminating, finishedAt };
}

/** The latest end of a run that succeeded, also of one that history has taken away since. */
export function lastSuccess(recorded: Instant | undefined, runs: readonly Run[]): Instant | undefined {
  return runs
    .filter(({ phase }) => phase === 'succeeded')
    .map(({ finishedAt }) => finishedAt)
    .reduce(later, recorded);
}
