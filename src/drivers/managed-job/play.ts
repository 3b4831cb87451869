import type { Finding } from '#core/kind.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import { conditionOf } from '#core/object/condition.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { readTimeValue, timeOf } from '#core/object/time-field.ts';
import type { PartEnd, PartPlay, PartState } from '#core/run/part-play.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { readJobSpec } from './job-spec.ts';
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

/** What a status says beside the state that all containers are in. */
interface Beside {
  readonly restartCount: number;
  readonly lastState?: JsonObject;
}

function containerStatuses(pod: KubeObject, state: JsonObject, beside: Beside): readonly JsonObject[] {
  const ready = state.running !== undefined;
  return containerNames(pod).map((name) => ({ name, ready, state, ...beside }));
}

/** In that state it waits for its next start, and counts as restarted once that has come. */
const BACKING_OFF: JsonObject = { waiting: { reason: 'CrashLoopBackOff' } };

/** Each time after twice the delay. */
function restartDelay(restarts: number): number {
  return Math.min(FIRST_RESTART_SECONDS * 2 ** restarts, LONGEST_RESTART_SECONDS);
}

function innerState(status: JsonObject | undefined, key: string, inner: string): Json | undefined {
  const state = status?.[key];
  return isObject(state) ? state[inner] : undefined;
}

/** Since when the containers run, or when they do again. */
function turnOf(
  status: JsonObject | undefined,
  restarts: number,
): Pick<PartState, 'runsSince' | 'restartsAt'> {
  const timeIn = (state: Json | undefined, member: string): Instant | undefined =>
    timeOf(readTimeValue(textMember(state, member)));
  const since = timeIn(innerState(status, 'state', 'running'), 'startedAt');
  if (since !== undefined) return { runsSince: since };
  if (innerState(status, 'state', 'waiting') === undefined) return {};
  const failedAt = timeIn(innerState(status, 'lastState', 'terminated'), 'finishedAt');
  return failedAt === undefined ? {} : { restartsAt: instant(failedAt + restartDelay(restarts)) };
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
  const isTaken = phase === 'Failed' && conditionOf(pod.status, 'DisruptionTarget')?.status === 'True';
  const restarts = restartsOf(pod);
  return {
    ...(index === undefined ? {} : { place: index }),
    phase: phase === 'Succeeded' ? 'succeeded' : phase === 'Failed' ? 'failed' : 'running',
    restarts,
    ...turnOf(first, restarts),
    ...(isTaken ? { disrupted: true } : {}),
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
      containerStatuses: containerStatuses(pod, running, { restartCount: 0 }),
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
      containerStatuses: containerStatuses(pod, { terminated }, { restartCount: restartsOf(pod) }),
    },
  };
}

/** With the policy OnFailure the kubelet starts a container anew, and the pod goes on. */
function failed(pod: KubeObject, at: Instant, { exitCode, disrupted }: PartEnd): KubeObject | undefined {
  if (specOf(pod).restartPolicy !== 'OnFailure' || exitCode === 0 || disrupted === true) return undefined;
  const lastState = { terminated: { exitCode, finishedAt: formatInstant(at) } };
  const containers = containerStatuses(pod, BACKING_OFF, { restartCount: restartsOf(pod), lastState });
  const conditions = [readyCondition(false, at)];
  return { ...pod, status: { ...statusOf(pod), conditions, containerStatuses: containers } };
}

function restarted(pod: KubeObject, at: Instant): KubeObject {
  const running = { running: { startedAt: formatInstant(at) } };
  const containers = containerStatuses(pod, running, { restartCount: restartsOf(pod) + 1 });
  const conditions = [readyCondition(true, at)];
  return { ...pod, status: { ...statusOf(pod), conditions, containerStatuses: containers } };
}

function stopping(pod: KubeObject, at: Instant): KubeObject {
  const deletionTimestamp = formatInstant(instant(at + GRACE_SECONDS));
  const metadata = { ...pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: GRACE_SECONDS };
  return { ...pod, metadata };
}

function places(job: KubeObject): number {
  const problems: Finding[] = [];
  const { indexed, completions = 0 } = readJobSpec(job, problems);
  return problems.length > 0 ? Number.POSITIVE_INFINITY : indexed ? completions : 0;
}

/** Pods of a Job as their nodes would tell of them. */
export const PLAY: PartPlay = {
  isPlayed: isManagedHere,
  places,
  read,
  begun,
  ended,
  failed,
  restarted,
  stopping,
  stopped: (pod, at) => ended(pod, at, { exitCode: TERMINATED }),
  isSpent: (pod) => {
    const { phase, tracked } = readPod(pod);
    return phase === 'Succeeded' && !tracked;
  },
};
