import type { Finding } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import {
  type Reading,
  readFlag,
  readNumber,
  readNumbers,
  readPart,
  readParts,
  readString,
  unreadable,
} from './reading.ts';
import { LARGEST_INT32 } from './resources.ts';

/** A rule of `spec.podFailurePolicy`. */
export interface FailureRule {
  readonly action: string;
  readonly exitCodes?: {
    readonly containerName: string | undefined;
    readonly operator: string;
    readonly values: readonly number[];
  };
  readonly conditions: readonly { readonly type: string; readonly status: string }[];
}

/** A rule of `spec.successPolicy`. */
export interface SuccessRule {
  readonly indexes: string | undefined;
  readonly count: number | undefined;
}

/** `spec` of a Job with the defaults of the API (job.md 2.1). */
export interface JobSpec {
  readonly parallelism: number;
  /** Absent: a work queue. */
  readonly completions: number | undefined;
  readonly completionMode: string;
  readonly indexed: boolean;
  readonly backoffLimit: number;
  readonly backoffLimitPerIndex: number | undefined;
  readonly maxFailedIndexes: number | undefined;
  readonly activeDeadlineSeconds: number | undefined;
  readonly ttlSecondsAfterFinished: number | undefined;
  readonly suspended: boolean;
  /** A pod is replaced once it is Failed, not as soon as it is being deleted. */
  readonly replacesFailedOnly: boolean;
  readonly failureRules: readonly FailureRule[] | undefined;
  readonly successRules: readonly SuccessRule[];
  readonly manualSelector: boolean;
  readonly restartPolicy: string;
  readonly template: JsonObject;
}

const DEFAULT_BACKOFF_LIMIT = 6;

function readFailureRule(rule: Reading): FailureRule {
  const action = readString(rule, 'action') ?? '';
  const conditions = readParts(rule, 'onPodConditions').map((pattern) => ({
    type: readString(pattern, 'type') ?? '',
    // An empty status is defaulted, too.
    status: readString(pattern, 'status') || 'True',
  }));
  if (!isObject(rule.value.onExitCodes)) return { action, conditions };
  const codes = readPart(rule, 'onExitCodes');
  const exitCodes = {
    containerName: readString(codes, 'containerName'),
    operator: readString(codes, 'operator') ?? '',
    values: readNumbers(codes, 'values'),
  };
  return { action, exitCodes, conditions };
}

function readCompletions(spec: Reading): Pick<JobSpec, 'completions' | 'parallelism'> {
  const completions = readNumber(spec, 'completions');
  const parallelism = readNumber(spec, 'parallelism');
  if (completions === undefined && parallelism === undefined) return { completions: 1, parallelism: 1 };
  return { completions, parallelism: parallelism ?? 1 };
}

/** @param problems takes what the API would have refused: nothing is decided from such a spec */
export function readJobSpec(job: KubeObject, problems: Finding[]): JobSpec {
  const whole: Reading = { value: { spec: job.spec ?? null }, path: '', problems };
  const spec: Reading = { ...readPart(whole, 'spec'), path: 'spec' };
  const template = readPart(spec, 'template');
  const backoffLimitPerIndex = readNumber(spec, 'backoffLimitPerIndex');
  const completionMode = readString(spec, 'completionMode') ?? 'NonIndexed';
  const counts = readCompletions(spec);
  const hasFailurePolicy = isObject(spec.value.podFailurePolicy);
  const defaultLimit = backoffLimitPerIndex === undefined ? DEFAULT_BACKOFF_LIMIT : LARGEST_INT32;
  if (completionMode === 'Indexed' && counts.completions === undefined)
    problems.push(unreadable('spec.completions', 'is required when the completion mode is Indexed'));
  return {
    ...counts,
    completionMode,
    indexed: completionMode === 'Indexed',
    backoffLimit: readNumber(spec, 'backoffLimit') ?? defaultLimit,
    backoffLimitPerIndex,
    maxFailedIndexes: readNumber(spec, 'maxFailedIndexes'),
    activeDeadlineSeconds: readNumber(spec, 'activeDeadlineSeconds'),
    ttlSecondsAfterFinished: readNumber(spec, 'ttlSecondsAfterFinished'),
    suspended: readFlag(spec, 'suspend') ?? false,
    replacesFailedOnly: hasFailurePolicy || readString(spec, 'podReplacementPolicy') === 'Failed',
    failureRules: hasFailurePolicy
      ? readParts(readPart(spec, 'podFailurePolicy'), 'rules').map(readFailureRule)
      : undefined,
    successRules: readParts(readPart(spec, 'successPolicy'), 'rules').map((rule) => ({
      indexes: readString(rule, 'succeededIndexes'),
      count: readNumber(rule, 'succeededCount'),
    })),
    manualSelector: readFlag(spec, 'manualSelector') ?? false,
    restartPolicy: readString(readPart(template, 'spec'), 'restartPolicy') ?? '',
    template: template.value,
  };
}
