import { type FieldDiff, fieldDiffs, pointerKeys } from '#core/change/diff.ts';
import type { Mask } from '#core/change/mask.ts';
import { LAST_APPLIED_ANNOTATION } from '#core/object/annotations.ts';
import { isObject, sameValue } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';

/** The whole object once more, or a mark that a tool keeps there: nothing that anybody declares. */
const KEPT_BY_TOOLS = [
  LAST_APPLIED_ANNOTATION,
  'kustomize.toolkit.fluxcd.io/checksum',
  'argocd.argoproj.io/tracking-id',
];

/** Whether two values of a field mean the same although they are spelled otherwise: `60m` and `1h`. */
export type SameMeaning = (keys: readonly string[], before: Json, after: Json) => boolean;

export interface FieldRules {
  readonly mask: Mask;
  readonly sameMeaning: SameMeaning;
  /** What the API writes into fields that are left out, by their JSON pointer. */
  readonly defaults: Readonly<Record<string, Json>>;
}

function withoutKept(annotations: Readonly<Record<string, string>> | undefined): JsonObject {
  const declared = Object.entries(annotations ?? {}).filter(([name]) => !KEPT_BY_TOOLS.includes(name));
  return Object.fromEntries(declared);
}

function isEmpty(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** The part of an object that somebody declares: no status, and of the metadata labels, annotations and owners. */
function declaredPart({ metadata, status: _status, kind: _kind, ...rest }: KubeObject): JsonObject {
  const { labels, annotations, ownerReferences } = metadata;
  const declared: Record<string, Json> = {
    labels: { ...labels },
    annotations: withoutKept(annotations),
    ownerReferences: (ownerReferences ?? []) as unknown as Json,
  };
  for (const [name, value] of Object.entries(declared))
    if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) delete declared[name];
  return { ...(rest as JsonObject), metadata: declared };
}

function isDefault({ path, before, after }: FieldDiff, defaults: FieldRules['defaults']): boolean {
  const value = Object.hasOwn(defaults, path) ? defaults[path] : undefined;
  if (value === undefined || (before !== undefined && after !== undefined)) return false;
  return sameValue(before ?? after ?? null, value);
}

/** `null` and an empty mapping say what a field that is left out says. */
function saysNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || isEmpty(value);
}

function isReal(diff: FieldDiff, { defaults, sameMeaning }: FieldRules): boolean {
  const { path, before, after } = diff;
  if (isDefault(diff, defaults) || (saysNothing(before) && saysNothing(after))) return false;
  return before === undefined || after === undefined || !sameMeaning(pointerKeys(path), before, after);
}

/** The declared fields in which two states of an object differ in meaning, masked, in the order of their paths. */
export function declaredDiffs(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
  rules: FieldRules,
): readonly FieldDiff[] {
  if (before === undefined || after === undefined) return [];
  const [old, fresh] = [declaredPart(before), declaredPart(after)];
  if (sameValue(old, fresh)) return [];
  return fieldDiffs(old, fresh, rules.mask).filter((diff) => isReal(diff, rules));
}
