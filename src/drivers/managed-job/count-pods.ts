import type { Backoff } from './backoff.ts';
import { isIgnored } from './failure-policy.ts';
import { formatIntervals, hasIndex } from './intervals.ts';
import type { JobStatus } from './job-status.ts';
import { isCountable, isFailed, type Pass } from './pass.ts';
import type { Pod } from './pod.ts';
import { MOST_PER_PASS } from './resources.ts';
import { seriesWith, type Tally } from './tally.ts';
import type { Verdict } from './verdict.ts';

type Counters = Pick<JobStatus, 'succeeded' | 'failed' | 'completedIndexes' | 'failedIndexes' | 'uncounted'>;

/** One side of the finalizers coming off: what the status and the annotation say. */
export interface Account {
  readonly counters: Counters;
  readonly backoff: Backoff;
}

/**
 * The two phases of counting (job.md 2.13). Uids are written down, then finalizers are taken off, then the counters
 * rise: a pod that is on the list and has no finalizer is counted by whoever looks next, whatever ended in between.
 */
export interface Count {
  readonly before: Account;
  readonly releases: readonly Pod[];
  readonly after: Account;
  /** The rest is for the next pass. */
  readonly isFull: boolean;
}

/** What a pod adds to the lists. */
type Entry = 'index' | 'succeeded' | 'failed' | 'ignored' | 'nothing';

interface CountInput {
  readonly pass: Pass;
  readonly tally: Tally;
  readonly verdict: Verdict | undefined;
  /** Removed in this pass, with their finalizers. */
  readonly removals: readonly Pod[];
}

/** Of a Job that fails, every pod that is not over is considered failed. */
function countsAsFailed({ pass, verdict }: CountInput, pod: Pod): boolean {
  return verdict?.ending === 'failure' || isFailed(pass, pod);
}

function entryOf(input: CountInput, pod: Pod): Entry {
  const { pass, tally } = input;
  if (pass.uncountedFailed.has(pod.uid)) return 'nothing';
  if (pod.phase === 'Succeeded') {
    if (!pass.spec.indexed) return pass.uncountedSucceeded.has(pod.uid) ? 'nothing' : 'succeeded';
    const isNewIndex = isCountable(pass, pod) && !hasIndex(tally.recordedIndexes, pod.index ?? 0);
    return isNewIndex ? 'index' : 'nothing';
  }
  if (!countsAsFailed(input, pod) || !isCountable(pass, pod)) return 'nothing';
  return isIgnored(pass.spec.failureRules, pod) ? 'ignored' : 'failed';
}

/** A failed pod of an index that is to be tried again waits for its replacement. */
function isReleasable({ pass, tally, verdict }: CountInput, pod: Pod): boolean {
  if (pass.deleting || verdict !== undefined || pod.phase === 'Succeeded') return true;
  if (!isFailed(pass, pod)) return false;
  return pod.index === undefined || tally.kept.get(pod.index)?.uid !== pod.uid;
}

/** Successes come in the order of their indexes. */
function inIndexOrder({ spec }: Pass, pods: readonly Pod[]): readonly Pod[] {
  return spec.indexed ? [...pods].sort((a, b) => (a.index ?? -1) - (b.index ?? -1)) : pods;
}

interface Lists {
  readonly entries: ReadonlyMap<Pod, Entry>;
  readonly isFull: boolean;
}

function listPods(input: CountInput, tracked: readonly Pod[], waiting: number): Lists {
  const entries = new Map<Pod, Entry>();
  let listed = waiting;
  for (const pod of inIndexOrder(input.pass, tracked)) {
    if (!isReleasable(input, pod)) continue;
    const entry = entryOf(input, pod);
    entries.set(pod, entry);
    if (entry === 'index' || entry === 'succeeded' || entry === 'failed') listed++;
    if (listed >= MOST_PER_PASS) return { entries, isFull: true };
  }
  return { entries, isFull: false };
}

/** The lists of the status without the pods that have lost their finalizer: those are counted. */
function settled(counters: Counters, tracked: ReadonlySet<string>, indexed: boolean): Counters {
  const { uncounted } = counters;
  const succeeded = uncounted.succeeded.filter((uid) => tracked.has(uid));
  const failed = uncounted.failed.filter((uid) => tracked.has(uid));
  const newSuccesses = indexed ? 0 : uncounted.succeeded.length - succeeded.length;
  return {
    ...counters,
    succeeded: counters.succeeded + newSuccesses,
    failed: counters.failed + uncounted.failed.length - failed.length,
    uncounted: { succeeded, failed },
  };
}

function recordedCounters({ spec, status }: Pass, tally: Tally): Counters {
  const { indexed } = spec;
  return {
    succeeded: indexed ? tally.succeeded : status.succeeded,
    failed: status.failed,
    completedIndexes: indexed ? formatIntervals(tally.completedIndexes) : '',
    failedIndexes: tally.failedIndexes === undefined ? undefined : formatIntervals(tally.failedIndexes),
    uncounted: status.uncounted,
  };
}

function uidsOf({ entries }: Lists, wanted: Entry): readonly string[] {
  return [...entries].filter(([, entry]) => entry === wanted).map(([{ uid }]) => uid);
}

/** The series with the pods that are listed; once the Job is decided, no pod waits for anything. */
function seriesOf({ pass, tally, verdict }: CountInput, lists: Lists, tracked: ReadonlySet<string>): Backoff {
  if (verdict !== undefined) return pass.backoff;
  const series = seriesWith(pass, tally, [...lists.entries.keys()]);
  if (pass.spec.backoffLimitPerIndex !== undefined) return series;
  const before = pass.backoff.ignored.filter((uid) => tracked.has(uid));
  return { ...series, ignored: [...new Set([...before, ...uidsOf(lists, 'ignored')])] };
}

export function countPods(input: CountInput): Count {
  const { pass, tally, removals } = input;
  const { indexed } = pass.spec;
  const removed = new Set(removals);
  const tracked = pass.pods.filter((pod) => pod.tracked && !removed.has(pod));
  const uids = new Set(tracked.map(({ uid }) => uid));
  const start = settled(recordedCounters(pass, tally), uids, indexed);
  const { uncounted } = start;
  const lists = listPods(input, tracked, uncounted.succeeded.length + uncounted.failed.length);
  const releases = [...lists.entries.keys()];
  const listed: Counters = {
    ...start,
    uncounted: {
      succeeded: [...uncounted.succeeded, ...uidsOf(lists, 'succeeded')],
      failed: [...uncounted.failed, ...uidsOf(lists, 'failed')],
    },
  };
  const series = seriesOf(input, lists, uids);
  for (const { uid } of releases) uids.delete(uid);
  return {
    before: { counters: listed, backoff: series },
    releases,
    after: {
      counters: settled(listed, uids, indexed),
      backoff: { ...series, ignored: series.ignored.filter((uid) => uids.has(uid)) },
    },
    isFull: lists.isFull,
  };
}
