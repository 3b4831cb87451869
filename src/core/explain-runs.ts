import type { Explanation, HandMadeRun, LastRun, PastSlot, ToldRun } from '#core/explanation.ts';
import type { ForecastSlot } from '#core/forecast.ts';
import { MANUAL_ANNOTATION } from '#core/object/annotations.ts';
import { compareText } from '#core/object/key.ts';
import { readTimeValue, timeOf } from '#core/object/time-field.ts';
import type { Observed } from '#core/observed.ts';
import { isFinished, type Run } from '#core/run/phase.ts';
import { readHandMade } from '#core/run/read-runs.ts';
import type { Entry } from '#core/settle.ts';
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

/** By its kind, or by our mark where the kind makes no difference. */
function isByHand({ manual, object }: Run): boolean {
  return manual || object.metadata.annotations?.[MANUAL_ANNOTATION] === 'true';
}

function handMadeRun(run: Run): HandMadeRun {
  const madeAt = timeOf(readTimeValue(run.object.metadata.creationTimestamp));
  return { ...toldRun(run), madeAt, finishedAt: run.finishedAt };
}

/** The latest first; of one time by name, and last those of which nobody knows when they were made. */
function compareMade(a: HandMadeRun, b: HandMadeRun): number {
  const [at, bt] = [a.madeAt ?? 0, b.madeAt ?? 0];
  return bt - at || compareText(a.name, b.name);
}

/** What was made by hand, and what is unfinished of these and of all others. */
export function openRuns(runs: readonly Run[]): Pick<Explanation, 'byHand' | 'active'> {
  return {
    byHand: runs.filter(isByHand).map(handMadeRun).sort(compareMade),
    active: runs
      .filter((run) => !isFinished(run))
      .map(({ object }) => object.metadata.name)
      .sort(compareText),
  };
}

/** With those made by hand that are no runs of the schedule's own; nothing is decided by them. */
export function withHandMade(
  explanation: Explanation,
  { kind, schedule, runs }: Entry,
  observed: Observed,
): Explanation {
  const more = readHandMade(kind, schedule, observed);
  return more.length === 0 ? explanation : { ...explanation, ...openRuns([...runs, ...more]) };
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
