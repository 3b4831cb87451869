import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FieldDiff, fieldDiffs } from '#core/change/diff.ts';
import { sameValue } from '#core/object/canonical.ts';
import type { Json } from '#core/object/object.ts';

const ready = { type: 'Ready', status: 'True', message: 'fine' };
const active = { type: 'Active', status: 'True', message: 'fine' };

describe('fields that differ are told by path, with the old and the new value', () => {
  const rows: readonly (readonly [name: string, before: Json, after: Json, want: readonly FieldDiff[]])[] = [
    ['nothing differs', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    ['a field is set', {}, { a: 1 }, [{ path: '/a', after: 1 }]],
    ['a field is removed', { a: 1 }, {}, [{ path: '/a', before: 1 }]],
    ['a field is altered', { a: { b: 1 } }, { a: { b: 2 } }, [{ path: '/a/b', before: 1, after: 2 }]],
    [
      'several fields, one of them an empty list',
      { lastScheduleTime: '2026-06-09T03:00:00Z', active: [{ name: 'a' }] },
      { lastScheduleTime: '2026-06-10T03:00:00Z', conditions: [] },
      [
        { path: '/active', before: [{ name: 'a' }] },
        { path: '/conditions', after: [] },
        { path: '/lastScheduleTime', before: '2026-06-09T03:00:00Z', after: '2026-06-10T03:00:00Z' },
      ],
    ],
    ['a member that objects inherit is absent', {}, { toString: 'x' }, [{ path: '/toString', after: 'x' }]],
    ['null is a value', { a: null }, { a: 1 }, [{ path: '/a', before: null, after: 1 }]],
    ['a name with a slash', { 'a/b~': 1 }, { 'a/b~': 2 }, [{ path: '/a~1b~0', before: 1, after: 2 }]],
    [
      'two items go from the front of a list',
      { l: ['x', 'y', 'z'] },
      { l: ['z'] },
      [
        { path: '/l/0', before: 'x' },
        { path: '/l/1', before: 'y' },
      ],
    ],
    [
      'one item goes and two come',
      { l: [{ name: 'a' }, { name: 'b' }] },
      { l: [{ name: 'b' }, { name: 'c' }, { name: 'd' }] },
      [
        { path: '/l/0', before: { name: 'a' } },
        { path: '/l/1', after: { name: 'c' } },
        { path: '/l/2', after: { name: 'd' } },
      ],
    ],
    [
      'a condition is altered behind one that is new',
      { l: [active] },
      { l: [ready, { ...active, status: 'False' }] },
      [
        { path: '/l/0', after: ready },
        { path: '/l/1/status', before: 'True', after: 'False' },
      ],
    ],
    ['only the order changes', { l: [1, 2] }, { l: [2, 1] }, [{ path: '/l', before: [1, 2], after: [2, 1] }]],
    [
      'items that cannot be told apart',
      { l: [1, 1] },
      { l: [1] },
      [{ path: '/l', before: [1, 1], after: [1] }],
    ],
    ['a list becomes a mapping', { l: [1] }, { l: { a: 1 } }, [{ path: '/l', before: [1], after: { a: 1 } }]],
    [
      'hostile names',
      JSON.parse('{"__proto__": 1, "constructor": {"a": 1}, "toString": 1}'),
      JSON.parse('{"constructor": {"a": 2}, "toString": 2}'),
      [
        { path: '/__proto__', before: 1 },
        { path: '/constructor/a', before: 1, after: 2 },
        { path: '/toString', before: 1, after: 2 },
      ],
    ],
  ];
  test.each(rows)('%s', (_name, before, after, want) => {
    expect(fieldDiffs(before, after)).toEqual(want);
  });
});

test('secrets never reach a difference, and their change stays visible', () => {
  expect(fieldDiffs({ token: 'hunter2' }, { token: 'hunter3' })).toEqual([
    { path: '/token', before: '(masked 1)', after: '(masked 2)' },
  ]);
});

test('a secret variable of a list is told by its place, and not by its value', () => {
  const before = { env: [{ name: 'DB_PASSWORD', value: 'old' }] };
  const after = { env: [{ name: 'DB_PASSWORD', value: 'new' }] };
  expect(fieldDiffs(before, after)).toEqual([
    { path: '/env/0/value', before: '(masked 1)', after: '(masked 2)' },
  ]);
});

test('there are differences exactly where the values differ', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(value, value, (a, b) => {
      const before = { v: a } as Json;
      const after = { v: b } as Json;
      expect(fieldDiffs(before, after).length === 0).toBe(sameValue(before, after));
      expect(fieldDiffs(before, before)).toEqual([]);
    }),
  );
});
