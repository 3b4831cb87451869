import { MANAGED_BY } from '#api/managed-by.ts';
import { JOB } from '#api/resources.ts';
import type { Finding } from '#core/kind.ts';
import { textMember } from '#core/object/canonical.ts';
import { conditionOf, isConditionTrue } from '#core/object/condition.ts';
import type { Json, KubeObject, SourcedObject } from '#core/object/object.ts';
import type { Work, WorkInput, WorkState } from '#core/run/driver.ts';
import { instant } from '#core/time/instant.ts';
import { evaluateJob } from './evaluate.ts';
import type { Evaluation } from './evaluation.ts';
import { gatheredEvents } from './events.ts';
import { type Decided, jobFacts, recordedFacts } from './facts.ts';
import { refusals } from './refusals.ts';
import type { Verdict } from './verdict.ts';
import { workSteps } from './work-steps.ts';

export function isManagedHere({ kind, spec }: KubeObject): boolean {
  return kind === JOB.kind && textMember(spec, 'managedBy') === MANAGED_BY;
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

function invalidStanding([first]: readonly Finding[]): Standing {
  return { state: 'invalid', ...(first === undefined ? {} : { reason: first.code, detail: first.what }) };
}

/** Of a Job about which nothing else is decided; undefined where the API takes it. */
export function refusedStanding(job: KubeObject): (Standing & Pick<Work, 'findings'>) | undefined {
  const findings = refusals(job);
  return findings.length === 0 ? undefined : { ...invalidStanding(findings), findings };
}

function standingOf(job: KubeObject, evaluation: Evaluation): Standing {
  const { state, verdict } = evaluation;
  switch (state) {
    case 'skipped':
      return { state: 'foreign' };
    case 'invalid':
      return invalidStanding(evaluation.findings);
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
    turns: evaluation.waits.map(({ seconds, reason }) => ({ at: instant(now + seconds), reason })),
    steps: workSteps(job, evaluation),
    events: gatheredEvents(evaluation.events),
    findings: evaluation.findings,
    facts: jobFacts(job, evaluation, decidedBy(evaluation), now),
  };
}

/** Nothing is decided where not all pods are known: one that is missing would be taken for gone. */
export function unreadableWork(source: SourcedObject, reason: string): Work {
  return {
    type: JOB,
    source,
    state: 'unreadable',
    detail: `its pods could not be read: ${reason}`,
    steps: [],
    events: [],
    findings: [],
    facts: recordedFacts(source.object),
  };
}
