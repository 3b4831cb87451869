import {
  checkPresent,
  type FieldCheck,
  isAbsent,
  isObject,
  type ObjectField,
  readObject,
  readStruct,
  report,
  rootObject,
  valueAt,
} from '#api/field.ts';
import { type Issue, tooLong, unsupported } from '#api/issue.ts';
import { checkJobName, isOtherLabel, type JobContext } from '#api/job-name.ts';
import { checkSelectorField } from '#api/label-selector.ts';
import { byteLength, domainPathProblem } from '#api/metadata.ts';
import { checkPodFailurePolicy } from '#api/pod-failure-policy.ts';
import { checkPodTemplateField, checkTemplateMetadata } from '#api/pod-template.ts';
import { readBoolean, readChoice, readCount, readText } from '#api/read-scalar.ts';
import { checkSuccessPolicy } from '#api/success-policy.ts';
import type { FieldPath, Json } from '#core/object/object.ts';

/** Numbers as the API server sees them after defaulting; one that is not usable is undefined. */
interface Counts {
  readonly parallelism: number | undefined;
  readonly completions: number | undefined;
  readonly maxFailedIndexes: number | undefined;
  readonly limitPerIndex: number | undefined;
}

const MAX_PARALLELISM_INDEXED = 100_000;
const MAX_FAILED_INDEXES = 100_000;
const MANY_COMPLETIONS = 100_000;
const MAX_PARALLELISM_MANY = 10_000;
const MAX_FAILED_INDEXES_MANY = 10_000;
const MAX_MANAGED_BY_LENGTH = 63;
const MODES = ['NonIndexed', 'Indexed'] as const;
const REPLACEMENTS = ['Failed', 'TerminatingOrFailed'] as const;
const RESTART_FIX =
  'set Never (every attempt is a pod of its own) or OnFailure (its containers restart in place)';

function readCounts(spec: ObjectField): Counts {
  const counts = {
    parallelism: readCount(spec, 'parallelism', 32),
    completions: readCount(spec, 'completions', 32),
    limitPerIndex: readCount(spec, 'backoffLimitPerIndex', 32),
    maxFailedIndexes: readCount(spec, 'maxFailedIndexes', 32),
  };
  if (!isAbsent(spec, 'maxFailedIndexes') && isAbsent(spec, 'backoffLimitPerIndex')) {
    const detail = 'when maxFailedIndexes is specified';
    report(spec, ['backoffLimitPerIndex'], { kind: 'required', detail });
  }
  return counts;
}

function checkAtMost(spec: ObjectField, key: string, limit: number, condition: string): void {
  const value = spec.value[key];
  if (typeof value !== 'number' || !Number.isInteger(value) || value <= limit) return;
  report(spec, [key], {
    kind: 'invalid',
    value,
    detail: `must be less than or equal to ${limit}${condition}`,
  });
}

