import { JOB } from '#api/resources.ts';
import { OWNER_UID_ANNOTATION } from '#core/object/annotations.ts';
import type { KubeObject } from '#core/object/object.ts';
import { controllerOf } from '#core/object/owner.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import type { Instant } from '#core/time/instant.ts';
import { ceilingInstant } from './pod.ts';
import { TRACKING_FINALIZER } from './resources.ts';

/** Pods that still have a controller of another type are nobody's orphans. */
function mayBeLeft(pod: KubeObject): boolean {
  const controller = controllerOf(pod);
  if (controller === undefined) return true;
  return controller.kind === JOB.kind && controller.apiVersion === apiVersionOf(JOB);
}

/** Seconds by which the clocks of two machines may differ. */
const CLOCK_MARGIN = 60;

/** Its Job was there before it: it was so when the Jobs were read, unless it was gone already. */
function isOld({ metadata }: KubeObject, now: Instant): boolean {
  const created = ceilingInstant(metadata.creationTimestamp);
  return created !== undefined && created + CLOCK_MARGIN < now;
}

/**
 * Pods with our mark whose Job is gone, and which its finalizer holds: where the built-in controller runs, it takes
 * the finalizer off, too.
 * @param jobUids of every Job of the namespaces that the pods are from, read before the pods
 */
export function orphanedPods(
  pods: readonly KubeObject[],
  jobUids: ReadonlySet<string>,
  now: Instant,
): readonly KubeObject[] {
  return pods.filter((pod) => {
    const { finalizers, annotations } = pod.metadata;
    const owner = annotations?.[OWNER_UID_ANNOTATION];
    if (owner === undefined || finalizers?.includes(TRACKING_FINALIZER) !== true) return false;
    return (
      isOld(pod, now) && !jobUids.has(owner) && !jobUids.has(controllerOf(pod)?.uid ?? '') && mayBeLeft(pod)
    );
  });
}
