import { counted } from '#core/counted.ts';
import { isObject, textMember } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import type { WorkFact } from '#core/run/driver.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { readBackoff } from './backoff.ts';
import type { Evaluation, Requeue } from './evaluation.ts';
import { type JobSpec, readJobSpec } from './job-spec.ts';

function fact(label: string, text: string | undefined): readonly WorkFact[] {
  return text === undefined || text === '' ? [] : [{ label, text }];
}

function numberIn(status: JsonObject, key: string): number {
  const value = status[key];
  return typeof value === 'number' ? value : 0;
}

function progressText({ completions, indexed }: JobSpec, status: JsonObject): string {
  const done = numberIn(status, 'succeeded');
  const what = indexed ? 'indexes' : 'completions';
  return completions === undefined
    ? `${done} succeeded, of a work queue`
    : `${done} of ${completions} ${what}`;
}

function podsText(status: JsonObject): string {
  const [active, ready] = [numberIn(status, 'active'), numberIn(status, 'ready')];
  const [stopping, failed] = [numberIn(status, 'terminating'), numberIn(status, 'failed')];
  return `${active} active (${ready} ready), ${stopping} stopping, ${failed} failed`;
}

function limitsText(spec: JobSpec): string {
  const { backoffLimit, backoffLimitPerIndex, maxFailedIndexes, activeDeadlineSeconds } = spec;
  return [
    backoffLimitPerIndex === undefined
      ? `back-off limit ${backoffLimit}`
      : `${counted(backoffLimitPerIndex, 'retry', 'retries')} for each index`,
    ...(maxFailedIndexes === undefined
      ? []
      : [`at most ${counted(maxFailedIndexes, 'failed index', 'failed indexes')}`]),
    ...(activeDeadlineSeconds === undefined ? [] : [`${activeDeadlineSeconds} s from the start`]),
  ].join(', ');
}

function statusFacts(spec: JobSpec, status: JsonObject): readonly WorkFact[] {
  return [
    ...fact('done', progressText(spec, status)),
    ...fact('indexes', textMember(status, 'completedIndexes')),
    ...fact('failed indexes', textMember(status, 'failedIndexes')),
    ...fact('pods', podsText(status)),
    ...fact('limits', limitsText(spec)),
    ...fact('started', textMember(status, 'startTime')),
    ...fact('completed', textMember(status, 'completionTime')),
  ];
}

/** What its status says of a Job, without a look at its pods. */
export function recordedFacts(job: KubeObject): readonly WorkFact[] {
  return statusFacts(readJobSpec(job, []), isObject(job.status) ? job.status : {});
}

function timeOfWait(waits: readonly Requeue[], reason: Requeue['reason'], now: Instant): string | undefined {
  const wait = waits.find((one) => one.reason === reason);
  return wait === undefined ? undefined : formatInstant(instant(now + wait.seconds));
}

function createdNames({ steps }: Evaluation): readonly string[] {
  return steps.flatMap((step) =>
    step.verb === 'create' ? step.pods.map(({ metadata }) => metadata.name) : [],
  );
}

const MOST_NAMES = 3;

function namesText(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return more > 0 ? `${names.slice(0, MOST_NAMES).join(', ')} and ${more} more` : names.join(', ');
}

function seriesText(backoff: string | undefined): string {
  const { failures } = readBackoff(backoff);
  return failures > 0 ? ` after ${counted(failures, 'failure')} in a row` : '';
}

/** When the next pod comes. */
function nextPodText(
  job: KubeObject,
  spec: JobSpec,
  evaluation: Evaluation,
  now: Instant,
): string | undefined {
  const { state, status, waits, backoff } = evaluation;
  if (state === 'suspended') return 'none while spec.suspend is true';
  if (state !== 'active') return undefined;
  const names = createdNames(evaluation);
  if (names.length > 0) return `now: ${namesText(names)}`;
  if (job.metadata.deletionTimestamp !== undefined) return 'none: the Job is being deleted';
  if (spec.parallelism === 0) return 'none while spec.parallelism is 0';
  const delayed = timeOfWait(waits, 'backoff', now);
  if (delayed !== undefined) return `not before ${delayed}, the back-off${seriesText(backoff)}`;
  const stopping = numberIn(status, 'terminating');
  if (spec.replacesFailedOnly && stopping > 0)
    return `when ${counted(stopping, 'stopping pod')} of it failed`;
  const active = numberIn(status, 'active');
  const left = (spec.completions ?? 0) - numberIn(status, 'succeeded');
  if (spec.completions === undefined && numberIn(status, 'succeeded') > 0)
    return 'none: one pod has succeeded';
  if (spec.completions !== undefined && left <= active) return 'only if one of the active pods fails';
  return `when one of ${counted(active, 'active pod')} ends`;
}

/** What the Job waits for. */
function awaitsText(
  spec: JobSpec,
  { state, status, waits, steps }: Evaluation,
  now: Instant,
): string | undefined {
  const stopping = numberIn(status, 'terminating');
  const active = numberIn(status, 'active');
  const living = timeOfWait(waits, 'ttl', now);
  switch (state) {
    case 'finished':
      if (steps.some(({ verb }) => verb === 'deleteJob')) return 'its deletion: its time to live is over';
      return living === undefined ? undefined : `the end of its time to live, ${living}`;
    case 'ending':
      return `${counted(active + stopping, 'pod')} to stop`;
    case 'suspended':
      return 'spec.suspend: false';
    case 'active':
      if (active > 0) return `the end of ${counted(active, 'active pod')}`;
      return spec.parallelism === 0 ? 'spec.parallelism above 0' : undefined;
    case 'skipped':
    case 'invalid':
    case 'unknownMode':
      return undefined;
  }
}

const RULES: Readonly<Record<string, string>> = {
  PodFailurePolicy: 'spec.podFailurePolicy',
  BackoffLimitExceeded: 'spec.backoffLimit',
  DeadlineExceeded: 'spec.activeDeadlineSeconds',
  MaxFailedIndexesExceeded: 'spec.maxFailedIndexes',
  FailedIndexes: 'spec.backoffLimitPerIndex',
  SuccessPolicy: 'spec.successPolicy',
  CompletionsReached: 'spec.completions',
};

/** The rule that decides the Job (job.md 2.5). */
function ruleText(reason: string | undefined, message: string | undefined): string | undefined {
  if (reason === undefined) return undefined;
  const field = RULES[reason];
  return `${field === undefined ? reason : `${field}, ${reason}`}: ${message ?? ''}`;
}

export interface Decided {
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

/** Where a Job stands after this pass: which rule decided, what is awaited, when the next pod comes. */
export function jobFacts(
  job: KubeObject,
  evaluation: Evaluation,
  { reason, message }: Decided,
  now: Instant,
): readonly WorkFact[] {
  const spec = readJobSpec(job, []);
  return [
    ...fact('decided by', ruleText(reason, message)),
    ...statusFacts(spec, evaluation.status),
    ...fact('awaits', awaitsText(spec, evaluation, now)),
    ...fact('next pod', nextPodText(job, spec, evaluation, now)),
    ...fact('deadline', timeOfWait(evaluation.waits, 'deadline', now)),
  ];
}
