import { MANUAL_ANNOTATION, OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import { conditionOf } from '#core/object/condition.ts';
import { labelValue } from '#core/object/label-value.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { controllerKeys, isControlledBy } from '#core/object/owner.ts';
import { readTime, readTimeValue, timeOf } from '#core/object/time-field.ts';
import { belongsTo } from '#core/run/ownership.ts';
import type { Run, RunPhase } from '#core/run/phase.ts';
import { type Instant, instant, parseInstant } from '#core/time/instant.ts';
import { stampedSlot } from './names.ts';
import { SCHEDULE_LABEL } from './resources.ts';

const MOST_SHOWN = 40;
/** Older than any run: what has no time at all goes first (snapshot-schedule.md 4.1). */
const OLDEST = instant(-62_135_596_800);

/** The phase as it stands; of a status that is no object, the status itself. */
function phaseValue({ status }: KubeObject): Json | undefined {
  return isObject(status) ? status.phase : (status ?? undefined);
}

function phaseText(run: KubeObject): string {
  const phase = phaseValue(run);
  if (phase === undefined || phase === null) return '';
  return (typeof phase === 'string' ? phase : JSON.stringify(phase)).slice(0, MOST_SHOWN);
}

/** snapshot-schedule.md 1.3: nobody has looked at a run without a phase yet, and it is in flight. */
export function phaseOf(run: KubeObject): RunPhase {
  if (run.status !== undefined && run.status !== null && !isObject(run.status)) return 'unknown';
  switch (phaseValue(run)) {
    case undefined:
    case null:
    case '':
    case 'Pending':
      return 'pending';
    case 'Running':
      return 'running';
    case 'Succeeded':
    case 'Unchanged':
      return 'succeeded';
    case 'Failed':
      return 'failed';
    case 'Discovered':
    case 'Deleting':
      return 'inert';
    default:
      return 'unknown';
  }
}

/** The policy of a run of this namespace; undefined for one that names none, or one elsewhere. */
export function policyOf(run: KubeObject): string | undefined {
  const ref = isObject(run.spec) ? run.spec.policyRef : undefined;
  const name = textMember(ref, 'name');
  const namespace = isObject(ref) ? ref.namespace : undefined;
  const isLocal = namespace === undefined || namespace === null || namespace === run.metadata.namespace;
  return isLocal ? name : undefined;
}

function isRunning(run: KubeObject): boolean {
  return phaseValue(run) === 'Running' && run.metadata.deletionTimestamp === undefined;
}

function scheduleKey(namespace: string | undefined, schedule: string): string {
  return `schedule ${namespace ?? ''}/${schedule}`;
}

export function policyKey(namespace: string | undefined, policy: string): string {
  return `policy ${namespace ?? ''}/${policy}`;
}

/** By its label and controller for its schedule; a running one by its policy as well, for the schedules that wait. */
export function runKeys(run: KubeObject): readonly string[] {
  const { namespace, labels } = run.metadata;
  const keys = [...controllerKeys(run)];
  const schedule = labels?.[SCHEDULE_LABEL];
  if (schedule !== undefined) keys.push(scheduleKey(namespace, schedule));
  const policy = isRunning(run) ? policyOf(run) : undefined;
  if (policy !== undefined) keys.push(policyKey(namespace, policy));
  return keys;
}

export function ownKeys({ metadata: { name, namespace, uid } }: KubeObject): readonly string[] {
  const byLabel = scheduleKey(namespace, labelValue(name));
  return uid === undefined ? [byLabel] : [byLabel, uid];
}

/** Label or controller say the schedule, and a uid proves it (D11). */
function isOwn(run: KubeObject, schedule: KubeObject): boolean {
  const { uid, name } = schedule.metadata;
  const claimed = run.metadata.labels?.[SCHEDULE_LABEL] === labelValue(name) || isControlledBy(run, uid);
  return claimed && belongsTo(run, uid, 'controllerOrMark');
}

/** By our mark; runs of the operator itself say it in their name only. */
function slotOf(run: KubeObject, schedule: KubeObject): Instant | undefined {
  const { annotations, name } = run.metadata;
  const marked =
    annotations?.[OWNER_UID_ANNOTATION] === schedule.metadata.uid
      ? annotations?.[SLOT_ANNOTATION]
      : undefined;
  return (
    (marked === undefined ? undefined : parseInstant(marked)) ?? stampedSlot(name, schedule.metadata.name)
  );
}

function isParked(run: KubeObject, phase: RunPhase): boolean {
  return phase === 'pending' && conditionOf(run.status, 'RepositorySlotAvailable')?.status === 'False';
}

/** A failed run that did commit something is never pruned (snapshot-schedule.md 4.1). */
function hasCommitted({ status }: KubeObject): boolean {
  const snapshot = isObject(status) ? status.snapshot : undefined;
  return snapshot !== undefined && snapshot !== null;
}

/** What the failed history may take away. */
export function isSurplus(run: KubeObject): boolean {
  return phaseOf(run) === 'failed' && !hasCommitted(run);
}

function baseRun(run: KubeObject): Run {
  const phase = phaseOf(run);
  const timing = isObject(run.status) ? run.status.timing : undefined;
  const finishedAt = timeOf(readTime(timing, 'endTime'));
  const createdAt = timeOf(readTimeValue(run.metadata.creationTimestamp));
  return {
    object: run,
    phase,
    phaseText: phaseText(run),
    terminating: run.metadata.deletionTimestamp !== undefined,
    manual: false,
    historyTime: finishedAt ?? createdAt ?? OLDEST,
    ...(isParked(run, phase) ? { parked: true } : {}),
    ...(hasCommitted(run) ? { kept: true } : {}),
    ...(finishedAt === undefined ? {} : { finishedAt }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
}

export function readRun(run: KubeObject, schedule: KubeObject): Run | undefined {
  if (!isOwn(run, schedule)) return undefined;
  const slot = slotOf(run, schedule);
  return slot === undefined ? baseRun(run) : { ...baseRun(run), slot };
}

/** It has not the label of its schedule, and says only by our marks who was asked for it. */
export function readByHand(run: KubeObject, schedule: KubeObject): Run | undefined {
  const { annotations, namespace } = run.metadata;
  if (annotations?.[MANUAL_ANNOTATION] !== 'true' || namespace !== schedule.metadata.namespace)
    return undefined;
  if (!belongsTo(run, schedule.metadata.uid, 'controllerOrMark') || isOwn(run, schedule)) return undefined;
  return { ...baseRun(run), manual: true };
}

/** D14: a running Snapshot of one of the target policies that the schedule did not start. */
export function readOther(
  run: KubeObject,
  schedule: KubeObject,
  policies: ReadonlySet<string>,
): Run | undefined {
  const policy = policyOf(run);
  if (policy === undefined || !policies.has(policy) || !isRunning(run) || isOwn(run, schedule))
    return undefined;
  return baseRun(run);
}
