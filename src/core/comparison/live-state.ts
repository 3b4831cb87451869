import { LAST_APPLIED_ANNOTATION } from '#core/object/annotations.ts';
import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { parseJson } from '#core/object/parse-json.ts';

/** A manifest with what only the API knows of the object: its uid, its age, its status. */
export function withLiveState(manifest: KubeObject, live: KubeObject): KubeObject {
  const {
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    deletionTimestamp,
    managedFields,
    finalizers,
  } = live.metadata;
  const known = {
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    deletionTimestamp,
    managedFields,
    finalizers,
  };
  const told = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  const { status: _status, ...declared } = manifest;
  return {
    ...declared,
    metadata: { ...manifest.metadata, ...told },
    ...(live.status === undefined ? {} : { status: live.status }),
  };
}

/** The fields that somebody applied: what is no longer declared of them goes, everything else stays. */
interface Claims {
  /** `fieldsV1` of every manager that applied. */
  readonly sets: readonly JsonObject[];
  readonly lastApplied: Json | undefined;
}

function claimsOf({ metadata }: KubeObject): Claims {
  const sets = (metadata.managedFields ?? []).flatMap(({ operation, subresource, fieldsV1 }) =>
    operation === 'Apply' && subresource === undefined && fieldsV1 !== undefined ? [fieldsV1] : [],
  );
  const lastApplied = metadata.annotations?.[LAST_APPLIED_ANNOTATION];
  return { sets, lastApplied: lastApplied === undefined ? undefined : parseJson(lastApplied) };
}

function inside({ sets, lastApplied }: Claims, key: string): Claims {
  const name = `f:${key}`;
  return {
    sets: sets.flatMap((set) => (isObject(set[name]) ? [set[name]] : [])),
    lastApplied: isObject(lastApplied) ? lastApplied[key] : undefined,
  };
}

function isClaimed({ sets, lastApplied }: Claims, key: string): boolean {
  return (
    sets.some((set) => Object.hasOwn(set, `f:${key}`)) ||
    (isObject(lastApplied) && Object.hasOwn(lastApplied, key))
  );
}

/** What tells the items of a map list apart, such as containers and variables. */
function nameOf(item: Json): string | undefined {
  if (!isObject(item)) return undefined;
  return typeof item.name === 'string' ? item.name : undefined;
}

/** `fieldsV1` knows the item of a map list by its key as JSON. */
function insideItem({ sets, lastApplied }: Claims, name: string | undefined): Claims {
  const key = `k:${JSON.stringify({ name })}`;
  return {
    sets: sets.flatMap((set) => (isObject(set[key]) ? [set[key]] : [])),
    lastApplied: Array.isArray(lastApplied) ? lastApplied.find((item) => nameOf(item) === name) : undefined,
  };
}

function mergeLists(live: readonly Json[], declared: readonly Json[], claims: Claims): Json {
  const byName = new Map(live.map((item) => [nameOf(item), item]));
  if (byName.has(undefined) || byName.size < live.length) return declared;
  return declared.map((item) => {
    const known = byName.get(nameOf(item));
    return known === undefined ? item : merge(known, item, insideItem(claims, nameOf(item)));
  });
}

function merge(live: Json, declared: Json, claims: Claims): Json {
  if (Array.isArray(live) && Array.isArray(declared)) return mergeLists(live, declared, claims);
  if (!isObject(live) || !isObject(declared)) return declared;
  const merged: Record<string, Json> = {};
  for (const [key, value] of Object.entries(live))
    if (Object.hasOwn(declared, key) || !isClaimed(claims, key)) merged[key] = value;
  for (const [key, value] of Object.entries(declared)) {
    const known = merged[key];
    // As for the API, null asks for the default, and that is what stands there.
    if (value === null && known !== undefined) continue;
    merged[key] = known === undefined ? value : merge(known, value, inside(claims, key));
  }
  return merged;
}

/**
 * A live object after its manifest was applied: fields that the manifest names are as it says, fields that somebody
 * applied before and that it no longer names are gone, and what the API or others have set stays.
 */
export function applyOnto(live: KubeObject, manifest: KubeObject): KubeObject {
  const { metadata, status: _status, ...declared } = manifest;
  const { metadata: known, status, ...rest } = live;
  const claims = claimsOf(live);
  const merged = merge(rest as JsonObject, declared as JsonObject, claims) as JsonObject;
  const inMetadata = inside(claims, 'metadata');
  const part = (name: 'labels' | 'annotations'): JsonObject => {
    const value = merge({ ...known[name] }, { ...metadata[name] }, inside(inMetadata, name)) as JsonObject;
    return Object.keys(value).length === 0 ? {} : { [name]: value };
  };
  const { labels: _labels, annotations: _annotations, ...kept } = known;
  return {
    ...(merged as unknown as KubeObject),
    metadata: { ...kept, ...part('labels'), ...part('annotations') },
    ...(status === undefined ? {} : { status }),
  };
}
