import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';

/** A structural schema, as a CustomResourceDefinition holds it. */
export type Schema = JsonObject;

export function schemaAt(schema: Schema, key: string): Schema | undefined {
  const value = schema[key];
  return isObject(value) ? value : undefined;
}

/** Of what a name stands for: a field, or a key of a map. */
export function propertyOf(schema: Schema, name: string): Schema | undefined {
  const properties = schemaAt(schema, 'properties') ?? {};
  if (Object.hasOwn(properties, name)) return schemaAt(properties, name);
  return schemaAt(schema, 'additionalProperties');
}

export function hasFields(schema: Schema): boolean {
  return isObject(schema['properties']);
}

export function isIntOrString(schema: Schema): boolean {
  return schema['x-kubernetes-int-or-string'] === true;
}

export function isNullable(schema: Schema): boolean {
  return schema['nullable'] === true;
}

export function keepsUnknown(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

export function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** Of any object. */
export function labelsOf(object: JsonObject): Readonly<Record<string, string>> {
  const labels = schemaAt(schemaAt(object, 'metadata') ?? {}, 'labels') ?? {};
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value)]));
}

export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
