import type { Finding } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import type { FieldPath, Json, JsonObject } from '#core/object/object.ts';
import { readTime, type TimeField } from '#core/object/time-field.ts';

/** A part of an object being read, and what was found that the API could not have written. */
export interface Reading {
  readonly value: JsonObject;
  readonly path: string;
  readonly problems: Finding[];
}

const MOST_SHOWN = 40;

/** Fields of a Job have no dots in their names. */
function fieldPath(text: string): FieldPath {
  const keys = text.split(/[.[\]]+/).filter((key) => key !== '');
  return keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

/** @param field its path as people write it, with which the sentence begins */
export function unreadable(field: string, rest: string): Finding {
  return { code: 'InvalidField', severity: 'error', path: fieldPath(field), what: `${field} ${rest}` };
}

function wrong(reading: Reading, key: string, wanted: string): undefined {
  const shown = JSON.stringify(reading.value[key] ?? null).slice(0, MOST_SHOWN);
  reading.problems.push(unreadable(`${reading.path}.${key}`, `is ${shown}, not ${wanted}`));
}

function present(reading: Reading, key: string): Json | undefined {
  return reading.value[key] ?? undefined;
}

/** A whole number from 0; undefined when absent, and when it is no such number, which is noted. */
export function readNumber(reading: Reading, key: string): number | undefined {
  const value = present(reading, key);
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  return wrong(reading, key, 'a whole number from 0');
}

export function readString(reading: Reading, key: string): string | undefined {
  const value = present(reading, key);
  if (value === undefined || typeof value === 'string') return value;
  return wrong(reading, key, 'a text');
}

export function readFlag(reading: Reading, key: string): boolean | undefined {
  const value = present(reading, key);
  if (value === undefined || typeof value === 'boolean') return value;
  return wrong(reading, key, 'true or false');
}

export function readMoment(reading: Reading, key: string): TimeField {
  const field = readTime(reading.value, key);
  if (field.state === 'garbage') wrong(reading, key, 'a time');
  return field;
}

/** An absent object is read as an empty one. */
export function readPart(reading: Reading, key: string): Reading {
  const value = present(reading, key);
  if (value !== undefined && !isObject(value)) wrong(reading, key, 'an object');
  return {
    value: isObject(value) ? value : {},
    path: `${reading.path}.${key}`,
    problems: reading.problems,
  };
}

/** The objects of a list; an absent list has none. */
export function readParts(reading: Reading, key: string): readonly Reading[] {
  const value = present(reading, key);
  if (value !== undefined && !Array.isArray(value)) wrong(reading, key, 'a list');
  const { path, problems } = reading;
  return (Array.isArray(value) ? value : []).map((item: Json, at) => {
    if (!isObject(item)) problems.push(unreadable(`${path}.${key}[${at}]`, 'is no object'));
    return { value: isObject(item) ? item : {}, path: `${path}.${key}[${at}]`, problems };
  });
}

/** The members of a list that all have one type; an absent list has none. */
function readItems<T extends Json>(
  reading: Reading,
  key: string,
  isRight: (item: Json) => item is T,
): readonly T[] {
  const value = present(reading, key);
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every(isRight)) return value;
  wrong(reading, key, 'such a list');
  return [];
}

export function readStrings(reading: Reading, key: string): readonly string[] {
  return readItems(reading, key, (item) => typeof item === 'string');
}

export function readNumbers(reading: Reading, key: string): readonly number[] {
  return readItems(reading, key, (item) => typeof item === 'number');
}
