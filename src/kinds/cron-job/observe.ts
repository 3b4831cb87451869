import { jobPhase, oddJobPart } from '#api/job-phase.ts';
import { MANUAL_ANNOTATION, OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import { isObject } from '#core/object/canonical.ts';
import { conditionOf } from '#core/object/condition.ts';
import type { KubeObject } from '#core/object/object.ts';
import { isControlledBy } from '#core/object/owner.ts';
import { readTime, timeOf } from '#core/object/time-field.ts';
import type { Run, RunPhase } from '#core/run/phase.ts';
import { type Instant, instant, parseInstant } from '#core/time/instant.ts';
import { INSTANTIATE, SCHEDULED_TIMESTAMP } from './resources.ts';

function phaseText(job: KubeObject, phase: RunPhase): string {
  switch (phase) {
    case 'succeeded':
      return 'Complete';
    case 'failed':
      return 'Failed';
    case 'pending':
    case 'running':
      return 'Active';
    case 'inert':
    case 'unknown':
      return oddJobPart(job) ?? 'unknown';
  }
}

/** The slot by our mark, by the built-in controller's, or by the name, which says it to the minute. */
function slotOf(job: KubeObject, cronJob: KubeObject): Instant | undefined {
  const { annotations, name } = job.metadata;
  const marked =
    annotations?.[OWNER_UID_ANNOTATION] === cronJob.metadata.uid ? annotations?.[SLOT_ANNOTATION] : undefined;
  const scheduled = marked ?? annotations?.[SCHEDULED_TIMESTAMP];
  const at = scheduled === undefined ? undefined : parseInstant(scheduled);
  if (at !== undefined) return at;
  const prefix = `${cronJob.metadata.name}-`;
  const suffix = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d{1,10}$/.test(suffix) ? instant(Number(suffix) * 60) : undefined;
}

function endOf(job: KubeObject, phase: RunPhase): Instant | undefined {
  switch (phase) {
    case 'succeeded':
      return (
        timeOf(readTime(conditionOf(job.status, 'Complete'), 'lastTransitionTime')) ??
        timeOf(readTime(job.status, 'completionTime'))
      );
    case 'failed':
      return timeOf(readTime(conditionOf(job.status, 'Failed'), 'lastTransitionTime'));
    case 'pending':
    case 'running':
    case 'inert':
    case 'unknown':
      return undefined;
  }
}

/**
 * A Job counts only when our uid is its controller (decision 4); one that carries neither our slot nor our name
 * pattern, or that `kubectl create job --from` marked, was made by hand.
 */
export function readRun(job: KubeObject, cronJob: KubeObject): Run | undefined {
  if (!isControlledBy(job, cronJob.metadata.uid)) return undefined;
  const phase = jobPhase(job);
  const { annotations } = job.metadata;
  const byHand = annotations?.[INSTANTIATE] === 'manual' || annotations?.[MANUAL_ANNOTATION] === 'true';
  const slot = byHand ? undefined : slotOf(job, cronJob);
  const finishedAt = endOf(job, phase);
  const historyTime = timeOf(readTime(job.status, 'startTime'));
  const ttl = isObject(job.spec) ? job.spec.ttlSecondsAfterFinished : undefined;
  return {
    object: job,
    phase,
    phaseText: phaseText(job, phase),
    terminating: job.metadata.deletionTimestamp !== undefined,
    manual: slot === undefined,
    ...(slot === undefined ? {} : { slot }),
    ...(finishedAt === undefined ? {} : { finishedAt }),
    ...(historyTime === undefined ? {} : { historyTime }),
    ...(finishedAt !== undefined && typeof ttl === 'number' ? { removeAt: instant(finishedAt + ttl) } : {}),
  };
}
