import { isObject, textMember } from '#core/object/canonical.ts';
import { conditionOf } from '#core/object/condition.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { type Instant, instant, later, parseInstant } from '#core/time/instant.ts';
import {
  COMPLETION_INDEX,
  INDEX_FAILURES_ANNOTATION,
  INDEX_IGNORED_FAILURES_ANNOTATION,
  LARGEST_INT32,
  TRACKING_FINALIZER,
} from './resources.ts';

/** What a pass needs to know of a pod. */
export interface Pod {
  readonly object: KubeObject;
  readonly name: string;
  readonly uid: string;
  readonly phase: string;
  readonly deleting: boolean;
  /** It has the finalizer: it is not in the counters yet. */
  readonly tracked: boolean;
  /** Undefined: missing, or no number from 0. */
  readonly index: number | undefined;
  readonly ready: boolean;
}

const INTEGER = /^[+-]?\d+$/;

function annotationNumber({ metadata }: KubeObject, key: string): number | undefined {
  const text = metadata.annotations?.[key] ?? '';
  const value = Number(text);
  return INTEGER.test(text) && value >= 0 && value <= LARGEST_INT32 ? value : undefined;
}

export function readPod(object: KubeObject): Pod {
  const { metadata, status } = object;
  return {
    object,
    name: metadata.name,
    uid: metadata.uid ?? metadata.name,
    phase: textMember(status, 'phase') ?? '',
    deleting: metadata.deletionTimestamp !== undefined,
    tracked: metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false,
    index: annotationNumber(object, COMPLETION_INDEX),
    ready: conditionOf(status, 'Ready')?.status === 'True',
  };
}

/** It ended, one way or the other. */
export function isOver({ phase }: Pod): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** How often the index of the pod had failed before, without the failures that a rule ignored. */
export function indexFailures({ object }: Pod): number {
  return annotationNumber(object, INDEX_FAILURES_ANNOTATION) ?? 0;
}

export function ignoredIndexFailures({ object }: Pod): number {
  return annotationNumber(object, INDEX_IGNORED_FAILURES_ANNOTATION) ?? 0;
}

/** Those that a rule ignored included: a delay goes by all of them. */
export function allIndexFailures(pod: Pod): number {
  return indexFailures(pod) + ignoredIndexFailures(pod);
}

/** A fraction of a second counts as a whole one: a delay that is measured from it never ends too early. */
export function ceilingInstant(text: string | undefined): Instant | undefined {
  const at = text === undefined ? undefined : parseInstant(text);
  if (at === undefined || text === undefined) return undefined;
  return /\.\d*[1-9]/.test(text) ? instant(at + 1) : at;
}

export function statusList({ object }: Pod, key: string): readonly JsonObject[] {
  const list = isObject(object.status) ? object.status[key] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** How the container ended; undefined while it has not. */
export function terminatedState(status: JsonObject): JsonObject | undefined {
  const terminated = isObject(status.state) ? status.state.terminated : undefined;
  return isObject(terminated) ? terminated : undefined;
}

function podSpec({ object }: Pod): JsonObject {
  return isObject(object.spec) ? object.spec : {};
}

export function isAssigned(pod: Pod): boolean {
  return (textMember(podSpec(pod), 'nodeName') ?? '') !== '';
}

function isSidecar(container: Json): boolean {
  return textMember(container, 'restartPolicy') === 'Always';
}

/** The statuses of init containers that go on beside the others: they end last. */
export function sidecarStatuses(pod: Pod): readonly JsonObject[] {
  const list = podSpec(pod).initContainers;
  if (!Array.isArray(list)) return [];
  const names = new Set(list.filter(isSidecar).map((container: Json) => textMember(container, 'name')));
  return statusList(pod, 'initContainerStatuses').filter(({ name }) => names.has(`${name}`));
}

/** Undefined unless every container has a time at which it ended. */
function containersFinished(pod: Pod): Instant | undefined {
  let latest: Instant | undefined;
  for (const status of [...statusList(pod, 'containerStatuses'), ...sidecarStatuses(pod)]) {
    const finished = ceilingInstant(textMember(terminatedState(status), 'finishedAt'));
    if (finished === undefined) return undefined;
    latest = later(finished, latest);
  }
  return latest;
}

function becameUnready({ object }: Pod): Instant | undefined {
  const ready = conditionOf(object.status, 'Ready');
  return ready?.status === 'False' ? ceilingInstant(textMember(ready, 'lastTransitionTime')) : undefined;
}

function wasDeleted({ object: { metadata } }: Pod): Instant | undefined {
  const end = ceilingInstant(metadata.deletionTimestamp);
  const grace = (metadata as { readonly deletionGracePeriodSeconds?: unknown }).deletionGracePeriodSeconds;
  if (end === undefined) return undefined;
  return instant(end - (typeof grace === 'number' ? grace : 0));
}

/** When the pod ended, from the surest source that there is (job.md 2.7). */
export function finishTime(pod: Pod): Instant {
  const created = ceilingInstant(pod.object.metadata.creationTimestamp);
  return containersFinished(pod) ?? becameUnready(pod) ?? wasDeleted(pod) ?? created ?? instant(0);
}

export function restartCount(
  statuses: readonly JsonObject[],
  combine: (a: number, b: number) => number,
): number {
  return statuses
    .map(({ restartCount: count }) => (typeof count === 'number' ? count : 0))
    .reduce((a, b) => combine(a, b), 0);
}
