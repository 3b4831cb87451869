import { JOB, POD } from '#api/resources.ts';
import type { WorkDeleteReason } from '#core/change/change.ts';
import { preconditionOf } from '#core/change/precondition.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import { conditionOf, isConditionTrue } from '#core/object/condition.ts';
import { keyOf } from '#core/object/key.ts';
import type { Json, JsonObject, KubeObject, SourcedObject } from '#core/object/object.ts';
import { isControlledBy } from '#core/object/owner.ts';
import type { Work, WorkInput, WorkState, WorkStep } from '#core/run/driver.ts';
import { evaluateJob } from './evaluate.ts';
import type { Evaluation, JobStep } from './evaluation.ts';
import { failedCreateEvent, gatheredEvents } from './events.ts';
import { type Decided, jobFacts, recordedFacts } from './facts.ts';
import { withoutCreated } from './outcome.ts';
import { BACKOFF_ANNOTATION, MANAGED_BY, TRACKING_FINALIZER } from './resources.ts';
import type { Verdict } from './verdict.ts';

export function isManagedHere({ kind, spec }: KubeObject): boolean {
  return kind === JOB.kind && textMember(spec, 'managedBy') === MANAGED_BY;
}

/** Steps on their way from what a pass wants to writes. */
interface Conversion {
  readonly job: KubeObject;
  /** Why pods are deleted in this pass. */
  readonly reason: WorkDeleteReason;
  readonly steps: WorkStep[];
  /** The status that the last write leaves. */
  written: JsonObject;
}

function createSteps({ job }: Conversion, pods: readonly KubeObject[], batch: number): readonly WorkStep[] {
  const { uid } = job.metadata;
  return pods.map((object) => ({
    verb: 'add',
    batch,
    change: { verb: 'create', type: POD, key: keyOf(object), reason: 'WorkStarted', object },
    isWanted: (existing) =>
      isControlledBy(existing, uid) && existing.metadata.deletionTimestamp === undefined,
    failed: failedCreateEvent,
  }));
}

/** A pod that ended since it was read is counted, not given up. */
function isUnfinished({ status }: KubeObject): boolean {
  const phase = textMember(status, 'phase');
  return phase !== 'Succeeded' && phase !== 'Failed';
}

