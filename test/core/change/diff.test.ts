import { describe, expect, it } from 'vitest';
import { fieldDiffs } from '#core/change/diff.ts';
import { maskSecrets, newMask } from '#core/change/mask.ts';

describe('field differences', () => {
  it('names each field by its pointer with both values', () => {
    const before = { lastScheduleTime: '2026-06-09T03:00:00Z', active: [{ name: 'a' }] };
    const after = { lastScheduleTime: '2026-06-10T03:00:00Z', conditions: [] };
    expect(fieldDiffs(before, after)).toEqual([
      { path: '/active', before: [{ name: 'a' }] },
      { path: '/conditions', after: [] },
      { path: '/lastScheduleTime', before: '2026-06-09T03:00:00Z', after: '2026-06-10T03:00:00Z' },
    ]);
  });

  it('is empty for equal values', () => {
    expect(fieldDiffs({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]);
  });

  it('follows members whose names hold slashes and tildes', () => {
    expect(fieldDiffs({ 'a/b~c': 1 }, { 'a/b~c': 2 })).toEqual([{ path: '/a~1b~0c', before: 1, after: 2 }]);
  });

  it('takes a member that objects inherit for absent', () => {
    expect(fieldDiffs({}, { toString: 'x' })).toEqual([{ path: '/toString', after: 'x' }]);
  });

  it('shows that a secret changed, and not what it was or is', () => {
    const diffs = fieldDiffs(
      { env: [{ name: 'DB_PASSWORD', value: 'old' }] },
      { env: [{ name: 'DB_PASSWORD', value: 'new' }] },
    );
    expect(diffs).toEqual([{ path: '/env/0/value', before: '(masked 1)', after: '(masked 2)' }]);
  });
});

describe('masking', () => {
  it.each([
    ['a member with a telling name', { password: 'hunter2' }, { password: '(masked 1)' }],
    [
      'a member deep inside',
      { spec: { auth: { apiKey: 'k' } } },
      { spec: { auth: { apiKey: '(masked 1)' } } },
    ],
    [
      'a variable with a telling name',
      { name: 'GITHUB_TOKEN', value: 'x' },
      { name: 'GITHUB_TOKEN', value: '(masked 1)' },
    ],
    [
      'a long mixed run of characters',
      { note: 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7' },
      { note: '(masked 1)' },
    ],
    ['a private key', { data: '-----BEGIN PRIVATE KEY-----\nabc' }, { data: '(masked 1)' }],
    ['a bearer token', { header: 'eyJhbGciOi.payload.sig' }, { header: '(masked 1)' }],
    [
      'every item of a telling list',
      { tokens: ['a'], token: ['b', 'c'] },
      { tokens: ['(masked 1)'], token: ['(masked 2)', '(masked 3)'] },
    ],
  ])('covers %s', (_, value, want) => {
    expect(maskSecrets(value, newMask())).toEqual(want);
  });

  it.each([
    ['the name of a secret', { secretName: 'pg-credentials' }],
    ['a reference to a secret', { valueFrom: { secretKeyRef: { name: 'pg-credentials', key: 'password' } } }],
    ['an image', { image: 'registry.example/team/tool:1.2.3' }],
    ['a uid', { uid: '7c1f6a0e-2d55-4a8e-9b1a-0f4c6e1d2a33' }],
    ['an empty value', { password: '' }],
    ['numbers and booleans', { password: true, token: 5 }],
  ])('leaves %s alone', (_, value) => {
    expect(maskSecrets(value, newMask())).toEqual(value);
  });

  it('numbers equal values alike across objects of one mask', () => {
    const mask = newMask();
    expect([
      maskSecrets({ password: 'a' }, mask),
      maskSecrets({ password: 'b' }, mask),
      maskSecrets({ token: 'a' }, mask),
    ]).toEqual([{ password: '(masked 1)' }, { password: '(masked 2)' }, { token: '(masked 1)' }]);
  });
});