/** Above 100,000 completions the lists of indexes in the status could grow too long for etcd. */
function checkManyCompletions(spec: ObjectField): void {
  if (isAbsent(spec, 'maxFailedIndexes')) {
    const detail = `must be specified when completions is above ${MANY_COMPLETIONS}`;
    report(spec, ['maxFailedIndexes'], { kind: 'required', detail });
  }
  const condition = ` when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;
  checkAtMost(spec, 'parallelism', MAX_PARALLELISM_MANY, condition);
  checkAtMost(spec, 'maxFailedIndexes', MAX_FAILED_INDEXES_MANY, condition);
}

function checkIndexed(spec: ObjectField, counts: Counts): void {
  if (counts.completions === undefined && isAbsent(spec, 'completions')) {
    report(spec, ['completions'], { kind: 'required', detail: 'when completion mode is Indexed' });
  }
  checkAtMost(spec, 'parallelism', MAX_PARALLELISM_INDEXED, ' when completion mode is Indexed');
  const { completions, maxFailedIndexes } = counts;
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
    const detail = 'must be less than or equal to completions';
    report(spec, ['maxFailedIndexes'], { kind: 'invalid', value: maxFailedIndexes, detail });
  }
  checkAtMost(spec, 'maxFailedIndexes', MAX_FAILED_INDEXES, '');
  if ((completions ?? 0) > MANY_COMPLETIONS && counts.limitPerIndex !== undefined) checkManyCompletions(spec);
}

function checkNonIndexed(spec: ObjectField, counts: Counts): void {
  const detail = 'requires indexed completion mode';
  if (counts.limitPerIndex !== undefined) {
    report(spec, ['backoffLimitPerIndex'], { kind: 'invalid', value: counts.limitPerIndex, detail });
  }
  if (counts.maxFailedIndexes !== undefined) {
    report(spec, ['maxFailedIndexes'], { kind: 'invalid', value: counts.maxFailedIndexes, detail });
  }
}

function checkManagedBy(spec: ObjectField, key: string): void {
  const value = readText(spec, key);
  if (value === undefined) return;
  const problem = value === '' ? undefined : domainPathProblem(value);
  if (value === '') report(spec, [key], { kind: 'required' });
  if (problem !== undefined) report(spec, [key], { kind: 'invalid', value, detail: problem });
  if (byteLength(value) > MAX_MANAGED_BY_LENGTH) report(spec, [key], tooLong(MAX_MANAGED_BY_LENGTH));
}

function checkReplacementPolicy(spec: ObjectField, key: string): void {
  readChoice(spec, key, isAbsent(spec, 'podFailurePolicy') ? REPLACEMENTS : ['Failed']);
}

/** The fields that are judged one by one. */
const JOB_FIELDS: ReadonlyMap<string, FieldCheck> = new Map<string, FieldCheck>([
  ['activeDeadlineSeconds', (spec, key) => readCount(spec, key, 64)],
  ['backoffLimit', (spec, key) => readCount(spec, key, 32)],
  ['ttlSecondsAfterFinished', (spec, key) => readCount(spec, key, 32)],
  ['suspend', readBoolean],
  ['managedBy', checkManagedBy],
  ['podReplacementPolicy', checkReplacementPolicy],
]);

function checkRestartPolicy(spec: ObjectField, podSpec: ObjectField): void {
  const value = readText(podSpec, 'restartPolicy');
  if (value === '' || value === 'Always' || isAbsent(podSpec, 'restartPolicy')) {
    const detail = 'valid values: "OnFailure", "Never"';
    const fix = isAbsent(spec, 'podFailurePolicy') ? RESTART_FIX : 'set Never, which podFailurePolicy needs';
    report(podSpec, ['restartPolicy'], { kind: 'required', detail, fix });
  } else if (value === 'OnFailure' && !isAbsent(spec, 'podFailurePolicy')) {
    const detail = 'only "Never" is supported when podFailurePolicy is specified';
    report(podSpec, ['restartPolicy'], { kind: 'invalid', value, detail, fix: 'set Never' });
  } else if (value !== undefined && value !== 'OnFailure' && value !== 'Never') {
    report(podSpec, ['restartPolicy'], unsupported(value, ['OnFailure', 'Never']));
  }
}

function checkPolicies(spec: ObjectField, counts: Counts, podSpec: ObjectField | undefined): void {
  const failurePolicy = readObject(spec, 'podFailurePolicy');
  if (failurePolicy !== undefined) checkPodFailurePolicy(failurePolicy, spec, podSpec);
  const successPolicy = readObject(spec, 'successPolicy');
  if (successPolicy === undefined) return;
  if (spec.value.completionMode === 'Indexed') checkSuccessPolicy(successPolicy, counts.completions);
  else report(successPolicy, [], { kind: 'invalid', detail: 'requires indexed completion mode' });
}

/** What Jobs and Job templates have in common. @returns the counts, for rules that need the Job's name too */
function checkCommon(spec: ObjectField, whenBothAbsent: number | undefined): Counts {
  const read = readCounts(spec);
  const isBare = isAbsent(spec, 'completions') && isAbsent(spec, 'parallelism');
  const counts = isBare ? { ...read, completions: whenBothAbsent } : read;
  checkPresent(spec, JOB_FIELDS);
  const mode = readChoice(spec, 'completionMode', MODES);
  if (mode === 'Indexed') checkIndexed(spec, counts);
  else if (mode === 'NonIndexed' || isAbsent(spec, 'completionMode')) checkNonIndexed(spec, counts);
  const template = readStruct(spec, 'template');
  const podSpec = template === undefined ? undefined : checkPodTemplateField(template);
  checkPolicies(spec, counts, podSpec);
  if (podSpec !== undefined) checkRestartPolicy(spec, podSpec);
  return counts;
}

function templateLabels(spec: ObjectField): Readonly<Record<string, string>> {
  const labels = valueAt(spec.value, ['template', 'metadata', 'labels']) ?? {};
  const entries = isObject(labels) ? Object.entries(labels) : [];
  return Object.fromEntries(entries.map(([key, value]) => [key, typeof value === 'string' ? value : '']));
}

function checkJobSelector(spec: ObjectField, context: JobContext): void {
  const isManual = readBoolean(spec, 'manualSelector') === true;
  if (isManual && isAbsent(spec, 'selector')) report(spec, ['selector'], { kind: 'required' });
  const issues = spec.check.issues.length;
  const matches = checkSelectorField(spec, 'selector');
  if (matches === undefined || spec.check.issues.length > issues) return;
  if (isManual && !matches(templateLabels(spec))) {
    const detail = '`selector` does not match template `labels`';
    report(spec, ['template', 'metadata', 'labels'], { kind: 'invalid', detail });
  }
  if (!isManual && namesOtherLabels(spec.value.selector, context)) {
    const fix = 'leave the selector out; the API server generates it';
    report(spec, ['selector'], { kind: 'invalid', detail: '`selector` not auto-generated', fix });
  }
}

function namesOtherLabels(selector: Json | undefined, context: JobContext): boolean {
  const labels = valueAt(selector, ['matchLabels']) ?? {};
  return isObject(labels) && Object.entries(labels).some(([key, value]) => isOtherLabel(key, value, context));
}

/**
 * The rules of batch/v1 JobSpec for a Job on creation (job.md 2.2), with the server's defaults applied.
 * Nothing about updates is judged.
 */
export function checkJobSpec(spec: Json | undefined, path: FieldPath, context: JobContext): Issue[] {
  const issues: Issue[] = [];
  const root = rootObject(spec, { base: path, issues });
  if (root === undefined) return issues;
  // Without both numbers a Job has one completion; the server defaults Jobs so, but no Job templates.
  const counts = checkCommon(root, 1);
  checkJobSelector(root, context);
  checkJobName(root, counts.completions, context);
  return issues;
}

/**
 * The rules of batch/v1 JobTemplateSpec inside a CronJob (cron-job.md 1.2): metadata, and a JobSpec without selector.
 * The server looks at the metadata only when a Job is created from it, which would then fail at every slot.
 * @param context with the name of the Job that would be created, what hangs on that is judged too
 */
export function checkJobTemplate(
  template: Json | undefined,
  path: FieldPath,
  context: JobContext = {},
): Issue[] {
  const issues: Issue[] = [];
  const root = rootObject(template, { base: path, issues });
  if (root === undefined) return issues;
  checkTemplateMetadata(root);
  const spec = readStruct(root, 'spec');
  if (spec === undefined) return issues;
  const counts = checkCommon(spec, undefined);
  if (!isAbsent(spec, 'selector')) {
    const fix = 'leave the selector out';
    report(spec, ['selector'], { kind: 'invalid', detail: '`selector` will be auto-generated', fix });
  }
  if (readBoolean(spec, 'manualSelector') === true) {
    report(spec, ['manualSelector'], unsupported(true, ['nil', 'false']));
  }
  checkJobName(spec, counts.completions, context);
  return issues;
}
