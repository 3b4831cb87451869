import { textMember } from '#core/object/canonical.ts';
import { conditionOf } from '#core/object/condition.ts';
import { compareText } from '#core/object/key.ts';
import type { Instant } from '#core/time/instant.ts';
import { ceilingInstant, isAssigned, type Pod, restartCount, sidecarStatuses, statusList } from './pod.ts';

/** Kubernetes ranks them like this; a phase that is not known ranks with Pending. */
const PHASES = new Map([
  ['Pending', 0],
  ['Unknown', 1],
  ['Running', 2],
]);

function readySince({ object, ready }: Pod): Instant | undefined {
  if (!ready) return undefined;
  return ceilingInstant(textMember(conditionOf(object.status, 'Ready'), 'lastTransitionTime'));
}

function created({ object }: Pod): Instant | undefined {
  return ceilingInstant(object.metadata.creationTimestamp);
}

/** The later time comes first; none at all comes before every other. */
function latestFirst(a: Instant | undefined, b: Instant | undefined): number {
  return a === b ? 0 : a === undefined ? -1 : b === undefined ? 1 : b - a;
}

function mostRestarts(pod: Pod): number {
  return restartCount(statusList(pod, 'containerStatuses'), Math.max);
}

function mostSidecarRestarts(pod: Pod): number {
  return restartCount(sidecarStatuses(pod), Math.max);
}

/** Which of two active pods is given up first: the one that has got less far (job.md 2.6). */
function compareForRemoval(a: Pod, b: Pod): number {
  return (
    Number(isAssigned(a)) - Number(isAssigned(b)) ||
    (PHASES.get(a.phase) ?? 0) - (PHASES.get(b.phase) ?? 0) ||
    Number(a.ready) - Number(b.ready) ||
    latestFirst(readySince(a), readySince(b)) ||
    mostRestarts(b) - mostRestarts(a) ||
    mostSidecarRestarts(b) - mostSidecarRestarts(a) ||
    latestFirst(created(a), created(b)) ||
    compareText(a.name, b.name)
  );
}

export function inRemovalOrder(pods: readonly Pod[]): readonly Pod[] {
  return [...pods].sort(compareForRemoval);
}
