/**
 * An exact amount: `sign` times `digits` times ten to the power of `exponent`. The digits have no zeros at either
 * end and are empty for zero, so that equal amounts look the same however they were written.
 */
export interface Quantity {
  readonly sign: -1 | 0 | 1;
  readonly digits: string;
  readonly exponent: number;
}

const ZERO: Quantity = { sign: 0, digits: '', exponent: 0 };

/** The grammar of Kubernetes' resource.Quantity; the exponent is whole, as its parser has it, and kept small. */
const GRAMMAR = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:([numkMGTPE])|([KMGTPE])i|[eE]([+-]?\d{1,9}))?$/;

/** What apimachinery names in its message; wider than the grammar. */
const SERVER_PATTERN = /^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$/;

const DECIMAL_POWERS: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY_POWERS: Readonly<Record<string, number>> = {
  K: 10,
  M: 20,
  G: 30,
  T: 40,
  P: 50,
  E: 60,
};

/** Exact arithmetic on longer texts would not be linear, and no field of the API needs one. */
const MAX_LENGTH = 256;
const SMALLEST_EXPONENT = -9;
const LARGEST_BINARY = 2n ** 63n - 1n;

function trimmed(sign: -1 | 1, digits: string, exponent: number): Quantity {
  let start = 0;
  while (start < digits.length && digits[start] === '0') start++;
  let end = digits.length;
  while (end > start && digits[end - 1] === '0') end--;
  if (start === end) return ZERO;
  return roundedUp({ sign, digits: digits.slice(start, end), exponent: exponent + digits.length - end });
}

/** Kubernetes rounds away from zero, and keeps no more than nine decimal places: 0.1n is 1n. */
export function roundedUp(amount: Quantity, smallest = SMALLEST_EXPONENT): Quantity {
  const surplus = smallest - amount.exponent;
  if (surplus <= 0) return amount;
  const kept = surplus < amount.digits.length ? amount.digits.slice(0, -surplus) : '0';
  const digits = String(BigInt(kept) + 1n);
  return trimmed(amount.sign === -1 ? -1 : 1, digits, smallest);
}

function binary(sign: -1 | 1, whole: string, fraction: string, power: number): Quantity {
  // The usual amounts fit a double exactly, which is several times faster.
  const small = fraction === '' && whole.length <= 15 ? Number(whole) * 2 ** power : Number.NaN;
  if (small <= Number.MAX_SAFE_INTEGER) return trimmed(sign, String(small), 0);
  const scaled = BigInt(whole + fraction) << BigInt(power);
  // Only binary amounts have a greatest value.
  if (scaled > LARGEST_BINARY * 10n ** BigInt(fraction.length))
    return trimmed(sign, String(LARGEST_BINARY), 0);
  return trimmed(sign, String(scaled), -fraction.length);
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' && value.length <= MAX_LENGTH ? value : undefined;
}

/**
 * Reads an amount as Kubernetes' resource.ParseQuantity does: `200Mi`, `0.5Gi`, `1e3`, `250m`, or a plain number.
 * @returns undefined for anything else
 */
export function parseQuantity(value: unknown): Quantity | undefined {
  const match = GRAMMAR.exec(asText(value) ?? '');
  if (match === null) return undefined;
  const sign = match[1] === '-' ? -1 : 1;
  const whole = match[2] ?? '0';
  const fraction = match[3] ?? match[4] ?? '';
  const binaryPower = BINARY_POWERS[match[6] ?? ''];
  if (binaryPower !== undefined) return binary(sign, whole, fraction, binaryPower);
  const power = match[7] === undefined ? (DECIMAL_POWERS[match[5] ?? ''] ?? 0) : Number(match[7]);
  return trimmed(sign, whole + fraction, power - fraction.length);
}

/** @returns -1, 0 or 1 as `a` is less than, equal to or greater than `b`, exactly */
export function compareQuantity(a: Quantity, b: Quantity): -1 | 0 | 1 {
  if (a.sign !== b.sign) return a.sign < b.sign ? -1 : 1;
  if (a.sign === 0) return 0;
  const smaller = a.sign === 1 ? -1 : 1;
  const larger = a.sign === 1 ? 1 : -1;
  const order = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  if (order !== 0) return order < 0 ? smaller : larger;
  // Both begin at the same power of ten now, so the digits compare as text.
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? smaller : larger;
}

/** @returns why the value is no quantity, in the API server's words */
export function quantityProblem(value: unknown): string | undefined {
  const text = asText(value);
  if (text !== undefined && GRAMMAR.test(text)) return undefined;
  if (text === undefined || !SERVER_PATTERN.test(text)) {
    return `quantities must match the regular expression '${SERVER_PATTERN.source}'`;
  }
  const number = /^[+-]?[0-9.]+/.exec(text)?.[0] ?? '';
  return GRAMMAR.test(number)
    ? "unable to parse quantity's suffix"
    : 'unable to parse numeric part of quantity';
}
