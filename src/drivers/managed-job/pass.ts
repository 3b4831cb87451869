import { conditionOf, isConditionTrue } from '#core/object/condition.ts';
import { compareText } from '#core/object/key.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { isControlledBy } from '#core/object/owner.ts';
import type { Instant } from '#core/time/instant.ts';
import { type Backoff, readBackoff } from './backoff.ts';
import type { JobSpec } from './job-spec.ts';
import type { JobStatus } from './job-status.ts';
import { isOver, type Pod, readPod } from './pod.ts';
import { BACKOFF_ANNOTATION } from './resources.ts';

/** A Job with its pods, sorted into the classes of job.md 2.4. */
export interface Pass {
  readonly job: KubeObject;
  readonly spec: JobSpec;
  readonly status: JobStatus;
  readonly now: Instant;
  /** The Job is being deleted: nothing is created, deleted or suspended. */
  readonly deleting: boolean;
  /** Ordered by name, so that the order of a list decides nothing. */
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly terminating: readonly Pod[];
  readonly uncountedSucceeded: ReadonlySet<string>;
  readonly uncountedFailed: ReadonlySet<string>;
  readonly backoff: Backoff;
  /** It is recorded that the Job has met its criteria. */
  readonly isMet: boolean;
}

export interface PassSource {
  readonly job: KubeObject;
  readonly pods: readonly KubeObject[];
  readonly now: Instant;
  readonly spec: JobSpec;
  readonly status: JobStatus;
}

/** The pods that the Job controls: labels prove nothing. */
export function ownPods(job: KubeObject, pods: readonly KubeObject[]): readonly Pod[] {
  return pods
    .filter((pod) => isControlledBy(pod, job.metadata.uid))
    .map(readPod)
    .sort((a, b) => compareText(a.name, b.name));
}

export function openPass({ job, pods, now, spec, status }: PassSource): Pass {
  const own = ownPods(job, pods);
  const unfinished = own.filter((pod) => !isOver(pod));
  return {
    job,
    spec,
    status,
    now,
    deleting: job.metadata.deletionTimestamp !== undefined,
    pods: own,
    active: unfinished.filter(({ deleting }) => !deleting),
    terminating: unfinished.filter(({ deleting }) => deleting),
    uncountedSucceeded: new Set(status.uncounted.succeeded),
    uncountedFailed: new Set(status.uncounted.failed),
    backoff: readBackoff(job.metadata.annotations?.[BACKOFF_ANNOTATION]),
    isMet: isTrue(status, 'SuccessCriteriaMet'),
  };
}

/**
 * Whether the pod counts as a failure. One that is being deleted after the Job has met its criteria does not: it was
 * deleted for that, by a tick that ended before it took the finalizer off.
 */
export function isFailed({ spec, isMet }: Pass, { phase, deleting }: Pod): boolean {
  if (isMet && deleting) return false;
  return phase === 'Failed' || (!spec.replacesFailedOnly && deleting && phase !== 'Succeeded');
}

/** Pods of an Indexed Job without an index below `completions` are in no counter. */
export function isCountable({ spec }: Pass, { index }: Pod): boolean {
  return !spec.indexed || (index !== undefined && index < (spec.completions ?? 0));
}

/** Neither in the counters nor on the way there. */
export function isNew({ uncountedSucceeded, uncountedFailed }: Pass, { tracked, uid }: Pod): boolean {
  return tracked && !uncountedSucceeded.has(uid) && !uncountedFailed.has(uid);
}

export function conditionOfType({ conditions }: JobStatus, type: string): JsonObject | undefined {
  return conditionOf({ conditions }, type);
}

export function isTrue({ conditions }: JobStatus, type: string): boolean {
  return isConditionTrue({ conditions }, type);
}
