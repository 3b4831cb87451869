import { type Field, isAbsent, type ObjectField, readList, readObject, report } from '#api/field.ts';
import { unsupported, wrongType } from '#api/issue.ts';
import type { Json } from '#core/object/object.ts';

interface IntegerRange {
  readonly lowest: number;
  readonly highest: number;
  readonly words: string;
}

/** The upper end of int64 is 2^63 here: JSON's 9223372036854775807 arrives as that double. */
const RANGES: Readonly<Record<32 | 64, IntegerRange>> = {
  32: {
    lowest: -2_147_483_648,
    highest: 2_147_483_647,
    words: 'must be a 32-bit integer, from -2147483648 to 2147483647',
  },
  64: {
    lowest: -(2 ** 63),
    highest: 2 ** 63,
    words: 'must be a 64-bit integer, from -9223372036854775808 to 9223372036854775807',
  },
};

const WHOLE_NUMBER = /^-?\d{1,15}$/;

function reportInteger(parent: Field, key: string | number, value: Json, words: string): void {
  if (typeof value === 'number') {
    const detail = Number.isInteger(value) ? words : 'must be an integer, not a fraction';
    report(parent, [key], { kind: 'type', value, detail });
    return;
  }
  const fault = wrongType(value, 'an integer');
  const hasFix = typeof value === 'string' && WHOLE_NUMBER.test(value);
  report(parent, [key], hasFix ? { ...fault, fix: `write ${value} without quotes` } : fault);
}

/** @returns undefined when absent, and when it is no integer of that size, which is reported */
export function readInteger(parent: ObjectField, key: string, bits: 32 | 64): number | undefined {
  const value = parent.value[key];
  if (value === undefined || value === null) return undefined;
  const range = RANGES[bits];
  if (typeof value === 'number' && Number.isInteger(value)) {
    if (value >= range.lowest && value <= range.highest) return value;
  }
  reportInteger(parent, key, value, range.words);
  return undefined;
}

/** As `readInteger`; one below zero is reported too, and still returned. */
export function readCount(parent: ObjectField, key: string, bits: 32 | 64): number | undefined {
  const value = readInteger(parent, key, bits);
  if (value !== undefined && value < 0) {
    report(parent, [key], { kind: 'invalid', value, detail: 'must be greater than or equal to 0' });
  }
  return value;
}

/** The integers of a list, each with its index; null is 0, as Go reads it. Others are reported and left out. */
export function readIntegers(parent: ObjectField, key: string): readonly (readonly [number, number])[] {
  const list = readList(parent, key);
  const found: (readonly [number, number])[] = [];
  if (list === undefined) return found;
  const { lowest, highest, words } = RANGES[32];
  for (let index = 0; index < list.value.length; index++) {
    const value = list.value[index] ?? 0;
    const isWhole = typeof value === 'number' && Number.isInteger(value);
    if (isWhole && value >= lowest && value <= highest) found.push([index, value]);
    else reportInteger(list, index, value, words);
  }
  return found;
}

/** @returns undefined when absent, and when it is no string, which is reported */
export function readText(parent: ObjectField, key: string): string | undefined {
  const value = parent.value[key];
  if (typeof value === 'string') return value;
  if (value !== undefined && value !== null) report(parent, [key], wrongType(value, 'a string'));
  return undefined;
}

/** As `readText`, but an absent one is empty: a Go string that was not set. */
export function readTextOrEmpty(parent: ObjectField, key: string): string | undefined {
  return isAbsent(parent, key) ? '' : readText(parent, key);
}

/** As `readText`; an absent or empty one is reported as required. Never returns an empty string. */
export function readRequiredText(parent: ObjectField, key: string): string | undefined {
  const value = readText(parent, key);
  if (value === '' || isAbsent(parent, key)) report(parent, [key], { kind: 'required' });
  return value === '' ? undefined : value;
}

/** One of a closed set of words; an empty one is not among them. Others are reported, and undefined. */
export function readChoice(parent: ObjectField, key: string, choices: readonly string[]): string | undefined {
  const value = readText(parent, key);
  if (value === undefined || choices.includes(value)) return value;
  report(parent, [key], unsupported(value, choices));
  return undefined;
}

export function readBoolean(parent: ObjectField, key: string): boolean | undefined {
  const value = parent.value[key];
  if (typeof value === 'boolean') return value;
  if (value === undefined || value === null) return undefined;
  const fault = wrongType(value, 'a boolean');
  const hasFix = value === 'true' || value === 'false';
  report(parent, [key], hasFix ? { ...fault, fix: `write ${value} without quotes` } : fault);
  return undefined;
}

/** Reports what is no string in a list of strings. */
export function checkTexts(parent: ObjectField, key: string): void {
  if (parent.value[key] === undefined) return;
  const list = readList(parent, key);
  if (list === undefined) return;
  for (let index = 0; index < list.value.length; index++) {
    const value = list.value[index] ?? '';
    if (typeof value !== 'string') report(list, [index], wrongType(value, 'a string'));
  }
}

/** An object of strings; values of other types are reported. */
export function readTextMap(parent: ObjectField, key: string): ObjectField | undefined {
  const map = readObject(parent, key);
  if (map === undefined) return undefined;
  for (const name of Object.keys(map.value)) {
    const value = map.value[name] ?? '';
    if (typeof value !== 'string') report(map, [name], wrongType(value, 'a string'));
  }
  return map;
}
