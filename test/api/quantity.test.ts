import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareQuantity, parseQuantity, type Quantity, quantityProblem } from '#api/quantity.ts';

function amount(value: unknown): Quantity {
  const quantity = parseQuantity(value);
  if (quantity === undefined) throw new Error(`${String(value)} is no quantity`);
  return quantity;
}

const PATTERN = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX = "unable to parse quantity's suffix";

describe('what a quantity is', () => {
  test.each([
    '0',
    '1',
    '+1',
    '-1',
    '.5',
    '5.',
    '0.5Gi',
    '1e3',
    '1E3',
    '1e-3',
    '1E',
    '1Ei',
    '100m',
    '3n',
    5,
    0.5,
  ])('%j is one', (value) => {
    expect(parseQuantity(value)).toBeDefined();
    expect(quantityProblem(value)).toBeUndefined();
  });

  test.each<[unknown, string]>([
    ['', PATTERN],
    ['many', PATTERN],
    [' 1', PATTERN],
    ['1 Gi', PATTERN],
    ['1Gi ', PATTERN],
    ['1Gi\n', PATTERN],
    ['--1', PATTERN],
    ['1GB', PATTERN],
    ['1K', SUFFIX],
    ['1mi', SUFFIX],
    ['1i', SUFFIX],
    ['1e', SUFFIX],
    ['1e99999999999', SUFFIX],
    ['1e1.5', PATTERN],
    ['1.2.3', 'unable to parse numeric part of quantity'],
    ['.', 'unable to parse numeric part of quantity'],
    ['9'.repeat(257), PATTERN],
    [Number.NaN, PATTERN],
    [Number.POSITIVE_INFINITY, PATTERN],
    [null, PATTERN],
    [undefined, PATTERN],
    [true, PATTERN],
    [{}, PATTERN],
    [['1'], PATTERN],
  ])('%j is none', (value, problem) => {
    expect(parseQuantity(value)).toBeUndefined();
    expect(quantityProblem(value)).toBe(problem);
  });
});

describe('comparison', () => {
  test.each<[unknown, '<' | '=' | '>', unknown]>([
    ['200Mi', '>', '32Mi'],
    ['1Gi', '=', '1024Mi'],
    ['0.5Gi', '=', '512Mi'],
    ['1Gi', '>', '1G'],
    ['1e3', '=', '1k'],
    ['1E3', '=', 1000],
    ['1E', '=', '1e18'],
    ['1000m', '=', 1],
    ['999m', '<', '1'],
    ['1500u', '=', '1.5m'],
    ['-1', '<', '0'],
    ['-2Gi', '<', '-1Gi'],
    ['-0', '=', '0'],
    ['0Gi', '=', '0.000m'],
    ['007', '=', '7.0'],
    [0.1, '=', '100m'],
    [1e21, '>', '1E'],
    ['9007199254740993', '>', '9007199254740992'],
    ['0.1Ki', '=', '102.4'],
    // Nine decimal places are kept, rounded away from zero.
    ['0.1n', '=', '1n'],
    ['-0.1n', '=', '-1n'],
    ['1.0000000001', '=', '1000000001n'],
    ['0.9999999999', '=', '1'],
    ['1e-999999', '=', '1n'],
    // Binary amounts stop at the largest 64-bit integer, decimal ones do not.
    ['8Ei', '=', '9223372036854775807'],
    ['999Ei', '=', '8Ei'],
    ['999E', '>', '8Ei'],
    ['1e999999', '>', '1e999998'],
  ])('%j %s %j', (left, sign, right) => {
    const expected = { '<': -1, '=': 0, '>': 1 }[sign];
    expect(compareQuantity(amount(left), amount(right))).toBe(expected);
    expect(compareQuantity(amount(right), amount(left))).toBe(0 - expected);
  });

  test('equal amounts look the same however they are written', () => {
    expect(amount('1Gi')).toEqual(amount('1048576Ki'));
    expect(amount('1.50')).toEqual(amount('1500m'));
  });

  const SCALES = {
    n: 1n,
    u: 10n ** 3n,
    m: 10n ** 6n,
    '': 10n ** 9n,
    k: 10n ** 12n,
    M: 10n ** 15n,
    Ki: 1024n * 10n ** 9n,
    Gi: 2n ** 30n * 10n ** 9n,
  };
  const written = fc
    .record({
      whole: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
      suffix: fc.constantFrom(...(Object.keys(SCALES) as (keyof typeof SCALES)[])),
    })
    .map(({ whole, suffix }) => ({ text: `${whole}${suffix}`, nano: whole * SCALES[suffix] }));

  test('it agrees with exact arithmetic in billionths', () => {
    fc.assert(
      fc.property(written, written, (a, b) => {
        const expected = a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0;
        expect(compareQuantity(amount(a.text), amount(b.text))).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});
