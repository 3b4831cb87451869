import { MANAGED_BY } from '#api/managed-by.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { type Instant, parseInstant } from '#core/time/instant.ts';
import { evaluateJob } from '#drivers/managed-job/evaluate.ts';
import type { Evaluation } from '#drivers/managed-job/evaluation.ts';
import { jobOf, podsOf } from './case-objects.ts';
import type { CaseRow, PodRow } from './case-row.ts';
import { type ByVerb, byVerb } from './support/by-verb.ts';

export function at(time: string): Instant {
  const read = parseInstant(time);
  if (read === undefined) throw new Error(`${time} is no time`);
  return read;
}

/** One pass of who has that name: the built-in controller, or whom `managedBy` says. */
export function evaluateRow(row: CaseRow, managedBy?: string): ByVerb {
  const settings = { managedBy: managedBy ?? 'kubernetes.io/job-controller' };
  const job = jobOf(row, managedBy);
  return byVerb(evaluateJob({ job, pods: podsOf(row), now: at(row.now), settings }));
}

/** A pass over a Job of ours at 08:00, which runs since 07:30. */
export interface Given {
  readonly spec: JsonObject;
  readonly pods?: readonly PodRow[];
  /** Added to a status that has a start. */
  readonly status?: JsonObject;
  readonly backoff?: string;
  readonly deleting?: boolean;
  /** Changes the pods as they are made from their rows. */
  readonly pod?: (pod: KubeObject) => KubeObject;
}

const NOW = '2026-10-28T08:00:00Z';
const STARTED = '2026-10-28T07:30:00Z';

export function givenJob({ spec, status = {}, backoff, deleting }: Given): KubeObject {
  const row: CaseRow = {
    id: '',
    about: '',
    source: '',
    spec,
    pods: [],
    now: NOW,
    startTime: STARTED,
    expect: {},
    ...(deleting === undefined ? {} : { deleting }),
  };
  const job = jobOf(row, MANAGED_BY);
  const annotations = backoff === undefined ? {} : { 'minutehand.dev/backoff': backoff };
  return { ...job, metadata: { ...job.metadata, annotations }, status: { startTime: STARTED, ...status } };
}

export function evaluateGiven(given: Given, takenNames?: ReadonlySet<string>): ByVerb {
  const { spec, pods = [], pod = (one: KubeObject) => one } = given;
  const row: CaseRow = {
    id: '',
    about: '',
    source: '',
    spec,
    pods,
    now: NOW,
    startTime: STARTED,
    expect: {},
  };
  const evaluation = evaluateJob({
    job: givenJob(given),
    pods: podsOf(row).map(pod),
    now: at(NOW),
    settings: { managedBy: MANAGED_BY },
    ...(takenNames === undefined ? {} : { takenNames }),
  });
  return byVerb(evaluation);
}

/** The writes in short: `create 2`, `delete c`, `release c`, `status`. */
export function writes({ steps }: Evaluation): readonly string[] {
  return steps.map((step) => {
    if (step.verb === 'create') return `create ${step.pods.length}`;
    return 'pod' in step ? `${step.verb} ${step.pod.metadata.name}` : step.verb;
  });
}

export function names(objects: readonly KubeObject[]): readonly string[] {
  return objects.map(({ metadata }) => metadata.name);
}

export function running(name: string, more: Partial<PodRow> = {}): PodRow {
  return { name, phase: 'Running', ...more };
}

export function succeeded(name: string, more: Partial<PodRow> = {}): PodRow {
  return { name, phase: 'Succeeded', exitCode: 0, finishedAt: '2026-10-28T07:31:00Z', ...more };
}

export function failed(name: string, more: Partial<PodRow> = {}): PodRow {
  return { name, phase: 'Failed', exitCode: 1, finishedAt: '2026-10-28T07:31:00Z', ...more };
}
