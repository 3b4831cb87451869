import { describe, expect, it } from 'vitest';
import { keyText } from '#source/yaml/key-text.ts';
import { readCore, readPlain } from '#source/yaml/plain.ts';

function readValue(text: string): unknown {
  const reading = readPlain(text);
  return reading === undefined ? text : reading.value;
}

// What `kubectl label --local -o json` and sigs.k8s.io/yaml 1.6 print for `x: TEXT`.
const VALUES: readonly (readonly [text: string, value: unknown])[] = [
  ['y', true],
  ['Y', true],
  ['yes', true],
  ['YES', true],
  ['On', true],
  ['TRUE', true],
  ['n', false],
  ['N', false],
  ['no', false],
  ['NO', false],
  ['off', false],
  ['False', false],
  ['yEs', 'yEs'],
  ['oN', 'oN'],
  ['tRUE', 'tRUE'],
  ['', null],
  ['~', null],
  ['Null', null],
  ['nULL', 'nULL'],
  ['010', 8],
  ['-010', -8],
  ['007', 7],
  ['08', 8],
  ['09', 9],
  ['0o17', 15],
  ['-0o17', -15],
  ['0x1F', 31],
  ['0X1F', 31],
  ['-0x1f', -31],
  ['0b11', 3],
  ['0B11', 3],
  ['+0b11', 3],
  ['0b2', '0b2'],
  ['0x', '0x'],
  ['1_000', 1000],
  ['1__0', 10],
  ['1_', 1],
  ['_1', '_1'],
  ['0_7', 7],
  ['+12', 12],
  ['-0', 0],
  ['.5', 0.5],
  ['-.5', -0.5],
  ['._5', '._5'],
  ['.1_0', 0.1],
  ['1.', 1],
  ['1e3', 1000],
  ['1E5', 100000],
  ['0.1e1_0', 1e9],
  ['1e', '1e'],
  ['1e999', '1e999'],
  ['190:20:30', '190:20:30'],
  ['2024-01-01', '2024-01-01'],
  ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
  ['.inf', Number.POSITIVE_INFINITY],
  ['-.INF', Number.NEGATIVE_INFINITY],
  ['.NaN', Number.NaN],
  ['inf', 'inf'],
  ['9007199254740992', 9007199254740992],
  ['18446744073709551616', 18446744073709552000],
  ['0xFFFFFFFFFFFFFFFF', 18446744073709552000],
  ['0x10000000000000000', '0x10000000000000000'],
  ['*/5 * * * *', '*/5 * * * *'],
  ['0 3 * * *', '0 3 * * *'],
];

// The same, for the key of `TEXT: x`.
const KEYS: readonly (readonly [text: string, key: string | undefined])[] = [
  ['on', 'true'],
  ['no', 'false'],
  ['0644', '420'],
  ['1_000', '1000'],
  ['9223372036854775807', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['9223372036854775808', undefined],
  ['18446744073709551616', '1.8446744e+19'],
  ['~', undefined],
  ['1.5', '1.5'],
  ['1.10', '1.1'],
  ['0.1', '0.1'],
  ['1e6', '1e+06'],
  ['3.14159265358979', '3.1415927'],
  ['123456789.5', '1.2345679e+08'],
  ['0.00001', '1e-05'],
  ['-0.0', '-0'],
  ['1e300', '.inf'],
  ['-.inf', '-.inf'],
  ['.nan', '.nan'],
];

describe('a plain scalar', () => {
  it.each(VALUES)('`%s` is read as kubectl reads it: %s', (text, value) => {
    expect(readValue(text)).toStrictEqual(value);
  });

  it.each(KEYS)('as the key `%s` becomes %s', (text, key) => {
    const reading = readPlain(text);
    expect(reading === undefined ? text : keyText(reading)).toBe(key);
  });

  it('keeps the exact value of an integer that a double cannot hold', () => {
    expect(readPlain('18446744073709551617')).toMatchObject({ type: 'float', exact: 18446744073709551617n });
    expect(readPlain('9007199254740993')).toEqual({
      type: 'int',
      value: 9007199254740992,
      exact: 9007199254740993n,
    });
  });
});

describe('the YAML 1.2 reading of the same scalar', () => {
  it.each([
    ['no', undefined],
    ['1_000', undefined],
    ['0b11', undefined],
    ['010', 10],
    ['0o10', 8],
    ['0x10', 16],
    ['TRUE', true],
    ['~', null],
    ['-.inf', Number.NEGATIVE_INFINITY],
  ])('of `%s` is %s', (text, value) => {
    expect(readCore(text)).toBe(value);
  });
});
