import { JOB, POD } from '#api/resources.ts';
import type { WorkDeleteReason } from '#core/change/change.ts';
import { preconditionOf } from '#core/change/precondition.ts';
import { isObject } from '#core/object/canonical.ts';
import { keyOf } from '#core/object/key.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { isControlledBy } from '#core/object/owner.ts';
import type { PartStep, WorkStep } from '#core/run/driver.ts';
import type { Evaluation, JobStep } from './evaluation.ts';
import { failedCreateEvent } from './events.ts';
import { withoutCreated } from './outcome.ts';
import { isOver, readPod } from './pod.ts';
import { BACKOFF_ANNOTATION, TRACKING_FINALIZER } from './resources.ts';

type StatusStep = Extract<JobStep, { readonly verb: 'status' }>;

function addStep({ metadata: { uid } }: KubeObject, pod: KubeObject, batch: number): PartStep {
  return {
    verb: 'add',
    batch,
    change: { verb: 'create', type: POD, key: keyOf(pod), reason: 'WorkStarted', object: pod },
    isWanted: (existing) =>
      isControlledBy(existing, uid) && existing.metadata.deletionTimestamp === undefined,
    failed: failedCreateEvent,
  };
}

/** A pod that ended since it was read is counted, not given up. */
function isUnfinished(pod: KubeObject): boolean {
  return !isOver(readPod(pod));
}

function freeStep(pod: KubeObject, isDropped: boolean): PartStep {
  return {
    verb: 'free',
    batch: 0,
    change: {
      verb: 'release',
      type: POD,
      key: keyOf(pod),
      reason: isDropped ? 'WorkDropped' : 'WorkCounted',
      precondition: preconditionOf(pod),
      finalizers: [TRACKING_FINALIZER],
    },
    isStill: isDropped ? isUnfinished : () => true,
  };
}

function removeStep(pod: KubeObject, reason: WorkDeleteReason): PartStep {
  return {
    verb: 'remove',
    batch: 0,
    change: { verb: 'delete', type: POD, key: keyOf(pod), reason, precondition: preconditionOf(pod) },
    isStill: (fresh) => isUnfinished(fresh) && fresh.metadata.deletionTimestamp === undefined,
  };
}

function statusStep(job: KubeObject, { status, backoff }: StatusStep, before: JsonObject): WorkStep {
  return {
    verb: 'apply',
    change: {
      verb: 'apply',
      type: JOB,
      key: keyOf(job),
      reason: 'StatusChanged',
      precondition: preconditionOf(job),
      fields: status,
      before,
      annotations: { [BACKOFF_ANNOTATION]: backoff ?? null },
    },
    without: (missing) => withoutCreated(status, missing),
  };
}

function deleteJobStep(job: KubeObject): WorkStep {
  return {
    verb: 'delete',
    change: {
      verb: 'delete',
      type: JOB,
      key: keyOf(job),
      reason: 'TimeToLive',
      precondition: preconditionOf(job),
      foreground: true,
    },
  };
}

/** Why pods are deleted in this pass. */
function deleteReason({ state, verdict }: Evaluation): WorkDeleteReason {
  if (verdict !== undefined) return 'WorkEnded';
  return state === 'suspended' ? 'WorkSuspended' : 'WorkSurplus';
}

/** Pods that are deleted after their finalizer is off are given up: nobody counts them. */
function droppedPods(steps: readonly JobStep[]): ReadonlySet<KubeObject> {
  const released = new Set<KubeObject>();
  const dropped = new Set<KubeObject>();
  for (const step of steps) {
    if (step.verb === 'release') released.add(step.pod);
    if (step.verb === 'delete' && released.has(step.pod)) dropped.add(step.pod);
  }
  return dropped;
}

function isStatus(step: JobStep): step is StatusStep {
  return step.verb === 'status';
}

function statusOf({ status }: KubeObject): JsonObject {
  return isObject(status) ? status : {};
}

/** A status behind creates may say by chance what stands already, and would not if a pod could not be created. */
function withStatus({ steps, status, backoff }: Evaluation): readonly JobStep[] {
  const isOpen = steps.some(({ verb }) => verb === 'create') && !steps.some(isStatus);
  return isOpen ? [...steps, { verb: 'status', status, backoff }] : steps;
}

/** The writes of a pass in its order. */
export function workSteps(job: KubeObject, evaluation: Evaluation): readonly WorkStep[] {
  const steps = withStatus(evaluation);
  const dropped = droppedPods(steps);
  const reason = deleteReason(evaluation);
  function written(step: JobStep, index: number): readonly WorkStep[] {
    switch (step.verb) {
      case 'create':
        return step.pods.map((pod) => addStep(job, pod, index));
      case 'release':
        return [freeStep(step.pod, dropped.has(step.pod))];
      case 'delete':
        return [removeStep(step.pod, reason)];
      case 'status':
        return [statusStep(job, step, steps.slice(0, index).findLast(isStatus)?.status ?? statusOf(job))];
      case 'deleteJob':
        return [deleteJobStep(job)];
    }
  }
  return steps.flatMap(written);
}