function releaseStep(pod: KubeObject, isDropped: boolean, batch: number): WorkStep {
  return {
    verb: 'free',
    batch,
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

function deleteStep({ reason }: Conversion, pod: KubeObject, batch: number): WorkStep {
  return {
    verb: 'remove',
    batch,
    change: { verb: 'delete', type: POD, key: keyOf(pod), reason, precondition: preconditionOf(pod) },
    isStill: (fresh) => isUnfinished(fresh) && fresh.metadata.deletionTimestamp === undefined,
  };
}

function statusStep(conversion: Conversion, step: JobStep & { readonly verb: 'status' }): WorkStep {
  const { job, written: before } = conversion;
  conversion.written = step.status;
  return {
    verb: 'apply',
    change: {
      verb: 'apply',
      type: JOB,
      key: keyOf(job),
      reason: 'StatusChanged',
      precondition: preconditionOf(job),
      fields: step.status,
      before,
      annotations: { [BACKOFF_ANNOTATION]: step.backoff ?? null },
    },
    without: (missing) => withoutCreated(step.status, missing),
  };
}

function deleteJobStep(job: KubeObject): WorkStep {
  const precondition = preconditionOf(job);
  return {
    verb: 'delete',
    change: {
      verb: 'delete',
      type: JOB,
      key: keyOf(job),
      reason: 'TimeToLive',
      precondition,
      foreground: true,
    },
  };
}

function convert(
  conversion: Conversion,
  step: JobStep,
  batch: number,
  dropped: ReadonlySet<KubeObject>,
): void {
  const { steps, job } = conversion;
  switch (step.verb) {
    case 'create':
      steps.push(...createSteps(conversion, step.pods, batch));
      return;
    case 'release':
      steps.push(releaseStep(step.pod, dropped.has(step.pod), 0));
      return;
    case 'delete':
      steps.push(deleteStep(conversion, step.pod, 0));
      return;
    case 'status':
      steps.push(statusStep(conversion, step));
      return;
    case 'deleteJob':
      steps.push(deleteJobStep(job));
      return;
  }
}

function deleteReason({ state, verdict }: Evaluation): WorkDeleteReason {
  if (verdict !== undefined) return 'WorkEnded';
  return state === 'suspended' ? 'WorkSuspended' : 'WorkSurplus';
}

/** Pods that are deleted after their finalizer is off are given up: nobody counts them. */
function droppedPods({ steps }: Evaluation): ReadonlySet<KubeObject> {
  const released = new Set<KubeObject>();
  const dropped = new Set<KubeObject>();
  for (const step of steps) {
    if (step.verb === 'release') released.add(step.pod);
    if (step.verb === 'delete' && released.has(step.pod)) dropped.add(step.pod);
  }
  return dropped;
}

function stepsOf(job: KubeObject, evaluation: Evaluation): readonly WorkStep[] {
  const written = isObject(job.status) ? job.status : {};
  const conversion: Conversion = { job, reason: deleteReason(evaluation), steps: [], written };
  const dropped = droppedPods(evaluation);
  for (const [batch, step] of evaluation.steps.entries()) convert(conversion, step, batch, dropped);
  const { status, backoff } = evaluation;
  const isOpen = conversion.steps.some(({ verb }) => verb === 'add');
  // It may say by chance what stands already, and would not if a pod could not be created.
  if (isOpen && !conversion.steps.some(({ verb }) => verb === 'apply'))
    conversion.steps.push(statusStep(conversion, { verb: 'status', status, backoff }));
  return conversion.steps;
}

/** How a finished Job ended, by its conditions. */
export function endOf(status: Json | undefined): Pick<Work, 'outcome' | 'reason' | 'detail'> {
  const outcome = isConditionTrue(status, 'Complete') ? 'succeeded' : 'failed';
  const condition = conditionOf(status, outcome === 'succeeded' ? 'Complete' : 'Failed');
  const reason = textMember(condition, 'reason');
  const detail = textMember(condition, 'message');
  return {
    outcome,
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(detail === undefined || detail === '' ? {} : { detail }),
  };
}

interface Standing extends Pick<Work, 'outcome' | 'reason' | 'detail'> {
  readonly state: WorkState;
}

function finishedStanding({ status, verdict }: Evaluation): Standing {
  const end = endOf(status);
  if (verdict === undefined) return { ...end, state: 'finished' };
  // It ends in this very pass.
  return { state: end.outcome ?? 'failed', ...told(verdict) };
}

function told({ reason, message }: Verdict): Pick<Work, 'reason' | 'detail'> {
  return { reason, detail: message };
}

function openStanding(job: KubeObject, { state, steps }: Evaluation): Standing {
  if (job.metadata.deletionTimestamp !== undefined)
    return { state: steps.length > 0 ? 'releasing' : 'deleting', detail: 'its pods are counted' };
  if (state === 'suspended') return { state: 'suspended', reason: 'JobSuspended' };
  return { state: isStarting(job) ? 'started' : 'running' };
}

function standingOf(job: KubeObject, evaluation: Evaluation): Standing {
  const { state, verdict, problem } = evaluation;
  switch (state) {
    case 'skipped':
      return { state: 'foreign' };
    case 'invalid':
      return { state: 'invalid', ...(problem === undefined ? {} : { detail: problem }) };
    case 'unknownMode':
      return {
        state: 'invalid',
        reason: 'UnknownCompletionMode',
        detail: 'its completion mode is not known',
      };
    case 'finished':
      return finishedStanding(evaluation);
    case 'ending':
      return { state: 'running', ...(verdict === undefined ? {} : told(verdict)) };
    case 'suspended':
    case 'active':
      return openStanding(job, evaluation);
  }
}

function isStarting({ status }: KubeObject): boolean {
  return textMember(status, 'startTime') === undefined;
}

function decidedBy({ verdict, state, status }: Evaluation): Decided {
  if (verdict !== undefined) return { reason: verdict.reason, message: verdict.message };
  if (state !== 'finished') return { reason: undefined, message: undefined };
  const { reason, detail } = endOf(status);
  return { reason, message: detail };
}

/** One Job with the pods that it controls, and what this tick does for it. */
export function jobWork(source: SourcedObject, pods: readonly KubeObject[], { now }: WorkInput): Work {
  const { object: job } = source;
  const evaluation = evaluateJob({ job, pods, now, settings: { managedBy: MANAGED_BY } });
  return {
    type: JOB,
    source,
    ...standingOf(job, evaluation),
    steps: stepsOf(job, evaluation),
    events: gatheredEvents(evaluation.events),
    findings: [],
    facts: jobFacts(job, evaluation, decidedBy(evaluation), now),
  };
}

/** Nothing is decided where not all pods are known: one that is missing would be taken for gone. */
export function unreadableWork(source: SourcedObject, reason: string): Work {
  const { object } = source;
  const facts = recordedFacts(object);
  return {
    type: JOB,
    source,
    state: 'unreadable',
    detail: `its pods could not be read: ${reason}`,
    steps: [],
    events: [],
    findings: [],
    facts,
  };
}
