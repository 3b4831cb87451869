import { describe, expect, test } from 'vitest';
import { issueAt, pathText, unsupported, wrongType } from '#api/issue.ts';
import { plain, quoted } from '#api/shown-value.ts';
import type { FieldPath, Json } from '#core/object/object.ts';

test.each<[FieldPath, string]>([
  [[], ''],
  [['spec', 'containers', 0, 'env'], 'spec.containers[0].env'],
  [['metadata', 'labels', 'a.b/c'], 'metadata.labels[a.b/c]'],
  [['metadata', 'labels', 'x\u001b[31m'], 'metadata.labels[x\\x1b[31m]'],
])('the path %j is written %j', (path, text) => {
  expect(pathText(path)).toBe(text);
});

describe('texts in messages', () => {
  test.each([
    ['plain', '"plain"'],
    ['say "no" \\', '"say \\"no\\" \\\\"'],
    ['a\tb\r\n', '"a\\tb\\r\\n"'],
    ['\u001b[2J\u0007', '"\\x1b[2J\\x07"'],
    ['right\u202eleft', '"right\\u202eleft"'],
    ['tag\u{e0041}', '"tag\\U000e0041"'],
    ['lone \ud800', '"lone \\ud800"'],
    ['naïve 日本 🎉', '"naïve 日本 🎉"'],
  ])('%j is shown as %s', (text, shown) => {
    expect(quoted(text)).toBe(shown);
  });

  test('eighty characters are shown whole, more are cut', () => {
    expect(plain('x'.repeat(80))).toBe('x'.repeat(80));
    expect(plain('x'.repeat(81))).toBe(`${'x'.repeat(79)}…`);
  });
});

describe('values in messages', () => {
  test.each<[string, Json, string]>([
    ['a number', 1.5, 'Invalid value: 1.5'],
    ['a boolean', true, 'Invalid value: true'],
    ['an object', { a: 1 }, 'Invalid value: {…}'],
    ['a list of numbers', [3, 1], 'Invalid value: [3,1]'],
    ['a long list of numbers', Array(99).fill(7), 'Invalid value: [7,7,7,7,7,7,7,7,7,7,…]'],
    ['a list of texts', ['hunter2'], 'Invalid value: […]'],
  ])('%s is shown', (_, value, message) => {
    expect(issueAt(['spec'], { kind: 'invalid', value }).message).toBe(message);
  });

  test.each<[string, FieldPath, Json]>([
    ['a variable', ['env', 0, 'value'], 1234],
    ['an argument', ['args', 1], 1234],
    ['a password', ['spec', 'dbPassword'], 'hunter2'],
    ['an annotation about a token', ['metadata', 'annotations', 'ci/api-token'], 42],
    ['a private key anywhere', ['spec', 'x'], '-----BEGIN PRIVATE KEY-----'],
    ['a web token anywhere', ['spec', 'x'], 'eyJhbGciOiJIUzI1NiJ9.e30.x'],
    ['a cloud key anywhere', ['spec', 'x'], 'AKIAABCDEFGHIJKLMNOP'],
    ['a URL with a password', ['spec', 'x'], 'postgres://app:hunter2@pg/db'],
    ['an assignment', ['spec', 'x'], 'PASSWORD=hunter2'],
  ])('%s is not shown', (_, path, value) => {
    const { message } = issueAt(path, { kind: 'invalid', value, detail: 'is wrong' });
    expect(message).toBe('Invalid value: (hidden): is wrong');
  });

  test('a URL without a password is shown', () => {
    const { message } = issueAt(['spec', 'x'], { kind: 'invalid', value: 'https://example.com:8080/a@b' });
    expect(message).toContain('example.com');
  });
});

test('a wrong type names the field, what it must be and what was found', () => {
  expect(issueAt(['metadata', 'labels', 'a.b/port'], wrongType(80, 'a string'))).toEqual({
    path: ['metadata', 'labels', 'a.b/port'],
    kind: 'type',
    message: 'Invalid value: 80: metadata.labels[a.b/port] must be a string, not a number',
    fix: 'write the value in quotes',
  });
});

test('an unsupported value lists the supported ones in the given order', () => {
  expect(issueAt(['x'], unsupported('C', ['B', 'A'])).message).toBe(
    'Unsupported value: "C": supported values: "B", "A"',
  );
});
