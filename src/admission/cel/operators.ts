import { EvaluationError } from '@marcbachmann/cel-js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { asMap, equal, sameKeys } from './equality.ts';
import type { FunctionSet } from './function-set.ts';
import { asListType, listTypeOf } from './list-type.ts';
import type { Meter } from './meter.ts';

function isSame(a: unknown, b: unknown): boolean {
  return equal(a, b, () => {});
}

/** Lists that are sets or maps by their schema are joined as such: the right one wins where both have an item. */
function joined(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  const type = listTypeOf(a);
  if (type === undefined) return [...a, ...b];
  const same = (one: unknown, other: unknown): boolean =>
    type.is === 'set' ? isSame(one, other) : sameKeys(one, other, type.keys, isSame);
  const kept = a.map((one) => b.find((other) => same(one, other)) ?? one);
  return asListType([...kept, ...b.filter((other) => !a.some((one) => same(one, other)))], type);
}

function integerSum(a: bigint, b: bigint): bigint {
  const total = a + b;
  if (BigInt.asIntN(64, total) !== total) throw new EvaluationError('integer overflow');
  return total;
}

function timeSum(a: unknown, b: unknown): unknown {
  if (a instanceof Duration && b instanceof Duration) return a.addDuration(b);
  if (a instanceof Date && b instanceof Duration) return b.extendTimestamp(a);
  if (a instanceof Duration && b instanceof Date) return a.extendTimestamp(b);
  return undefined;
}

export function plus(a: unknown, b: unknown): unknown {
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (typeof a === 'bigint' && typeof b === 'bigint') return integerSum(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (Array.isArray(a) && Array.isArray(b)) return joined(a, b);
  if (a instanceof UnsignedInt && b instanceof UnsignedInt) return new UnsignedInt(a.value + b.value);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Uint8Array.from([...a, ...b]);
  const time = timeSum(a, b);
  if (time !== undefined) return time;
  throw new EvaluationError('no such overload: + for two types');
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) return value.length;
  return 1;
}

/** Whether a value is in a list, or a key in a map. */
function isIn(wanted: unknown, holder: unknown, spend: Meter['spend']): boolean {
  if (Array.isArray(holder)) return holder.some((item) => equal(wanted, item, () => spend(1)));
  const map = asMap(holder);
  if (map === undefined) throw new EvaluationError('no such overload: in for something that holds nothing');
  return map.has(wanted);
}

export function addOperators({ addOperator: add }: FunctionSet, { spend }: Meter): void {
  add('round(): bool', () => {
    spend(1);
    return true;
  });
  add('text(string): string', decodeURIComponent);
  add('equal(dyn, dyn): bool', (a: unknown, b: unknown) => equal(a, b, () => spend(1)));
  add('in(dyn, dyn): bool', (wanted: unknown, holder: unknown) => isIn(wanted, holder, spend));
  add('add(dyn, dyn): dyn', (a: unknown, b: unknown) => {
    // Doubling a text some forty times would be enough to fill any machine.
    spend(sizeOf(a) + sizeOf(b));
    return plus(a, b);
  });
}
