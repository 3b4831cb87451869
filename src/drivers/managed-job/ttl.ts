import { textMember } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import type { JobSpec } from './job-spec.ts';
import { type JobStatus, readJobStatus } from './job-status.ts';
import { conditionOfType, isTrue } from './pass.ts';
import { ceilingInstant } from './pod.ts';

export function isFinished(status: JobStatus): boolean {
  return isTrue(status, 'Complete') || isTrue(status, 'Failed');
}

export function hasEnded(job: KubeObject): boolean {
  return isFinished(readJobStatus(job, []));
}

/**
 * Seconds until a finished Job is to be deleted, at most 0 once it is due; undefined where it never is. A finish time
 * in the future makes the wait longer (job.md 2.14).
 */
export function secondsToLive(
  { ttlSecondsAfterFinished }: JobSpec,
  status: JobStatus,
  now: Instant,
): number | undefined {
  if (ttlSecondsAfterFinished === undefined || !isFinished(status)) return undefined;
  const terminal = isTrue(status, 'Complete') ? 'Complete' : 'Failed';
  const finished = ceilingInstant(textMember(conditionOfType(status, terminal), 'lastTransitionTime'));
  return finished === undefined ? undefined : finished + ttlSecondsAfterFinished - now;
}
