import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import {
  type Claims,
  claimsOf,
  inside,
  insideItem,
  isAtomic,
  isClaimed,
  itemFieldsOf,
  itemKeyOf,
  similarItem,
} from './claims.ts';

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

/** Whether two values of a field mean the same, such as one that has defaults filled in. */
export type SameWhole = (key: string, live: Json, declared: Json) => boolean;

interface Merging {
  readonly claims: Claims;
  /** The field that is merged; lists do not count. */
  readonly key: string;
  readonly isSame: SameWhole;
}

/** What is applied whole stays as it is stored where that means the same: the API has filled defaults in. */
function replaced(live: Json, declared: Json, { key, isSame }: Merging): Json {
  return isSame(key, live, declared) ? live : declared;
}

function mergeLists(live: readonly Json[], declared: readonly Json[], merging: Merging): Json {
  const fields = itemFieldsOf(merging.claims);
  const byKey = new Map(live.map((item) => [itemKeyOf(item, fields), item]));
  if (byKey.has(undefined) || byKey.size < live.length) return replaced(live, declared, merging);
  const meant = new Set(declared.map((item) => itemKeyOf(item, fields)));
  const others = live.filter((item) => !meant.has(itemKeyOf(item, fields)));
  return declared.map((item) => {
    const known = byKey.get(itemKeyOf(item, fields)) ?? similarItem(others, item, fields);
    if (known === undefined) return item;
    return merge(known, item, { ...merging, claims: insideItem(merging.claims, known, fields) });
  });
}

/** What was an empty mapping looks the same in the claims: it stays for others to fill. */
function replacesWhole(declared: JsonObject, { claims }: Merging): boolean {
  return Object.keys(declared).length > 0 && isAtomic(claims);
}

/** What is not declared and nobody applied stays. Null is no declaration: it asks for the default, which stands there. */
function keptOf(live: JsonObject, declared: JsonObject, claims: Claims): Record<string, Json> {
  const isKept = ([key]: readonly [string, Json]): boolean =>
    (declared[key] ?? null) !== null || !isClaimed(claims, key);
  return Object.fromEntries(Object.entries(live).filter(isKept));
}

function merge(live: Json, declared: Json, merging: Merging): Json {
  if (Array.isArray(live) && Array.isArray(declared)) return mergeLists(live, declared, merging);
  if (!isObject(live) || !isObject(declared)) return declared;
  const { claims, isSame } = merging;
  if (replacesWhole(declared, merging)) return replaced(live, declared, merging);
  const merged = keptOf(live, declared, claims);
  for (const [key, value] of Object.entries(declared)) {
    if (value === null) continue;
    const known = merged[key];
    merged[key] =
      known === undefined ? value : merge(known, value, { claims: inside(claims, key), key, isSame });
  }
  return merged;
}

/**
 * A live object after its manifest was applied: fields that the manifest names are as it says, fields that somebody
 * applied before and that it no longer names are gone, and what the API or others have set stays.
 */
export function applyOnto(live: KubeObject, manifest: KubeObject, isSame: SameWhole): KubeObject {
  const { metadata, status: _status, ...declared } = manifest;
  const { metadata: known, status, ...rest } = live;
  const claims = claimsOf(live);
  const merging = { claims, key: '', isSame };
  const merged = merge(rest as JsonObject, declared as JsonObject, merging) as JsonObject;
  const inMetadata = inside(claims, 'metadata');
  const part = (name: 'labels' | 'annotations'): JsonObject => {
    const within = { claims: inside(inMetadata, name), key: name, isSame };
    const value = merge({ ...known[name] }, { ...metadata[name] }, within) as JsonObject;
    return Object.keys(value).length === 0 ? {} : { [name]: value };
  };
  const { labels: _labels, annotations: _annotations, ...kept } = known;
  return {
    ...(merged as unknown as KubeObject),
    metadata: { ...kept, ...part('labels'), ...part('annotations') },
    ...(status === undefined ? {} : { status }),
  };
}
