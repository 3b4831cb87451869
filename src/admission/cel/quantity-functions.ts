import { type Environment, EvaluationError } from '@marcbachmann/cel-js';
import { compareQuantity, parseQuantity, type Quantity } from '#api/quantity.ts';
import type { FunctionSet } from './function-set.ts';

class QuantityValue {
  readonly amount: Quantity;

  constructor(amount: Quantity) {
    this.amount = amount;
  }

  equals(other: unknown): boolean {
    return other instanceof QuantityValue && compareQuantity(this.amount, other.amount) === 0;
  }
}

/** Whole steps of ten to the power of `exponent`. */
function scaled({ sign, digits, exponent }: Quantity, to: number): bigint {
  return digits === '' ? 0n : BigInt(sign) * BigInt(digits) * 10n ** BigInt(exponent - to);
}

function sumOf(a: Quantity, b: Quantity, sign: 1n | -1n): QuantityValue {
  const exponent = Math.min(a.exponent, b.exponent);
  const total = scaled(a, exponent) + sign * scaled(b, exponent);
  return quantity(`${total}e${exponent}`);
}

function quantity(text: string): QuantityValue {
  const amount = parseQuantity(text);
  if (amount === undefined) throw new EvaluationError(`no quantity: ${text.slice(0, 40)}`);
  return new QuantityValue(amount);
}

/** @returns undefined for what is no whole number of 64 bits */
function integerOf({ amount }: QuantityValue): bigint | undefined {
  if (amount.exponent < 0 || amount.exponent > 19) return undefined;
  const value = scaled(amount, 0);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Kubernetes' CEL library for resource quantities. */
export function addQuantityFunctions({ add }: FunctionSet, environment: Environment): void {
  environment.registerType('Quantity', { ctor: QuantityValue, fields: {} });
  const compare = (a: QuantityValue, b: QuantityValue): -1 | 0 | 1 => compareQuantity(a.amount, b.amount);
  const whole = (value: bigint): Quantity => quantity(String(value)).amount;
  add('isQuantity(string): bool', (text: string) => parseQuantity(text) !== undefined);
  add('quantity(string): Quantity', quantity);
  add('sign(Quantity): int', ({ amount }: QuantityValue) => BigInt(amount.sign));
  add('Quantity.isInteger(): bool', (value: QuantityValue) => integerOf(value) !== undefined);
  add('Quantity.asInteger(): int', (value: QuantityValue) => {
    const integer = integerOf(value);
    if (integer === undefined) throw new EvaluationError('the quantity is no integer');
    return integer;
  });
  add('Quantity.asApproximateFloat(): double', ({ amount }: QuantityValue) =>
    Number(`${amount.sign < 0 ? '-' : ''}${amount.digits || '0'}e${amount.exponent}`),
  );
  add('Quantity.compareTo(Quantity): int', (a: QuantityValue, b: QuantityValue) => BigInt(compare(a, b)));
  add('Quantity.isLessThan(Quantity): bool', (a: QuantityValue, b: QuantityValue) => compare(a, b) < 0);
  add('Quantity.isGreaterThan(Quantity): bool', (a: QuantityValue, b: QuantityValue) => compare(a, b) > 0);
  add('Quantity.add(Quantity): Quantity', (a: QuantityValue, b: QuantityValue) =>
    sumOf(a.amount, b.amount, 1n),
  );
  add('Quantity.add(int): Quantity', (a: QuantityValue, b: bigint) => sumOf(a.amount, whole(b), 1n));
  add('Quantity.sub(Quantity): Quantity', (a: QuantityValue, b: QuantityValue) =>
    sumOf(a.amount, b.amount, -1n),
  );
  add('Quantity.sub(int): Quantity', (a: QuantityValue, b: bigint) => sumOf(a.amount, whole(b), -1n));
}
