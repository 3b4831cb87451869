import { isObject } from '#core/object/canonical.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { isControlledBy } from '#core/object/owner.ts';
import { readTime, readTimeValue, timeOf } from '#core/object/time-field.ts';
import type { Run, RunPhase } from '#core/run/phase.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { POLICY_LABEL } from './resources.ts';

const MOST_SHOWN = 40;

function isOdd(status: Json | undefined): boolean {
  return status !== undefined && status !== null && !isObject(status);
}

/** The phase as it stands; of a status that is no object, the status itself. */
function phaseValue({ status }: KubeObject): Json | undefined {
  return isObject(status) ? status.phase : (status ?? undefined);
}

function phaseText(run: KubeObject): string {
  const phase = phaseValue(run);
  return typeof phase === 'string'
    ? phase
    : phase === undefined || phase === null
      ? ''
      : JSON.stringify(phase).slice(0, MOST_SHOWN);
}

/** etcd-defrag-policy.md A.4: an empty phase is a run that nobody has looked at; it counts as active. */
export function phaseOf(run: KubeObject): RunPhase {
  if (isOdd(run.status)) return 'unknown';
  switch (phaseValue(run)) {
    case undefined:
    case null:
    case '':
    case 'Pending':
      return 'pending';
    case 'Running':
      return 'running';
    case 'Complete':
      return 'succeeded';
    case 'Failed':
      return 'failed';
    default:
      return 'unknown';
  }
}

function slotOf(run: KubeObject, policy: string): Instant | undefined {
  const suffix = run.metadata.name.startsWith(`${policy}-`) ? run.metadata.name.slice(policy.length + 1) : '';
  return /^\d{1,12}$/.test(suffix) ? instant(Number(suffix)) : undefined;
}

/**
 * A run counts only with the label and our uid as its controller (decision 5). One that we control without the label
 * still defragments the cluster, so it holds a slot; nothing else is made of it.
 */
export function readRun(run: KubeObject, policy: KubeObject): Run | undefined {
  const name = policy.metadata.name;
  if (!isControlledBy(run, policy.metadata.uid)) return undefined;
  const phase = phaseOf(run);
  const finishedAt = timeOf(readTime(run.status, 'completedAt'));
  const historyTime = finishedAt ?? timeOf(readTimeValue(run.metadata.creationTimestamp));
  const ttl = isObject(run.spec) ? run.spec.ttlSecondsAfterFinished : undefined;
  const ended = phase === 'succeeded' || phase === 'failed';
  const slot = slotOf(run, name);
  return {
    object: run,
    phase,
    phaseText: phaseText(run),
    terminating: run.metadata.deletionTimestamp !== undefined,
    manual: false,
    ...(run.metadata.labels?.[POLICY_LABEL] === name ? {} : { stray: true }),
    ...(slot === undefined ? {} : { slot }),
    ...(finishedAt === undefined ? {} : { finishedAt }),
    ...(historyTime === undefined ? {} : { historyTime }),
    ...(ended && finishedAt !== undefined && typeof ttl === 'number'
      ? { removeAt: instant(finishedAt + ttl) }
      : {}),
  };
}
