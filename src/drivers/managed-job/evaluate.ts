import type { EventDraft, Finding } from '#core/kind.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';
import { backoffText } from './backoff.ts';
import { type Course, courseOf } from './course.ts';
import type { Evaluation, EvaluationInput, EvaluationState, JobStep, Requeue } from './evaluation.ts';
import { endEvents, podEvents, suspensionEvent, unknownModeEvent } from './events.ts';
import { type JobSpec, readJobSpec } from './job-spec.ts';
import { type JobStatus, readJobStatus, statusJson } from './job-status.ts';
import { nextStatus } from './next-status.ts';
import { isTrue, openPass, ownPods, type Pass } from './pass.ts';
import { refusals } from './refusals.ts';
import { BACKOFF_ANNOTATION, BUILT_IN_CONTROLLER } from './resources.ts';
import { stepsOf } from './steps.ts';
import { isFinished, secondsToLive } from './ttl.ts';
import { secondsToDeadline } from './verdict.ts';

const NO_FINDINGS: readonly Finding[] = [];

interface ReadJob {
  readonly spec: JobSpec;
  readonly status: JobStatus;
}

function resting({ job }: EvaluationInput, state: EvaluationState): Evaluation {
  return {
    state,
    status: isObject(job.status) ? job.status : {},
    backoff: job.metadata.annotations?.[BACKOFF_ANNOTATION],
    steps: [],
    events: [],
    findings: NO_FINDINGS,
    waits: [],
  };
}

/** A finished Job is only tidied up: finalizers that were left, and the Job itself once its time is over. */
function finishedJob(input: EvaluationInput, { spec, status }: ReadJob): Evaluation {
  const { job, pods, now } = input;
  const left = ownPods(job, pods).filter(({ tracked }) => tracked);
  const isGoing = job.metadata.deletionTimestamp !== undefined;
  const seconds = isGoing ? undefined : secondsToLive(spec, status, now);
  const isDue = seconds !== undefined && seconds <= 0;
  const steps: readonly JobStep[] = [
    ...left.map(({ object }): JobStep => ({ verb: 'release', pod: object })),
    ...(isDue ? [{ verb: 'deleteJob' } as const] : []),
  ];
  const waits: readonly Requeue[] = seconds === undefined || isDue ? [] : [{ seconds, reason: 'ttl' }];
  return { ...resting(input, 'finished'), steps, ...waiting(waits) };
}

/** At least a second: a wait of nothing would be no wait. */
function requeueAfter(seconds: number | undefined, reason: Requeue['reason']): readonly Requeue[] {
  return seconds === undefined ? [] : [{ seconds: Math.max(1, seconds), reason }];
}

function waitsOf(pass: Pass, { managed, verdict }: Course, after: JobStatus): readonly Requeue[] {
  return verdict === undefined
    ? [...requeueAfter(secondsToDeadline(pass), 'deadline'), ...requeueAfter(managed.delaySeconds, 'backoff')]
    : requeueAfter(secondsToLive(pass.spec, after, pass.now), 'ttl');
}

function waiting(waits: readonly Requeue[]): Pick<Evaluation, 'waits' | 'requeue'> {
  const sorted = [...waits].sort((a, b) => a.seconds - b.seconds);
  const [requeue] = sorted;
  return { waits: sorted, ...(requeue === undefined ? {} : { requeue }) };
}

function eventsOf(pass: Pass, course: Course, after: JobStatus): readonly EventDraft[] {
  const { managed, stopped, verdict } = course;
  const pods = podEvents(managed.creates, [...managed.removals, ...stopped]);
  if (verdict !== undefined)
    return isFinished(after) ? [...pods, ...endEvents(verdict, pass.spec, after)] : pods;
  const isFlipped = isTrue(after, 'Suspended') !== isTrue(pass.status, 'Suspended');
  return isFlipped ? [...pods, suspensionEvent(pass.spec.suspended, pass.now)] : pods;
}

function stateOf({ spec }: Pass, { verdict }: Course, after: JobStatus): EvaluationState {
  if (isFinished(after)) return 'finished';
  if (verdict !== undefined) return 'ending';
  return spec.suspended ? 'suspended' : 'active';
}

function unfinishedJob(input: EvaluationInput, { spec, status }: ReadJob): Evaluation {
  const { job, pods, now, takenNames = new Set() } = input;
  const pass = openPass({ job, pods, now, spec, status });
  const course = courseOf(pass, takenNames);
  const { managed, stopped, verdict, count } = course;
  const next = nextStatus(pass, course);
  return {
    state: stateOf(pass, course, next.after),
    status: statusJson(next.after),
    backoff: backoffText(next.backoffAfter),
    ...(verdict === undefined ? {} : { verdict }),
    steps: stepsOf({ pass, managed, stopped, releases: count.releases, next }),
    events: eventsOf(pass, course, next.after),
    findings: NO_FINDINGS,
    ...waiting(waitsOf(pass, course, next.after)),
  };
}

/** What the rules of the API say of a field tells more than that it cannot be read. */
function unreadableFields(job: KubeObject, problems: readonly Finding[]): readonly Finding[] {
  const refused = refusals(job);
  return [...refused, ...problems.filter(({ path }) => refused.length === 0 || path[0] !== 'spec')];
}

/**
 * One pass over one Job (job.md 2.3), a pure function of the Job, its pods and the time. What it returns are writes in
 * their order; a process that ends after any of them leaves a state from which the next pass comes to the same counts.
 */
export function evaluateJob(input: EvaluationInput): Evaluation {
  const { job, settings } = input;
  const problems: Finding[] = [];
  const read = { spec: readJobSpec(job, problems), status: readJobStatus(job, problems) };
  const manager = textMember(job.spec, 'managedBy') ?? BUILT_IN_CONTROLLER;
  if (manager !== settings.managedBy) return resting(input, 'skipped');
  if (problems.length > 0) return { ...resting(input, 'invalid'), findings: unreadableFields(job, problems) };
  if (isFinished(read.status)) return finishedJob(input, read);
  const refused = refusals(job);
  const { completionMode } = read.spec;
  if (completionMode !== 'Indexed' && completionMode !== 'NonIndexed')
    return { ...resting(input, 'unknownMode'), events: [unknownModeEvent()], findings: refused };
  // One that is being deleted gets no pod, and waits for the finalizers of those that it has.
  const isGoing = job.metadata.deletionTimestamp !== undefined;
  if (refused.length > 0 && !isGoing) return { ...resting(input, 'invalid'), findings: refused };
  return unfinishedJob(input, read);
}
