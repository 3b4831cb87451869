import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json, JsonObject } from '#core/object/object.ts';
import {
  isIntOrString,
  isNullable,
  keepsUnknown,
  propertyOf,
  type Schema,
  schemaAt,
  textsOf,
} from './schema.ts';

/** Kept whole wherever a whole object stands. */
const OBJECT_FIELDS = ['apiVersion', 'kind', 'metadata'];

type Entry = readonly [name: string, value: Json];

function admittedEntry([name, value]: Entry, schema: Schema, isWhole: boolean): readonly Entry[] {
  if (isWhole && OBJECT_FIELDS.includes(name)) return [[name, value]];
  const property = propertyOf(schema, name);
  if (property === undefined) return keepsUnknown(schema) ? [[name, value]] : [];
  const kept = admittedValue(value, property);
  return kept === undefined ? [] : [[name, kept]];
}

function defaultOf([name, property]: Entry): readonly Entry[] {
  if (!isObject(property) || property['default'] === undefined) return [];
  const filled = admittedValue(property['default'], property);
  return filled === undefined ? [] : [[name, filled]];
}

function admittedFields(value: JsonObject, schema: Schema, isWhole: boolean): JsonObject {
  const kept = Object.entries(value).flatMap((entry) => admittedEntry(entry, schema, isWhole));
  const names = new Set(kept.map(([name]) => name));
  const filled = Object.entries(schemaAt(schema, 'properties') ?? {}).flatMap((entry) =>
    names.has(entry[0]) ? [] : defaultOf(entry),
  );
  return Object.fromEntries([...kept, ...filled]);
}

function admittedValue(value: Json, schema: Schema): Json | undefined {
  if (value === null) return isNullable(schema) ? null : undefined;
  if (isObject(value))
    return admittedFields(value, schema, schema['x-kubernetes-embedded-resource'] === true);
  if (!Array.isArray(value)) return value;
  const items = schemaAt(schema, 'items');
  return items === undefined ? value : value.map((item: Json) => admittedValue(item, items) ?? null);
}

/**
 * The object as a server has it when its rules are asked: without the fields and nulls that it drops, with the
 * defaults that it fills in.
 */
export function admitted(object: JsonObject, schema: Schema): JsonObject {
  return admittedFields(object, schema, true);
}

function hasType(value: Json, schema: Schema): boolean {
  if (isIntOrString(schema)) return typeof value === 'string' || Number.isInteger(value);
  switch (schema['type']) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === schema['type'];
    case 'integer':
      return Number.isInteger(value);
    default:
      return true;
  }
}

function exceeds(size: number, limit: Json | undefined): boolean {
  return typeof limit === 'number' && size > limit;
}

function misfitInside(value: Json, schema: Schema): FieldPath | undefined {
  if (Array.isArray(value)) {
    if (exceeds(value.length, schema['maxItems'])) return [];
    const items = schemaAt(schema, 'items') ?? {};
    return firstMisfit(value.map((item: Json, index) => [index, item, items]));
  }
  if (!isObject(value)) return undefined;
  const missing = textsOf(schema['required']).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return [missing];
  if (exceeds(Object.keys(value).length, schema['maxProperties'])) return [];
  return firstMisfit(
    Object.entries(value).flatMap(([name, member]): [string, Json, Schema][] => {
      const property = propertyOf(schema, name);
      return property === undefined ? [] : [[name, member, property]];
    }),
  );
}

function firstMisfit(members: readonly (readonly [string | number, Json, Schema])[]): FieldPath | undefined {
  for (const [key, member, schema] of members) {
    const inside = misfit(member, schema);
    if (inside !== undefined) return [key, ...inside];
  }
  return undefined;
}

/**
 * Where a value does not fit the form that its rules rely on: as long as it does not, a server asks none of them. What
 * else a schema says (patterns, least values) does not keep it from asking.
 */
export function misfit(value: Json, schema: Schema): FieldPath | undefined {
  if (value === null) return undefined;
  if (!hasType(value, schema)) return [];
  const allowed = schema['enum'];
  if (Array.isArray(allowed) && !allowed.includes(value)) return [];
  if (typeof value === 'string' && exceeds(Array.from(value).length, schema['maxLength'])) return [];
  return misfitInside(value, schema);
}
