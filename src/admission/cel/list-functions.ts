import { EvaluationError } from '@marcbachmann/cel-js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { equal } from './equality.ts';
import type { FunctionSet } from './function-set.ts';
import type { Meter } from './meter.ts';
import { plus } from './operators.ts';

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Values that have an order among their own kind. */
function compare(a: unknown, b: unknown): number {
  const [left, right] = [a, b].map((value) =>
    value instanceof Date || value instanceof Duration || value instanceof UnsignedInt
      ? value.valueOf()
      : value,
  );
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (!isNumber(left) || !isNumber(right))
    throw new EvaluationError('no such overload: values without an order');
  // Both sorts are compared exactly; a difference of them would not be.
  return left < right ? -1 : Number(left > right);
}

function extreme(list: readonly unknown[], sign: 1 | -1): unknown {
  if (list.length === 0) throw new EvaluationError('min and max need an item');
  return list.reduce((best, item) => (compare(item, best) * sign < 0 ? item : best));
}

function sum(list: readonly unknown[]): unknown {
  // The type of no items is not known here; whole numbers are what is summed most.
  return list.length === 0 ? 0n : list.reduce((total, item) => plus(total, item));
}

export function addListFunctions({ add }: FunctionSet, { spend }: Meter): void {
  const isSame = (a: unknown, b: unknown): boolean => equal(a, b, () => spend(1));
  const paid = (list: readonly unknown[]): readonly unknown[] => {
    spend(list.length);
    return list;
  };
  const contains = (list: readonly unknown[], part: readonly unknown[]): boolean =>
    part.every((one) => list.some((item) => isSame(item, one)));
  add('list.isSorted(): bool', (list: readonly unknown[]) =>
    paid(list).every((item, index) => index === 0 || compare(list[index - 1], item) <= 0),
  );
  add('list.sum(): dyn', (list: readonly unknown[]) => sum(paid(list)));
  add('list.min(): dyn', (list: readonly unknown[]) => extreme(paid(list), 1));
  add('list.max(): dyn', (list: readonly unknown[]) => extreme(paid(list), -1));
  add('list.indexOf(dyn): int', (list: readonly unknown[], wanted: unknown) =>
    BigInt(list.findIndex((item) => isSame(item, wanted))),
  );
  add('list.lastIndexOf(dyn): int', (list: readonly unknown[], wanted: unknown) =>
    BigInt(list.findLastIndex((item) => isSame(item, wanted))),
  );
  add('sets_contains(list, list): bool', contains);
  add(
    'sets_equivalent(list, list): bool',
    (a: readonly unknown[], b: readonly unknown[]) => contains(a, b) && contains(b, a),
  );
  add('sets_intersects(list, list): bool', (a: readonly unknown[], b: readonly unknown[]) =>
    a.some((one) => b.some((item) => isSame(item, one))),
  );
}
