import { expect, test } from 'vitest';
import { parseManifest } from '#source/parse.ts';

test.each([
  ['a number as items', 'apiVersion: v1\nkind: List\nitems: 5\n', 'items is the number 5, not a list', 3],
  [
    'a mapping as items of a typed list',
    'apiVersion: batch/v1\nkind: JobList\nitems: {a: 1}\n',
    'items is a mapping, not a list',
    3,
  ],
  [
    'a text as an item',
    'apiVersion: v1\nkind: List\nitems:\n- a\n',
    'item 0 of the list is the string "a", not an object',
    4,
  ],
  [
    'nothing as an item',
    'apiVersion: v1\nkind: List\nitems:\n- null\n',
    'item 0 of the list is null, not an object',
    4,
  ],
])('a list with %s is told of as such, with reason and remedy', (_case, text, what, line) => {
  const [found, ...others] = parseManifest('f.yaml', text).diagnostics;
  expect(others).toEqual([]);
  expect(found).toMatchObject({ code: 'NotAnObject', severity: 'error', what, place: { line } });
  expect(found?.why).toBeDefined();
  expect(found?.fix).toBeDefined();
});

test('a kind of somebody else that ends in List is an object like any other', () => {
  const text = 'apiVersion: example.org/v1\nkind: AllowList\nmetadata: {name: a}\nitems: {a: 1}\n';
  expect(parseManifest('f.yaml', text)).toMatchObject({
    objects: [{ object: { kind: 'AllowList' } }],
    diagnostics: [],
  });
});

test.each(['yaml', 'json'])(
  'too many levels of %s are told of with reason and remedy, and not with JSON as a way out',
  (ending) => {
    const deep = `${'['.repeat(150)}${']'.repeat(150)}`;
    const text = ending === 'json' ? `{"a": ${deep}}` : `a: ${deep}\n`;
    const [found] = parseManifest(`f.${ending}`, text).diagnostics;
    expect(found).toMatchObject({
      code: 'LimitExceeded',
      fix: 'nest the values less deeply, or write the inner ones as text',
    });
    expect(found?.why).toBeDefined();
  },
);
