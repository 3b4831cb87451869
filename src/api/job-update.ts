import { isList, isObject, valueAt } from '#api/field.ts';
import { type Fault, type Issue, issueAt } from '#api/issue.ts';
import { meaningOf, meansTheSame } from '#api/meaning.ts';
import { sameValue } from '#core/object/canonical.ts';
import type { FieldPath, Json, JsonObject, KubeObject } from '#core/object/object.ts';

/** Fields that never change, with what stands in those that are left out. */
const FIXED: readonly (readonly [field: string, unset: Json])[] = [
  ['selector', null],
  ['completionMode', 'NonIndexed'],
  ['podFailurePolicy', null],
  ['backoffLimitPerIndex', null],
  ['managedBy', null],
  ['successPolicy', null],
];

/** Directives for the scheduler, which a suspended Job may still change. */
const DIRECTIVES = ['nodeSelector', 'tolerations', 'schedulingGates'] as const;

function specOf({ spec }: KubeObject): JsonObject {
  return spec !== undefined && isObject(spec) ? spec : {};
}

function objectAt(value: Json | undefined, path: readonly string[]): JsonObject {
  const found = valueAt(value, path);
  return found !== undefined && isObject(found) ? found : {};
}

/** The server prints what is no scalar whole, which has no place in a message. */
function refused(field: FieldPath, value: Json, fault: Pick<Fault, 'detail' | 'fix'>): Issue {
  const isShown = value === null || typeof value !== 'object';
  return issueAt(['spec', ...field], { kind: 'invalid', ...fault, ...(isShown ? { value } : {}) });
}

function immutable(field: FieldPath, value: Json): Issue {
  const fix = 'leave it as it is, or make a Job of another name';
  return refused(field, value, { detail: 'field is immutable', fix });
}

function fixedFields(old: JsonObject, fresh: JsonObject): readonly Issue[] {
  return FIXED.flatMap(([field, unset]) => {
    const [before, after] = [old[field] ?? unset, fresh[field] ?? unset];
    return meansTheSame(field, before, after) ? [] : [immutable([field], after)];
  });
}

interface Counts {
  readonly completions: Json;
  readonly parallelism: Json;
}

/** Without both numbers a Job has one of each. */
function defaulted(completions: Json, parallelism: Json): Counts {
  if (completions === null && parallelism === null) return { completions: 1, parallelism: 1 };
  return { completions, parallelism: parallelism ?? 1 };
}

/** What is stored stays where neither manifest names it, and goes to its default where only the old one does. */
function countsOf(old: JsonObject, fresh: JsonObject): readonly [Counts, Counts] {
  const stored = defaulted(old.completions ?? null, old.parallelism ?? null);
  const kept = (field: keyof Counts): Json =>
    fresh[field] ?? ((old[field] ?? null) === null ? stored[field] : null);
  return [stored, defaulted(kept('completions'), kept('parallelism'))];
}

function completionIssues(old: JsonObject, fresh: JsonObject): readonly Issue[] {
  const [before, after] = countsOf(old, fresh);
  const { completions, parallelism } = after;
  if (sameValue(before.completions, completions)) return [];
  if (fresh.completionMode !== 'Indexed') return [immutable(['completions'], completions)];
  // That an Indexed Job needs the number is told by the rules for every Job.
  if (completions === null || sameValue(completions, parallelism)) return [];
  const detail = 'can only be modified in tandem with spec.parallelism';
  return [refused(['completions'], completions, { detail, fix: 'give both the same number' })];
}

/** Suspended and without pods, as far as its status tells: new pods could still be made otherwise. */
function isOpen({ spec, status }: KubeObject): boolean {
  if (spec === undefined || valueAt(spec, ['suspend']) !== true) return false;
  if (status === undefined) return true;
  const conditions = valueAt(status, ['conditions']) ?? [];
  const isMarked =
    isList(conditions) &&
    conditions.some((one) => isObject(one) && one.type === 'Suspended' && one.status === 'True');
  const hasBegun = (valueAt(status, ['startTime']) ?? null) !== null;
  return (!hasBegun || isMarked) && (valueAt(status, ['active']) ?? 0) === 0;
}

function withoutDirectives(pod: JsonObject): JsonObject {
  const { affinity, ...rest } = pod;
  const others: Record<string, Json> = { ...rest };
  for (const name of DIRECTIVES) delete others[name];
  if (affinity === undefined || !isObject(affinity)) return others;
  const { nodeAffinity: _free, ...bound } = affinity;
  return Object.keys(bound).length === 0 ? others : { ...others, affinity: bound };
}

/** Containers with the resources of those that have the same names in the same order. */
function withResourcesOf(containers: Json | undefined, source: Json | undefined): Json | undefined {
  if (containers === undefined || source === undefined || !isList(containers) || !isList(source))
    return containers;
  if (containers.length !== source.length) return containers;
  return containers.map((container, index) => {
    const other = source[index] ?? null;
    if (!isObject(container) || !isObject(other) || container.name !== other.name) return container;
    const { resources: _old, ...rest } = container;
    const { resources } = other;
    return resources === undefined ? rest : { ...rest, resources };
  });
}

/** What a suspended Job's pods must keep: all but scheduling directives, labels, annotations and resources. */
function isKept(old: JsonObject, fresh: JsonObject): boolean {
  const [before, after] = [withoutDirectives(old), withoutDirectives(fresh)];
  const adjusted: Record<string, Json> = { ...before };
  for (const field of ['containers', 'initContainers']) {
    const containers = withResourcesOf(before[field], after[field]);
    if (containers !== undefined) adjusted[field] = containers;
  }
  return sameValue(adjusted, after);
}

function templateIssues(old: KubeObject, fresh: JsonObject): readonly Issue[] {
  const before = meaningOf(specOf(old).template, 'template');
  const after = meaningOf(fresh.template, 'template');
  if (sameValue(before, after)) return [];
  if (!isOpen(old)) return [immutable(['template'], {})];
  return isKept(objectAt(before, ['spec']), objectAt(after, ['spec']))
    ? []
    : [immutable(['template', 'spec'], {})];
}

/**
 * What the API refuses to change in a Job (job.md 2.2, as of Kubernetes 1.36), beside the rules that hold for every Job.
 * Both are manifests as they are applied one after the other, with the server's defaults in mind, or objects as a
 * server has them.
 */
export function checkJobUpdate(old: KubeObject, fresh: KubeObject): readonly Issue[] {
  const [before, after] = [specOf(old), specOf(fresh)];
  return [...completionIssues(before, after), ...templateIssues(old, after), ...fixedFields(before, after)];
}
