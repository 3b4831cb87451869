import type { ScheduleKind } from '#core/kind.ts';
import { readTimeValue, timeOf } from '#core/object/time-field.ts';
import type { Run } from '#core/run/phase.ts';

/** How long the runs of a schedule take, and how that is known. */
export interface RunDuration {
  readonly seconds: number;
  /** `parts`: its runs end with their parts. */
  readonly from: 'given' | 'history' | 'assumed' | 'parts';
  /** Runs that ended, which it is the median of. */
  readonly runs?: number;
}

export interface Durations {
  /** By the id of a kind: they win over the history. */
  readonly given: ReadonlyMap<string, number>;
  /** Where nothing else says it. */
  readonly assumedSeconds: number;
}

/** From its creation to its end: as long as it can hold a slot. */
function secondsOf({ object, finishedAt }: Run): number | undefined {
  const created = timeOf(readTimeValue(object.metadata.creationTimestamp));
  if (created === undefined || finishedAt === undefined || finishedAt < created) return undefined;
  return finishedAt - created;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const high = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return Math.round((low + high) / 2);
}

/** What runs took that ended with their parts; undefined where none did. */
export function durationByParts(ended: readonly number[]): RunDuration | undefined {
  return ended.length === 0 ? undefined : { seconds: median(ended), from: 'parts', runs: ended.length };
}

/** What is given for the kind, else the median of the runs that ended, else what is assumed. */
export function durationOf(
  { id }: Pick<ScheduleKind, 'id'>,
  runs: readonly Run[],
  { given, assumedSeconds }: Durations,
): RunDuration {
  const seconds = given.get(id);
  if (seconds !== undefined) return { seconds, from: 'given' };
  const known = runs.flatMap((run) => secondsOf(run) ?? []);
  if (known.length === 0) return { seconds: assumedSeconds, from: 'assumed' };
  return { seconds: median(known), from: 'history', runs: known.length };
}
