import { isObject, textMember } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { readTimeValue, timeOf } from '#core/object/time-field.ts';
import type { PartEnd, PartPlay, PartState } from '#core/run/part-play.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { finishTime, isOver, readPod, statusList, terminatedState } from './pod.ts';
import { isManagedHere } from './work.ts';

/* A node and its kubelet, as far as the Job controller looks at what they write. */

const NODE = 'simulated';
const TERMINATED = 143;
const GRACE_SECONDS = 30;
const FIRST_RESTART_SECONDS = 10;
const LONGEST_RESTART_SECONDS = 300;

function specOf({ spec }: KubeObject): JsonObject {
  return isObject(spec) ? spec : {};
}

function statusOf({ status }: KubeObject): JsonObject {
  return isObject(status) ? status : {};
}

function containerNames(pod: KubeObject): readonly string[] {
  const { containers } = specOf(pod);
  const list: readonly Json[] = Array.isArray(containers) ? containers : [];
  return list.flatMap((container) => textMember(container, 'name') ?? []);
}

function restartsOf(pod: KubeObject): number {
  const [first] = statusList(readPod(pod), 'containerStatuses');
  return typeof first?.restartCount === 'number' ? first.restartCount : 0;
}

function containerStatuses(pod: KubeObject, state: JsonObject, restartCount: number): readonly JsonObject[] {
  const ready = state.running !== undefined;
  return containerNames(pod).map((name) => ({ name, ready, restartCount, state }));
}

function readyCondition(ready: boolean, at: Instant): JsonObject {
  return { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: formatInstant(at) };
}

function read(pod: KubeObject): PartState {
  const known = readPod(pod);
  const { index, phase } = known;
  const createdAt = timeOf(readTimeValue(pod.metadata.creationTimestamp));
  const [first] = statusList(known, 'containerStatuses');
  const exitCode = first === undefined ? undefined : terminatedState(first)?.exitCode;
  return {
    ...(index === undefined ? {} : { place: index }),
    phase: phase === 'Succeeded' ? 'succeeded' : phase === 'Failed' ? 'failed' : 'running',
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(isOver(known) ? { endedAt: finishTime(known) } : {}),
    ...(typeof exitCode === 'number' ? { exitCode } : {}),
  };
}

function begun(pod: KubeObject, at: Instant): KubeObject {
  const running = { running: { startedAt: formatInstant(at) } };
  return {
    ...pod,
    spec: { ...specOf(pod), nodeName: NODE },
    status: {
      phase: 'Running',
      startTime: formatInstant(at),
      conditions: [readyCondition(true, at)],
      containerStatuses: containerStatuses(pod, running, 0),
    },
  };
}

function ended(pod: KubeObject, at: Instant, { exitCode, disrupted }: PartEnd): KubeObject {
  const terminated = { exitCode, finishedAt: formatInstant(at) };
  const taken = disrupted === true ? [{ type: 'DisruptionTarget', status: 'True' }] : [];
  return {
    ...pod,
    status: {
      ...statusOf(pod),
      phase: exitCode === 0 && disrupted !== true ? 'Succeeded' : 'Failed',
      conditions: [readyCondition(false, at), ...taken],
      containerStatuses: containerStatuses(pod, { terminated }, restartsOf(pod)),
    },
  };
}

/** With the policy OnFailure the kubelet starts a container anew, each time after twice the delay. */
function restarted(
  pod: KubeObject,
  at: Instant,
  { exitCode, disrupted }: PartEnd,
): ReturnType<PartPlay['restarted']> {
  if (specOf(pod).restartPolicy !== 'OnFailure' || exitCode === 0 || disrupted === true) return undefined;
  const before = restartsOf(pod);
  const seconds = Math.min(FIRST_RESTART_SECONDS * 2 ** before, LONGEST_RESTART_SECONDS);
  const running = { running: { startedAt: formatInstant(instant(at + seconds)) } };
  const status = { ...statusOf(pod), containerStatuses: containerStatuses(pod, running, before + 1) };
  return { part: { ...pod, status }, seconds };
}

function stopping(pod: KubeObject, at: Instant): KubeObject {
  const deletionTimestamp = formatInstant(instant(at + GRACE_SECONDS));
  const metadata = { ...pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: GRACE_SECONDS };
  return { ...pod, metadata };
}

/** Pods of a Job as their nodes would tell of them. */
export const PLAY: PartPlay = {
  isPlayed: isManagedHere,
  read,
  begun,
  ended,
  restarted,
  stopping,
  stopped: (pod, at) => ended(pod, at, { exitCode: TERMINATED }),
  isSpent: (pod) => {
    const { phase, tracked } = readPod(pod);
    return phase === 'Succeeded' && !tracked;
  },
};
