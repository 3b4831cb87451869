import type { LastRun, PastSlot, ToldRun } from '#core/explanation.ts';
import type { ForecastSlot } from '#core/forecast.ts';
import { compareText } from '#core/object/key.ts';
import type { Run } from '#core/run/phase.ts';
import { type Instant, later } from '#core/time/instant.ts';

function toldRun({ object, phase, phaseText, terminating }: Run): ToldRun {
  return { name: object.metadata.name, phase, phaseText, terminating };
}

export function lastRun(runs: readonly Run[]): LastRun | undefined {
  const own = runs.flatMap((run) => (run.manual || run.slot === undefined ? [] : [{ run, slot: run.slot }]));
  const latest = own.reduce<(typeof own)[number] | undefined>(
    (best, one) => (best === undefined || one.slot > best.slot ? one : best),
    undefined,
  );
  if (latest === undefined) return undefined;
  const { run, slot } = latest;
  return { ...toldRun(run), slot, finishedAt: run.finishedAt };
}

/** What became of slots that have passed, as far as a run tells it. */
export function withRuns(slots: readonly ForecastSlot[], runs: readonly Run[]): readonly PastSlot[] {
  return slots.map((past) => ({
    ...past,
    runs: runs
      .filter(({ manual, slot }) => !manual && slot === past.slot)
      .map(toldRun)
      .sort((a, b) => compareText(a.name, b.name)),
  }));
}

/** The latest end of a run that succeeded, also of one that history has taken away since. */
export function lastSuccess(recorded: Instant | undefined, runs: readonly Run[]): Instant | undefined {
  return runs
    .filter(({ phase }) => phase === 'succeeded')
    .map(({ finishedAt }) => finishedAt)
    .reduce(later, recorded);
}
