import { type Backoff, continued, NO_FAILURES } from './backoff.ts';
import { isIgnored, matchFailurePolicy } from './failure-policy.ts';
import {
  hasIndex,
  type Intervals,
  intervalsOf,
  NO_INDEXES,
  parseIntervals,
  sizeOf,
  union,
} from './intervals.ts';
import { isCountable, isFailed, isNew, type Pass } from './pass.ts';
import { allIndexFailures, finishTime, indexFailures, type Pod } from './pod.ts';

/** What has happened so far: the counters of the status, and what has come since. */
export interface Tally {
  readonly succeeded: number;
  readonly failed: number;
  /** Of an Indexed Job; as the status has them, and with the new ones. */
  readonly recordedIndexes: Intervals;
  readonly completedIndexes: Intervals;
  /** Undefined where indexes have no limit of their own. */
  readonly failedIndexes: Intervals | undefined;
  /** By index: the failed pod that keeps its finalizer until its replacement, which is told its count, is active. */
  readonly kept: ReadonlyMap<number, Pod>;
  readonly backoff: Backoff;
}

/** Indexes among those of the Job, from pods that are not counted yet. */
function indexesOf(pass: Pass, pods: readonly Pod[]): Intervals {
  const usable = pods.filter((pod) => pod.tracked && isCountable(pass, pod));
  return intervalsOf(usable.flatMap(({ index }) => (index === undefined ? [] : [index])));
}

/** The index of the pod gets no further try. */
function endsIndex({ spec }: Pass, pod: Pod): boolean {
  const action = matchFailurePolicy(spec.failureRules, pod)?.action;
  if (action === 'FailIndex') return true;
  return action !== 'Ignore' && indexFailures(pod) >= (spec.backoffLimitPerIndex ?? 0);
}

/** An index is done or failed, never both: the API refuses a status that says otherwise. */
function without(intervals: Intervals, others: Intervals): Intervals {
  if (others.length === 0) return intervals;
  const indexes: number[] = [];
  for (const { first, last } of intervals)
    for (let index = first; index <= last; index++) if (!hasIndex(others, index)) indexes.push(index);
  return intervalsOf(indexes);
}

function isLater(pod: Pod, than: Pod): boolean {
  return allIndexFailures(than) <= allIndexFailures(pod) && finishTime(pod) >= finishTime(than);
}

function keptPods(pass: Pass, over: Intervals): ReadonlyMap<number, Pod> {
  const kept = new Map<number, Pod>();
  const active = new Set(pass.active.map(({ index }) => index));
  for (const pod of pass.pods) {
    const { index } = pod;
    if (!pod.tracked || index === undefined || !isCountable(pass, pod) || !isFailed(pass, pod)) continue;
    if (active.has(index) || hasIndex(over, index)) continue;
    const before = kept.get(index);
    if (before === undefined || isLater(pod, before)) kept.set(index, pod);
  }
  return kept;
}

type IndexTally = Pick<Tally, 'recordedIndexes' | 'completedIndexes' | 'failedIndexes' | 'kept'>;

const NOT_INDEXED: IndexTally = {
  recordedIndexes: NO_INDEXES,
  completedIndexes: NO_INDEXES,
  failedIndexes: undefined,
  kept: new Map(),
};

function tallyIndexes(pass: Pass): IndexTally {
  const { spec, status, pods, uncountedFailed } = pass;
  if (!spec.indexed) return NOT_INDEXED;
  const completions = spec.completions ?? 0;
  const recorded = parseIntervals(status.completedIndexes, completions);
  const successes = pods.filter(({ phase, uid }) => phase === 'Succeeded' && !uncountedFailed.has(uid));
  const done = indexesOf(pass, successes);
  if (spec.backoffLimitPerIndex === undefined)
    return { ...NOT_INDEXED, recordedIndexes: recorded, completedIndexes: union(recorded, done) };
  const failedBefore = parseIntervals(status.failedIndexes ?? '', completions);
  const completed = union(recorded, without(done, failedBefore));
  const ended = indexesOf(
    pass,
    // One that is listed was judged in the write that listed it, before this controller stopped it.
    pods.filter((pod) => !uncountedFailed.has(pod.uid) && isFailed(pass, pod) && endsIndex(pass, pod)),
  );
  const failed = union(failedBefore, without(ended, completed));
  return {
    recordedIndexes: recorded,
    completedIndexes: completed,
    failedIndexes: failed,
    kept: keptPods(pass, union(completed, failed)),
  };
}

/** A pod enters the series once: what a crash left behind between two writes is in it already. */
function entersSeries(pass: Pass, tally: Pick<Tally, 'recordedIndexes'>, pod: Pod): boolean {
  const { spec, backoff } = pass;
  if (!isNew(pass, pod) || !isCountable(pass, pod) || backoff.ignored.includes(pod.uid)) return false;
  const isRecorded =
    spec.indexed && pod.phase === 'Succeeded' && hasIndex(tally.recordedIndexes, pod.index ?? 0);
  return !isRecorded;
}

/** The series of the Job with these pods; where each index has its own delay, there is none. */
export function seriesWith(pass: Pass, tally: Pick<Tally, 'recordedIndexes'>, pods: readonly Pod[]): Backoff {
  const { spec, backoff } = pass;
  if (spec.backoffLimitPerIndex !== undefined) return NO_FAILURES;
  const fresh = pods.filter((pod) => entersSeries(pass, tally, pod));
  return continued(
    backoff,
    fresh.filter(({ phase }) => phase === 'Succeeded'),
    fresh.filter((pod) => isFailed(pass, pod)),
  );
}

export function tallyOf(pass: Pass): Tally {
  const { spec, status, pods, uncountedSucceeded, uncountedFailed } = pass;
  const indexes = tallyIndexes(pass);
  const fresh = pods.filter((pod) => isNew(pass, pod) && isCountable(pass, pod));
  const successes = fresh.filter(({ phase }) => phase === 'Succeeded');
  const failures = fresh.filter((pod) => isFailed(pass, pod) && !isIgnored(spec.failureRules, pod));
  return {
    ...indexes,
    succeeded: spec.indexed
      ? sizeOf(indexes.completedIndexes)
      : status.succeeded + successes.length + uncountedSucceeded.size,
    failed: status.failed + failures.length + uncountedFailed.size,
    backoff: seriesWith(pass, indexes, pods),
  };
}
