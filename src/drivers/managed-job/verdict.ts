import { textMember } from '#core/object/canonical.ts';
import type { Instant } from '#core/time/instant.ts';
import { matchFailurePolicy } from './failure-policy.ts';
import { sizeOf } from './intervals.ts';
import { conditionOfType, isFailed, isTrue, type Pass } from './pass.ts';
import { restartCount, statusList } from './pod.ts';
import { metSuccessRule } from './success-policy.ts';
import type { Tally } from './tally.ts';

/** How the Job ends. */
export interface Verdict {
  readonly ending: 'success' | 'failure';
  readonly reason: string;
  readonly message: string;
  /** It stands in the status already. */
  readonly recorded: boolean;
}

function failure(reason: string, message: string): Verdict {
  return { ending: 'failure', reason, message, recorded: false };
}

function success(reason: string, message: string): Verdict {
  return { ending: 'success', reason, message, recorded: false };
}

function recordedVerdict({ status }: Pass): Verdict | undefined {
  for (const [type, ending] of [
    ['SuccessCriteriaMet', 'success'],
    ['FailureTarget', 'failure'],
  ] as const) {
    if (!isTrue(status, type)) continue;
    const condition = conditionOfType(status, type);
    const reason = textMember(condition, 'reason') ?? '';
    return { ending, reason, message: textMember(condition, 'message') ?? '', recorded: true };
  }
  return undefined;
}

/** Pods that were counted are looked at, too. */
function failJob(pass: Pass): Verdict | undefined {
  const { failureRules } = pass.spec;
  if (failureRules === undefined) return undefined;
  for (const pod of pass.pods) {
    const match = isFailed(pass, pod) ? matchFailurePolicy(failureRules, pod) : undefined;
    if (match?.action === 'FailJob') return failure('PodFailurePolicy', match.message);
  }
  return undefined;
}

/** With OnFailure the kubelet restarts containers, of sidecars as well: reaching the limit is enough (job.md 2.7). */
function hasTooManyRestarts({ spec, pods }: Pass): boolean {
  if (spec.restartPolicy !== 'OnFailure') return false;
  const restarts = pods
    .filter(({ phase }) => phase === 'Running' || phase === 'Pending')
    .flatMap((pod) => [...statusList(pod, 'initContainerStatuses'), ...statusList(pod, 'containerStatuses')]);
  const sum = restartCount(restarts, (a, b) => a + b);
  return spec.backoffLimit === 0 ? sum > 0 : sum >= spec.backoffLimit;
}

function backoffLimit(pass: Pass, tally: Tally): Verdict | undefined {
  if (tally.failed <= pass.spec.backoffLimit && !hasTooManyRestarts(pass)) return undefined;
  return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
}

/** Recorded as suspended, and no longer to be: its time begins anew. */
export function isResuming({ spec, status }: Pass): boolean {
  return !spec.suspended && isTrue(status, 'Suspended');
}

/** Since when the Job is active; undefined while it is suspended. */
function activeSince(pass: Pass): Instant | undefined {
  if (pass.spec.suspended) return undefined;
  return isResuming(pass) ? pass.now : (pass.status.startTime?.at ?? pass.now);
}

/** Seconds until the deadline, at most 0 once it is over; undefined where none runs. */
export function secondsToDeadline(pass: Pass): number | undefined {
  const { activeDeadlineSeconds } = pass.spec;
  const since = activeSince(pass);
  if (activeDeadlineSeconds === undefined || since === undefined) return undefined;
  return activeDeadlineSeconds - (pass.now - since);
}

function deadline(pass: Pass): Verdict | undefined {
  if ((secondsToDeadline(pass) ?? 1) > 0) return undefined;
  return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
}

function failedIndexes({ spec }: Pass, tally: Tally): Verdict | undefined {
  if (tally.failedIndexes === undefined) return undefined;
  const failed = sizeOf(tally.failedIndexes);
  if (spec.maxFailedIndexes !== undefined && failed > spec.maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return failure('MaxFailedIndexesExceeded', message);
  }
  if (failed === 0 || failed + tally.succeeded < (spec.completions ?? 0)) return undefined;
  return failure('FailedIndexes', 'Job has failed indexes');
}

function successPolicy({ spec }: Pass, tally: Tally): Verdict | undefined {
  if (!spec.indexed) return undefined;
  const rule = metSuccessRule(spec.successRules, tally.completedIndexes, spec.completions ?? 0);
  return rule === undefined ? undefined : success('SuccessPolicy', `Matched rules at index ${rule}`);
}

/** Rows 1 to 8 of job.md 2.5: the first that holds. */
export function verdictOf(pass: Pass, tally: Tally): Verdict | undefined {
  return (
    recordedVerdict(pass) ??
    failJob(pass) ??
    backoffLimit(pass, tally) ??
    deadline(pass) ??
    failedIndexes(pass, tally) ??
    successPolicy(pass, tally)
  );
}

/** Row 9, asked once the pods were looked after. */
export function completion({ spec }: Pass, { succeeded }: Tally, active: number): Verdict | undefined {
  const wanted = spec.completions ?? 1;
  if (succeeded < wanted || active > 0) return undefined;
  return success('CompletionsReached', 'Reached expected number of succeeded pods');
}
