import { isObject, textMember } from '#core/object/canonical.ts';
import type { Json } from '#core/object/object.ts';
import { parseJson } from '#core/object/parse-json.ts';
import { formatInstant, type Instant, later } from '#core/time/instant.ts';
import { allIndexFailures, ceilingInstant, finishTime, type Pod } from './pod.ts';

/**
 * The failures since the newest success, and the latest of them. Kubernetes keeps it in memory; a process that ends
 * after each pass keeps it on the Job.
 */
export interface Backoff {
  readonly failures: number;
  readonly lastFailure: Instant | undefined;
  /** Failures that a rule ignored are in no list of the status: these are in the series, and still have the finalizer. */
  readonly ignored: readonly string[];
}

const FIRST_DELAY_SECONDS = 10;
const LONGEST_DELAY_SECONDS = 600;

export const NO_FAILURES: Backoff = { failures: 0, lastFailure: undefined, ignored: [] };

/**
 * An annotation that somebody broke is no series: a pod may then start earlier than it would have.
 * @param text as `backoffText` spells it
 */
export function readBackoff(text: string | undefined): Backoff {
  const value = text === undefined ? undefined : parseJson(text);
  if (!isObject(value)) return NO_FAILURES;
  const { failures, ignored } = value;
  const lastFailure = ceilingInstant(textMember(value, 'lastFailureTime'));
  const uids = Array.isArray(ignored) ? ignored.filter((uid: Json) => typeof uid === 'string') : [];
  const isSeries = Number.isSafeInteger(failures) && Number(failures) > 0 && lastFailure !== undefined;
  return isSeries
    ? { failures: Number(failures), lastFailure, ignored: uids }
    : { ...NO_FAILURES, ignored: uids };
}

/** Undefined: there is nothing to remember. */
export function backoffText({ failures, lastFailure, ignored }: Backoff): string | undefined {
  if (failures === 0 && ignored.length === 0) return undefined;
  return JSON.stringify({
    failures,
    ...(lastFailure === undefined ? {} : { lastFailureTime: formatInstant(lastFailure) }),
    ...(ignored.length === 0 ? {} : { ignored }),
  });
}

function latest(times: readonly Instant[]): Instant | undefined {
  return times.reduce<Instant | undefined>((last, time) => later(time, last), undefined);
}

/** The series with pods that were not in it: failures add to it, a success ends it and only later ones count. */
export function continued(before: Backoff, succeeded: readonly Pod[], failed: readonly Pod[]): Backoff {
  const failures = failed.map(finishTime);
  const { ignored } = before;
  const success = latest(succeeded.map(finishTime));
  if (success === undefined) {
    if (failures.length === 0) return before;
    return { failures: before.failures + failures.length, lastFailure: latest(failures), ignored };
  }
  const since = failures.filter((time) => time > success);
  return { failures: since.length, lastFailure: latest(since), ignored };
}

/** Seconds until a pod may start after so many failures in a row, at least 0. Exactly elapsed is enough. */
function remaining(failures: number, lastFailure: Instant | undefined, now: Instant): number {
  if (failures === 0 || lastFailure === undefined) return 0;
  const delay = Math.min(FIRST_DELAY_SECONDS * 2 ** (failures - 1), LONGEST_DELAY_SECONDS);
  return Math.max(0, delay - (now - lastFailure));
}

export function remainingDelay({ failures, lastFailure }: Backoff, now: Instant): number {
  return remaining(failures, lastFailure, now);
}

/** The same for one index, from the pod that failed last in it (job.md 2.9). */
export function remainingIndexDelay(lastFailed: Pod | undefined, now: Instant): number {
  if (lastFailed === undefined) return 0;
  return remaining(allIndexFailures(lastFailed) + 1, finishTime(lastFailed), now);
}
