import type { KubeObject } from '#core/object/object.ts';
import { remainingDelay, remainingIndexDelay } from './backoff.ts';
import { buildPod, type PodPart } from './build-pod.ts';
import { isIgnored } from './failure-policy.ts';
import { firstAbsent, intervalsOf, NO_INDEXES, union } from './intervals.ts';
import { isFailed, type Pass } from './pass.ts';
import { ignoredIndexFailures, indexFailures, type Pod } from './pod.ts';
import { freePodName } from './pod-name.ts';
import { MOST_PER_PASS } from './resources.ts';
import { surplusPods } from './surplus.ts';
import type { Tally } from './tally.ts';

/** What one pass does about the number of pods: it either removes some, or creates some, or waits. */
export interface Managed {
  /** They lose the finalizer first, and are never counted. */
  readonly removals: readonly Pod[];
  readonly creates: readonly KubeObject[];
  /** Until a pod that is wanted may be created. */
  readonly delaySeconds?: number;
}

const NOTHING: Managed = { removals: [], creates: [] };

/** How many pods are to be active (job.md 2.6). */
function wantedActive({ spec, active }: Pass, { succeeded }: Tally): number {
  if (spec.suspended) return 0;
  if (spec.completions === undefined) return succeeded > 0 ? active.length : spec.parallelism;
  return Math.max(0, Math.min(spec.completions - succeeded, spec.parallelism));
}

function numbersOf(pods: readonly Pod[]): readonly number[] {
  return pods.flatMap(({ index }) => (index === undefined ? [] : [index]));
}

/** The lowest indexes that nothing is known of; delays are not looked at yet. */
function pendingIndexes(pass: Pass, tally: Tally, count: number): readonly number[] {
  const { spec, active, terminating } = pass;
  const busy = [...numbersOf(active), ...(spec.replacesFailedOnly ? numbersOf(terminating) : [])];
  const done = union(tally.completedIndexes, tally.failedIndexes ?? NO_INDEXES, intervalsOf(busy));
  return firstAbsent(done, count, spec.completions ?? 0);
}

interface Startable {
  readonly indexes: readonly number[];
  readonly delaySeconds: number;
}

/** Of the given indexes those that need not wait; where all of them do, the shortest wait. */
function startable({ now }: Pass, { kept }: Tally, indexes: readonly number[]): Startable {
  const delays = indexes.map((index) => remainingIndexDelay(kept.get(index), now));
  const free = indexes.filter((_index, at) => delays[at] === 0);
  return { indexes: free, delaySeconds: delays.length === 0 ? 0 : Math.min(...delays) };
}

/** The counts that the replacement of a failed pod carries on. */
function failuresFor({ spec }: Pass, { kept }: Tally, index: number): PodPart['failures'] {
  if (spec.backoffLimitPerIndex === undefined) return undefined;
  const replaced = kept.get(index);
  if (replaced === undefined) return { counted: 0, ignored: 0 };
  const ignored = isIgnored(spec.failureRules, replaced);
  return {
    counted: indexFailures(replaced) + (ignored ? 0 : 1),
    ignored: ignoredIndexFailures(replaced) + (ignored ? 1 : 0),
  };
}

function identityOf(job: KubeObject): { readonly name: string; readonly uid: string } {
  return { name: job.metadata.name, uid: job.metadata.uid ?? '' };
}

function indexedPod(pass: Pass, tally: Tally, index: number, taken: Set<string>): KubeObject {
  const failures = failuresFor(pass, tally, index);
  const attempt = (failures?.counted ?? 0) + (failures?.ignored ?? 0);
  const name = freePodName(identityOf(pass.job), { index, ordinal: index, attempt }, taken);
  return buildPod(pass.job, pass.spec, { name, index, ...(failures === undefined ? {} : { failures }) });
}

/** Pods are numbered by how many there were: the sum does not change when one of them ends. */
function plainPods(pass: Pass, tally: Tally, count: number, taken: Set<string>): readonly KubeObject[] {
  const stopping = pass.terminating.filter((pod) => pod.tracked && !isFailed(pass, pod));
  const before = tally.succeeded + tally.failed + pass.active.length + stopping.length;
  return Array.from({ length: count }, (_, at) => {
    const identity = { index: undefined, ordinal: before + at, attempt: 0 };
    const name = freePodName(identityOf(pass.job), identity, taken);
    return buildPod(pass.job, pass.spec, { name, index: undefined });
  });
}

function createPods(pass: Pass, tally: Tally, missing: number, names: ReadonlySet<string>): Managed {
  const { spec, now } = pass;
  const perIndex = spec.backoffLimitPerIndex !== undefined;
  const delaySeconds = perIndex ? 0 : remainingDelay(tally.backoff, now);
  if (delaySeconds > 0) return { ...NOTHING, delaySeconds };
  const count = Math.min(missing, MOST_PER_PASS);
  const taken = new Set([...names, ...pass.pods.map(({ name }) => name)]);
  if (!spec.indexed) return { ...NOTHING, creates: plainPods(pass, tally, count, taken) };
  const pending = pendingIndexes(pass, tally, count);
  const start = perIndex ? startable(pass, tally, pending) : { indexes: pending, delaySeconds: 0 };
  if (start.delaySeconds > 0) return { ...NOTHING, delaySeconds: start.delaySeconds };
  return { ...NOTHING, creates: start.indexes.map((index) => indexedPod(pass, tally, index, taken)) };
}

/** @param names of other pods in the namespace, which no pod can get */
export function managePods(pass: Pass, tally: Tally, names: ReadonlySet<string>): Managed {
  if (pass.deleting) return NOTHING;
  const wanted = wantedActive(pass, tally);
  const removals = surplusPods(pass, wanted);
  // Deletion and creation never happen in the same pass.
  if (removals.length > 0) return { ...NOTHING, removals };
  const stopping = pass.spec.replacesFailedOnly ? pass.terminating.length : 0;
  const missing = wanted - stopping - pass.active.length;
  return missing > 0 ? createPods(pass, tally, missing, names) : NOTHING;
}
