import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json, JsonObject, Metadata } from '#core/object/object.ts';

/** A value of the wrong type, by its path below `metadata`. */
export interface Mismatch {
  readonly path: FieldPath;
  readonly what: string;
}

type Check = (value: Json | undefined, path: FieldPath) => readonly Mismatch[];

function shown(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  return typeof value === 'string'
    ? `the text ${JSON.stringify(value.slice(0, 60))}`
    : `the ${typeof value} ${value}`;
}

function expect(
  holds: boolean,
  wanted: string,
): (value: Json | undefined, path: FieldPath) => readonly Mismatch[] {
  return (value, path) =>
    holds ? [] : [{ path, what: `metadata.${path.join('.')} is ${shown(value)}, not ${wanted}` }];
}

const text: Check = (value, path) => expect(typeof value === 'string', 'text')(value, path);
const integer: Check = (value, path) => expect(Number.isSafeInteger(value), 'a whole number')(value, path);
const optionalText: Check = (value, path) => (value === undefined ? [] : text(value, path));
const optionalFlag: Check = (value, path) =>
  value === undefined ? [] : expect(typeof value === 'boolean', 'true or false')(value, path);
const optionalMap: Check = (value, path) =>
  value === undefined ? [] : expect(isObject(value), 'a mapping')(value, path);

const texts: Check = (value, path) =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, entry]) => text(entry, [...path, key]))
    : expect(false, 'a mapping of texts')(value, path);

function listOf(check: Check): Check {
  return (value, path) =>
    Array.isArray(value)
      ? value.flatMap((item: Json, index) => check(item, [...path, index]))
      : expect(false, 'a list')(value, path);
}

function fields(checks: Readonly<Record<string, Check>>): Check {
  return (value, path) =>
    isObject(value)
      ? Object.entries(checks).flatMap(([key, check]) => check(value[key], [...path, key]))
      : expect(false, 'a mapping')(value, path);
}

/** ObjectMeta of apimachinery (meta/v1, types.go), as far as `Metadata` promises it. */
const CHECKS: Readonly<Record<string, Check>> = {
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  generation: integer,
  creationTimestamp: text,
  deletionTimestamp: text,
  labels: texts,
  annotations: texts,
  finalizers: listOf(text),
  ownerReferences: listOf(
    fields({
      apiVersion: text,
      kind: text,
      name: text,
      uid: text,
      controller: optionalFlag,
      blockOwnerDeletion: optionalFlag,
    }),
  ),
  managedFields: listOf(
    fields({
      manager: optionalText,
      operation: optionalText,
      subresource: optionalText,
      time: optionalText,
      fieldsV1: optionalMap,
    }),
  ),
};

function withoutNulls(value: Json): Json {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null))
    : value;
}

function withoutNull([key, value]: readonly [string, Json]): readonly [string, Json] {
  if ((key === 'labels' || key === 'annotations') && isObject(value)) {
    return [key, Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, entry ?? '']))];
  }
  const entries = key === 'ownerReferences' || key === 'managedFields';
  return entries && Array.isArray(value) ? [key, value.map(withoutNulls)] : [key, value];
}

/** What the server gives out is never empty: an empty text stands for none there (`omitempty` in Go). */
const GIVEN = new Set(['uid', 'resourceVersion']);

/** The API server reads null as absent, and as an empty text in a map of texts (encoding/json). */
export function cleanMetadata(metadata: JsonObject): JsonObject {
  const present = Object.entries(metadata).filter(
    ([key, value]) => value !== null && !(value === '' && GIVEN.has(key)),
  );
  return Object.fromEntries(present.map(withoutNull));
}

export function mismatches(metadata: JsonObject): readonly Mismatch[] {
  return Object.entries(metadata).flatMap(([key, value]) =>
    Object.hasOwn(CHECKS, key) ? (CHECKS[key]?.(value, [key]) ?? []) : [],
  );
}

export function isMetadata(metadata: JsonObject): metadata is JsonObject & Metadata {
  return typeof metadata['name'] === 'string' && mismatches(metadata).length === 0;
}
