import { later } from '#core/time/instant.ts';
import { NO_FAILURES } from './backoff.ts';
import { type JobCondition, withJobCondition } from './conditions.ts';
import type { Account } from './count-pods.ts';
import type { Course } from './course.ts';
import { type JobStatus, momentOf } from './job-status.ts';
import type { Pass } from './pass.ts';
import { isResuming, type Verdict } from './verdict.ts';

/** Status and series as they are before finalizers come off, and once they are off. */
export interface NextStatus {
  readonly before: JobStatus;
  readonly after: JobStatus;
  readonly backoffBefore: Account['backoff'];
  readonly backoffAfter: Account['backoff'];
}

const INTERIM = { success: 'SuccessCriteriaMet', failure: 'FailureTarget' } as const;
const TERMINAL = { success: 'Complete', failure: 'Failed' } as const;

type Standing = Pick<JobStatus, 'conditions' | 'startTime'>;

function suspension(suspended: boolean): JobCondition {
  return {
    type: 'Suspended',
    status: suspended ? 'True' : 'False',
    reason: suspended ? 'JobSuspended' : 'JobResumed',
    message: suspended ? 'Job suspended' : 'Job resumed',
  };
}

/**
 * Whether the Job is recorded as suspended, and since when it is active (job.md 2.12). The API lets a start change only
 * in the write that records a resumption.
 */
function standing(pass: Pass, verdict: Verdict | undefined): Standing {
  const { spec, status, now, deleting } = pass;
  const started = status.startTime ?? (spec.suspended ? undefined : momentOf(now));
  // One that is decided before it ever ran has a start all the same: the API wants it of a finished Job.
  if (verdict !== undefined) return { conditions: status.conditions, startTime: started ?? momentOf(now) };
  if (deleting) return { conditions: status.conditions, startTime: started };
  const conditions = withJobCondition(status.conditions, suspension(spec.suspended), now);
  const isChanged = conditions !== status.conditions;
  if (spec.suspended) return { conditions, startTime: isChanged ? undefined : started };
  return { conditions, startTime: isResuming(pass) ? momentOf(now) : started };
}

function verdictCondition({ reason, message }: Verdict, type: string): JobCondition {
  return { type, status: 'True', reason, message };
}

function statusBefore(pass: Pass, course: Course): JobStatus {
  const { verdict, count, active, terminating, ready } = course;
  const { conditions, startTime } = standing(pass, verdict);
  const status = { ...pass.status, ...count.before.counters, active, ready, terminating, startTime };
  if (verdict === undefined || verdict.recorded) return { ...status, conditions };
  const condition = verdictCondition(verdict, INTERIM[verdict.ending]);
  return { ...status, conditions: withJobCondition(conditions, condition, pass.now) };
}

/** Nothing is on its way out any more, and nothing is uncounted. */
function hasEnded({ count, active, terminating }: Course): boolean {
  const { succeeded, failed } = count.after.counters.uncounted;
  return !count.isFull && active + terminating + succeeded.length + failed.length === 0;
}

export function nextStatus(pass: Pass, course: Course): NextStatus {
  const { verdict, count } = course;
  const before = statusBefore(pass, course);
  const after = { ...before, ...count.after.counters };
  const backoffBefore = count.before.backoff;
  if (verdict === undefined || !hasEnded(course))
    return { before, after, backoffBefore, backoffAfter: count.after.backoff };
  const condition = verdictCondition(verdict, TERMINAL[verdict.ending]);
  const conditions = withJobCondition(before.conditions, condition, pass.now);
  // The API refuses a completion before the start, which another clock may have written.
  const completionTime = momentOf(later(pass.now, before.startTime?.at));
  const ended = { ...after, conditions, ...(verdict.ending === 'success' ? { completionTime } : {}) };
  // A series is of no use to a Job that has ended.
  return { before, after: ended, backoffBefore, backoffAfter: NO_FAILURES };
}
