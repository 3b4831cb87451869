import { LAST_APPLIED_ANNOTATION } from '#core/object/annotations.ts';
import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { parseJson } from '#core/object/parse-json.ts';

/** The fields that somebody applied: what is no longer declared of them goes, everything else stays. */
export interface Claims {
  /** `fieldsV1` of every manager that applied. */
  readonly sets: readonly JsonObject[];
  /** `fieldsV1` of all others: they claim nothing here, but show how the API takes fields apart. */
  readonly others: readonly JsonObject[];
  readonly lastApplied: Json | undefined;
}

export function claimsOf({ metadata }: KubeObject): Claims {
  const sets: JsonObject[] = [];
  const others: JsonObject[] = [];
  for (const { operation, subresource, fieldsV1 } of metadata.managedFields ?? []) {
    if (fieldsV1 === undefined) continue;
    (operation === 'Apply' && subresource === undefined ? sets : others).push(fieldsV1);
  }
  const lastApplied = metadata.annotations?.[LAST_APPLIED_ANNOTATION];
  return { sets, others, lastApplied: lastApplied === undefined ? undefined : parseJson(lastApplied) };
}

/** The claims of one member, by the name that `fieldsV1` has for it. */
function within(claims: Claims, member: string, lastApplied: Json | undefined): Claims {
  const at = (sets: readonly JsonObject[]): JsonObject[] =>
    sets.flatMap((set) => (isObject(set[member]) ? [set[member]] : []));
  return { sets: at(claims.sets), others: at(claims.others), lastApplied };
}

export function inside(claims: Claims, key: string): Claims {
  const { lastApplied } = claims;
  return within(claims, `f:${key}`, isObject(lastApplied) ? lastApplied[key] : undefined);
}

export function isClaimed({ sets, lastApplied }: Claims, key: string): boolean {
  return (
    sets.some((set) => Object.hasOwn(set, `f:${key}`)) ||
    (isObject(lastApplied) && Object.hasOwn(lastApplied, key))
  );
}

/** Whether a mapping was applied as one value, such as a node selector: nobody claims a part of it. */
export function isAtomic({ sets, others }: Claims): boolean {
  const hasParts = (set: JsonObject): boolean => Object.keys(set).some((member) => member !== '.');
  return sets.length > 0 && !sets.some(hasParts) && !others.some(hasParts);
}

/**
 * The fields that tell the items of a list apart: `fieldsV1` has them with each item, as JSON
 * (`k:{"containerPort":80,"protocol":"TCP"}`). A name where no manager says.
 */
export function itemFieldsOf({ sets, others }: Claims): readonly string[] {
  const members = [...sets, ...others].flatMap(Object.keys);
  const member = members.find((one) => one.startsWith('k:'));
  const key = member === undefined ? undefined : parseJson(member.slice(2));
  return isObject(key) ? Object.keys(key) : ['name'];
}

/** What tells an item apart, as `fieldsV1` writes it; undefined for one without any of the fields. */
export function itemKeyOf(item: Json, fields: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined;
  const key = fields.flatMap((field): [string, Json][] => {
    const value = item[field] ?? null;
    return value === null ? [] : [[field, value]];
  });
  return key.length === 0 ? undefined : JSON.stringify(Object.fromEntries(key));
}

/** A field of the key that is left out has its default, which may be that of the other. */
function mayBe(item: Json, other: Json, fields: readonly string[]): boolean {
  if (!isObject(item) || !isObject(other)) return false;
  const both = fields.filter((field) => (item[field] ?? null) !== null && (other[field] ?? null) !== null);
  return both.length > 0 && both.every((field) => item[field] === other[field]);
}

/** The only item that this one may be, although parts of its key are left out. */
export function similarItem(items: readonly Json[], item: Json, fields: readonly string[]): Json | undefined {
  const similar = fields.length === 1 ? [] : items.filter((one) => mayBe(one, item, fields));
  return similar.length === 1 ? similar[0] : undefined;
}

export function insideItem(claims: Claims, item: Json, fields: readonly string[]): Claims {
  const key = itemKeyOf(item, fields);
  const { lastApplied } = claims;
  const items = Array.isArray(lastApplied) ? (lastApplied as readonly Json[]) : [];
  const exact = items.find((one) => itemKeyOf(one, fields) === key);
  return within(claims, `k:${key}`, exact ?? similarItem(items, item, fields));
}
