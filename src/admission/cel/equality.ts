import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { listTypeOf } from './list-type.ts';

/** A value of an extension, which knows itself what it equals. */
export interface Comparable {
  readonly equals: (other: unknown) => boolean;
}

function isComparable(value: unknown): value is Comparable {
  return (
    typeof value === 'object' && value !== null && 'equals' in value && typeof value.equals === 'function'
  );
}

function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return value instanceof Map;
}

/** Literals of maps are plain objects. */
export function asMap(value: unknown): ReadonlyMap<unknown, unknown> | undefined {
  if (isMap(value)) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? new Map(Object.entries(value)) : undefined;
}

type Equal = (a: unknown, b: unknown) => boolean;

function sameSet(a: readonly unknown[], b: readonly unknown[], equal: Equal): boolean {
  return (
    a.length === b.length &&
    a.every((one) => b.some((other) => equal(one, other))) &&
    b.every((one) => a.some((other) => equal(one, other)))
  );
}

export function sameKeys(a: unknown, b: unknown, keys: readonly string[], equal: Equal): boolean {
  return isMap(a) && isMap(b) && keys.every((key) => equal(a.get(key), b.get(key)));
}

function sameList(a: readonly unknown[], b: readonly unknown[], equal: Equal): boolean {
  if (a.length !== b.length) return false;
  const type = listTypeOf(a) ?? listTypeOf(b);
  if (type === undefined) return a.every((one, index) => equal(one, b[index]));
  if (type.is === 'set') return sameSet(a, b, equal);
  return a.every((one) => b.some((other) => sameKeys(one, other, type.keys, equal) && equal(one, other)));
}

function sameMap(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>, equal: Equal): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) if (!b.has(key) || !equal(value, b.get(key))) return false;
  return true;
}

function isNumber(value: unknown): value is number | bigint | UnsignedInt {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof UnsignedInt;
}

function sameNumber(a: number | bigint | UnsignedInt, b: number | bigint | UnsignedInt): boolean {
  const [left, right] = [a.valueOf(), b.valueOf()] as readonly (number | bigint)[];
  // biome-ignore lint/suspicious/noDoubleEquals: an integer and a double of the same amount are equal in CEL.
  return left == right;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function sameInstance(a: object, b: object): boolean {
  if (isComparable(a)) return a.equals(b);
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (a instanceof Duration && b instanceof Duration) return a.seconds === b.seconds && a.nanos === b.nanos;
  return a instanceof Uint8Array && b instanceof Uint8Array && sameBytes(a, b);
}

/**
 * Equality of CEL values, as Kubernetes has it: numbers by their amount, lists as their schema says, and values of
 * two types are different, which is no error.
 * @param visit told each comparison
 */
export function equal(a: unknown, b: unknown, visit: () => void): boolean {
  visit();
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return sameNumber(a, b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const inside: Equal = (left, right) => equal(left, right, visit);
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b, inside);
  const [left, right] = [asMap(a), asMap(b)];
  if (left !== undefined || right !== undefined)
    return left !== undefined && right !== undefined && sameMap(left, right, inside);
  return sameInstance(a, b);
}
