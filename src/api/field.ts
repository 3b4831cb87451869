import { type Fault, type Issue, issueAt, wrongType } from '#api/issue.ts';
import type { FieldPath, Json, JsonObject } from '#core/object/object.ts';

/** What one check has in common: where the checked value stands and what was found. */
export interface Check {
  readonly base: FieldPath;
  readonly issues: Issue[];
}

/**
 * A place inside the checked value. The path is kept as links and written out only for an issue: the checks run
 * over every schedule in every tick, and nearly all of them are valid. zod would do the same work many times slower.
 */
export interface Field {
  readonly up: Field | undefined;
  readonly key: string | number;
  readonly check: Check;
}

export interface ObjectField extends Field {
  readonly value: JsonObject;
}

export interface ListField extends Field {
  readonly value: readonly Json[];
}

const NOTHING: JsonObject = {};

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pathOf(field: Field, keys: FieldPath): FieldPath {
  const path: (string | number)[] = [];
  let at = field;
  while (at.up !== undefined) {
    path.push(at.key);
    at = at.up;
  }
  return [...field.check.base, ...path.reverse(), ...keys];
}

/** The value under a path; undefined where it does not lead anywhere. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let at = value;
  for (const key of path) {
    if (at === undefined || !isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** @param keys from the field down to the faulty value; empty for the field itself */
export function report(field: Field, keys: FieldPath, fault: Fault): void {
  field.check.issues.push(issueAt(pathOf(field, keys), fault));
}

/** @returns undefined when the value is no object, which is then reported; an absent or null one is empty */
export function rootObject(value: Json | undefined, check: Check): ObjectField | undefined {
  if (value === undefined || value === null) return { up: undefined, key: '', check, value: NOTHING };
  if (isObject(value)) return { up: undefined, key: '', check, value };
  check.issues.push(issueAt(check.base, wrongType(value, 'an object')));
  return undefined;
}

/** Null counts as absent, as the API server drops it. */
export function isAbsent(parent: ObjectField, key: string): boolean {
  const value = parent.value[key];
  return value === undefined || value === null;
}

/** @returns undefined when absent, and when it is no object, which is reported */
export function readObject(parent: ObjectField, key: string): ObjectField | undefined {
  const value = parent.value[key];
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return { up: parent, key, check: parent.check, value };
  report(parent, [key], wrongType(value, 'an object'));
  return undefined;
}

/** As `readObject`, but an absent object is an empty one: structs that the API's types hold by value. */
export function readStruct(parent: ObjectField, key: string): ObjectField | undefined {
  if (isAbsent(parent, key)) return { up: parent, key, check: parent.check, value: NOTHING };
  return readObject(parent, key);
}

/** What is to be looked at in one field of an object. */
export type FieldCheck = (parent: ObjectField, key: string) => void;

/** Runs the checks of the fields that are there: most of an API struct's fields are absent, and asking costs time. */
export function checkPresent(parent: ObjectField, checks: ReadonlyMap<string, FieldCheck>): void {
  for (const key of Object.keys(parent.value)) checks.get(key)?.(parent, key);
}

/** @returns undefined when absent, and when it is no list, which is reported */
export function readList(parent: ObjectField, key: string): ListField | undefined {
  const value = parent.value[key];
  if (value === undefined || value === null) return undefined;
  if (isList(value)) return { up: parent, key, check: parent.check, value };
  report(parent, [key], wrongType(value, 'a list'));
  return undefined;
}

/** One element of a list of objects; null is an empty one. */
export function readItem(list: ListField, index: number): ObjectField | undefined {
  const value = list.value[index] ?? NOTHING;
  if (isObject(value)) return { up: list, key: index, check: list.check, value };
  report(list, [index], wrongType(value, 'an object'));
  return undefined;
}
