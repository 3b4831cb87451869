import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { toJson } from '#render/json.ts';
import { toYaml } from '#render/yaml.ts';

const UNSEEN_IN_A_LINE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Lone surrogates are left out: YAML cannot carry them. */
const tree = fc.letrec((tie) => ({
  value: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

test('JSON has sorted keys, two blanks and a final line break', () => {
  expect(toJson({ b: [1], a: { d: null, c: 'x' } })).toBe(`{
  "a": {
    "c": "x",
    "d": null
  },
  "b": [
    1
  ]
}
`);
});

test('YAML has the same order, and texts that YAML 1.1 takes for something else are quoted', () => {
  const document = {
    b: ['yes', '0755', '1:30', 'null', '~', 'a: b', 'a #b', '- a', 'plain text (1)', '', [1, []], {}],
    a: { time: '2026-11-29T03:00:00Z', next: null, message: 'a\nb', on: [{ name: 'x', count: 1.5 }] },
  };
  expect(toYaml(document)).toBe(`a:
  message: "a\\nb"
  next: null
  "on":
    - count: 1.5
      name: x
  time: "2026-11-29T03:00:00Z"
b:
  - "yes"
  - "0755"
  - "1:30"
  - "null"
  - "~"
  - "a: b"
  - "a #b"
  - "- a"
  - plain text (1)
  - ""
  - - 1
    - []
  - {}
`);
});

test('a scalar and an empty document are YAML, too', () => {
  expect([toYaml('x'), toYaml(null), toYaml({}), toYaml([])]).toEqual(['x\n', 'null\n', '{}\n', '[]\n']);
});

test('a key that is too long for one line comes back', () => {
  const long = { ['k'.repeat(3000)]: { a: [1] }, b: 'x' };
  expect(parse(toYaml(long))).toEqual(long);
});

test('control characters and bidi overrides are written as escapes', () => {
  const hostile = { name: '\u001b[2J\u202egnp\u009b\u007f\u{e0041}' };
  expect(toJson(hostile)).toBe('{\n  "name": "\\u001b[2J\\u202egnp\\u009b\\u007f\\udb40\\udc41"\n}\n');
  expect(toYaml(hostile)).toBe('name: "\\u001b[2J\\u202egnp\\u009b\\u007f\\U000e0041"\n');
});

test('any value comes back from its JSON and its YAML, and nothing unseen is in either', () => {
  fc.assert(
    fc.property(tree, (value) => {
      const want = JSON.parse(JSON.stringify(value));
      const json = toJson(value);
      const yaml = toYaml(value);
      expect(JSON.parse(json)).toEqual(want);
      expect(parse(yaml, { schema: 'yaml-1.1', merge: false })).toEqual(want);
      expect(parse(yaml)).toEqual(want);
      for (const line of `${json}${yaml}`.split('\n')) expect(line).not.toMatch(UNSEEN_IN_A_LINE);
    }),
    { numRuns: 500 },
  );
});
