import { compareText } from '#core/object/key.ts';
import type { Json, JsonObject } from '#core/object/object.ts';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sameArrays(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
}

function definedKeys(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

/** Whether every member of the first stands in the second, and is the same there. */
function standsIn(a: JsonObject, b: JsonObject): boolean {
  for (const key of Object.keys(a)) {
    const value = a[key];
    if (value !== undefined && !(Object.hasOwn(b, key) && sameValue(value, b[key]))) return false;
  }
  return true;
}

function hasAll(a: JsonObject, b: JsonObject): boolean {
  for (const key of Object.keys(b))
    if (b[key] !== undefined && !(Object.hasOwn(a, key) && a[key] !== undefined)) return false;
  return true;
}

/** Deep equality of plain data; a member that is `undefined` counts as absent. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameArrays(a, b);
  return isObject(a) && isObject(b) && standsIn(a, b) && hasAll(a, b);
}

/** Replacement for a whole value in which every mapping has its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = definedKeys(value).sort(compareText);
  return Object.fromEntries(entries.map((key) => [key, sorted(value[key])]));
}

/** JSON with sorted keys: the same value gives the same bytes whatever the order of its members. */
export function canonicalJson(value: unknown, indent = 0): string {
  return JSON.stringify(sorted(value), undefined, indent);
}

/** The members that are strings; none of what is no object. */
export function textMembers(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The value of a member that is a string, else undefined. */
export function textMember(value: Json | undefined, key: string): string | undefined {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === 'string' ? member : undefined;
}
