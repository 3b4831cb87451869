import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldPath } from '#core/object/object.ts';
import { jsonOffset } from '#store/directory/json-offset.ts';

const TEXT = '{ "a": {"b": [1, {"c": "x,}"}, -2.5e3]},\n  "q\\"uote": null, "d": [] }';

describe('the offset of a field in JSON', () => {
  test.each<readonly [string, FieldPath, string]>([
    ['the whole', [], '{ "a"'],
    ['a member', ['a'], '{"b": ['],
    ['an item', ['a', 'b', 0], '1, {'],
    ['a member of an item', ['a', 'b', 1, 'c'], '"x,}"'],
    ['an item behind a text with brackets', ['a', 'b', 2], '-2.5e3'],
    ['a member whose key has quotes', ['q"uote'], 'null'],
    ['an absent member: the key of its parent', ['a', 'z'], '"a": {'],
    ['an absent member of the whole: the whole', ['z', 'y'], '{ "a"'],
    ['an absent item: the key of its list', ['a', 'b', 9], '"b": ['],
    ['an absent member of an item: the item', ['a', 'b', 1, 'z'], '{"c"'],
    ['an item of an empty list: the key of the list', ['d', 0], '"d": []'],
    ['what is below a scalar: the key of the scalar', ['q"uote', 'x'], '"q\\"uote"'],
    ['an index into a mapping: the mapping', [0], '{ "a"'],
  ])('is that of %s', (_case, path, start) => {
    expect(TEXT.slice(jsonOffset(TEXT, path)).startsWith(start)).toBe(true);
  });

  test('is where any member of any object is written, whatever stands before it', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.string(),
        fc.jsonValue(),
        fc.constantFrom(0, 2),
        (other, key, value, indent) => {
          fc.pre(key !== 'other' && key !== '__proto__' && !/^\d+$/.test(key));
          const text = JSON.stringify({ other: JSON.parse(other), [key]: [value] }, undefined, indent);
          const at = jsonOffset(text, [key, 0]);
          const tail = text.slice(at).replace(/\s*\]\s*\}$/, '');
          expect(JSON.parse(tail)).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
    );
  });
});
