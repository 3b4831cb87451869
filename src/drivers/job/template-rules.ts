import type { Issue } from '#api/issue.ts';
import { issueFinding } from '#api/issue-finding.ts';
import { type JobContext, NAME_LABELS } from '#api/job-name.ts';
import { checkJobSpec } from '#api/job-template.ts';
import type { Finding } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json, JsonObject } from '#core/object/object.ts';
import { valueAt } from '#core/object/value-at.ts';
import { BACKUP_ORDER, type OrderSort, RESTORE_ORDER } from './order.ts';
import { isTemplate } from './render-template.ts';

/** What stands for something that only an order tells: it fits most of what it may stand in. */
const PLACEHOLDER = 'x';
const EXPRESSION = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;

function filled(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll(EXPRESSION, PLACEHOLDER);
  if (Array.isArray(value)) return value.map(filled);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member = null]) => [key, filled(member)]));
}

/** Pods of a Job never restart without end; without a word of it, the driver writes Never. */
function withRestartPolicy(template: JsonObject): JsonObject {
  const spec = isObject(template.spec) ? template.spec : undefined;
  const { restartPolicy = '' } = spec ?? {};
  return spec === undefined || restartPolicy !== ''
    ? template
    : { ...template, spec: { ...spec, restartPolicy: 'Never' } };
}

/** Where the value, or what it must be one of, is only known once it is rendered. */
function isOpen(template: Json, path: FieldPath): boolean {
  const value = valueAt(template, path);
  if (typeof value === 'string' && isTemplate(value)) return true;
  const volumes = valueAt(template, ['spec', 'volumes']);
  return path.includes('volumeMounts') && isTemplate(JSON.stringify(volumes ?? null));
}

/** Of the Job only the end of its name is certain: a label that ends so, fits some order. */
function jobContext(template: JsonObject, sorts: readonly [OrderSort, ...OrderSort[]]): JobContext {
  const labels = NAME_LABELS.map((key) => valueAt(template, ['metadata', 'labels', key]));
  const fitting = labels.find(
    (value) => typeof value === 'string' && sorts.some(({ jobSuffix }) => value.endsWith(jobSuffix)),
  );
  const [{ jobSuffix, contextName }] = sorts;
  const jobName = typeof fitting === 'string' ? fitting : `${PLACEHOLDER}${jobSuffix}`;
  return { jobName, shownName: `${contextName.toUpperCase()}${jobSuffix}` };
}

function templateFindings(
  spec: JsonObject,
  field: 'template' | 'restoreTemplate',
  sorts: readonly [OrderSort, ...OrderSort[]],
): readonly Finding[] {
  const template = spec[field];
  if (!isObject(template)) return [];
  const job = { template: withRestartPolicy(filled(template) as JsonObject) };
  return checkJobSpec(job, [], jobContext(template, sorts))
    .filter(({ path }) => path[0] === 'template' && !isOpen(template, path.slice(1)))
    .map((issue): Issue => ({ ...issue, path: ['spec', field, ...issue.path.slice(1)] }))
    .map(issueFinding);
}

/** The API's rules for the pods that a strategy describes (job.md 2.2), as far as they do not hang on an order. */
export function templateRuleFindings(spec: JsonObject): readonly Finding[] {
  const isForBoth = spec['restoreTemplate'] === undefined || spec['restoreTemplate'] === null;
  return [
    ...templateFindings(spec, 'template', isForBoth ? [BACKUP_ORDER, RESTORE_ORDER] : [BACKUP_ORDER]),
    ...templateFindings(spec, 'restoreTemplate', [RESTORE_ORDER]),
  ];
}
