import { isObject } from '#core/object/canonical.ts';
import { conditionOf, isConditionTrue } from '#core/object/condition.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { RunPhase } from '#core/run/phase.ts';

const MOST_SHOWN = 40;
const TERMINAL = ['Complete', 'Failed'] as const;
const STATUSES: readonly unknown[] = ['True', 'False', 'Unknown'];

/** What the API could not have written, such as a status of `true` without quotes: nobody can tell what it means. */
export function oddJobPart(job: KubeObject): string | undefined {
  if (job.status !== undefined && job.status !== null && !isObject(job.status))
    return 'a status that is no object';
  const conditions = isObject(job.status) ? job.status.conditions : undefined;
  if (conditions !== undefined && conditions !== null && !Array.isArray(conditions))
    return 'conditions that are no list';
  for (const type of TERMINAL) {
    const condition = conditionOf(job.status, type);
    if (condition === undefined || STATUSES.includes(condition.status)) continue;
    return `${type} ${JSON.stringify(condition.status ?? null).slice(0, MOST_SHOWN)}`;
  }
  return undefined;
}

/** Only a terminal condition that is True ends a Job; SuccessCriteriaMet and FailureTarget do not (cron-job.md 1.5). */
export function jobPhase(job: KubeObject): RunPhase {
  if (oddJobPart(job) !== undefined) return 'unknown';
  if (isConditionTrue(job.status, 'Complete')) return 'succeeded';
  if (isConditionTrue(job.status, 'Failed')) return 'failed';
  return 'running';
}
