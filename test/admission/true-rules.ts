import type { Json, JsonObject } from '#core/object/object.ts';

export const TEXT = { type: 'string' };
export const RULES = 'x-kubernetes-validations';

export function rule(text: string, more: JsonObject = {}): JsonObject {
  return { [RULES]: [{ rule: text, message: 'broken', ...more }] };
}

export function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more };
}

/** A rule on `spec` that holds, in Kubernetes as well: `test/cluster/expressions.test.ts` asks a real API server. */
export const TRUE_RULES: readonly (readonly [string, JsonObject, Json])[] = [
  ['self.a == 1 && type(self.a) == int', object({ a: { type: 'integer' } }), { a: 1 }],
  ['self.a == 1.0 && type(self.a) == double', object({ a: { type: 'number' } }), { a: 1 }],
  ['self.port == 80', object({ port: { 'x-kubernetes-int-or-string': true } }), { port: 80 }],
  ['self.port == "80%"', object({ port: { 'x-kubernetes-int-or-string': true } }), { port: '80%' }],
  ['!has(self.a)', object({ a: { ...TEXT, nullable: true } }), { a: null }],
  ['!has(self.a)', object({ a: TEXT }), { a: null }],
  ['self.a == "x"', object({ a: { ...TEXT, default: 'x' } }), {}],
  ['self.a == "x"', object({ a: { ...TEXT, default: 'x' } }), { a: null }],
  ['!has(self.b)', object({ b: TEXT, a: TEXT }), { a: 'x', more: 'y' }],
  [
    'self.foo__dash__bar + self.a__dot__b + self.__namespace__ + self.x__underscores__y == "1234"',
    object({ 'foo-bar': TEXT, 'a.b': TEXT, namespace: TEXT, x__y: TEXT }),
    { 'foo-bar': '1', 'a.b': '2', namespace: '3', x__y: '4' },
  ],
  [
    'self.m.all(k, self.m[k].size() == 1) && "a" in self.m',
    object({ m: { type: 'object', additionalProperties: TEXT } }),
    { m: { a: 'x', 'b-c': 'y' } },
  ],
  [
    'self.at < timestamp("2026-02-01T00:00:00Z")',
    object({ at: { ...TEXT, format: 'date-time' } }),
    { at: '2026-01-01T00:00:00Z' },
  ],
  ['self.after == duration("90s")', object({ after: { ...TEXT, format: 'duration' } }), { after: '1m30s' }],
  ['self.raw == b"hi"', object({ raw: { ...TEXT, format: 'byte' } }), { raw: 'aGk=' }],
  [
    'self.a == self.b',
    object({
      a: { type: 'array', items: TEXT, 'x-kubernetes-list-type': 'set' },
      b: { type: 'array', items: TEXT, 'x-kubernetes-list-type': 'set' },
    }),
    { a: ['x', 'y'], b: ['y', 'x'] },
  ],
  [
    'self.a != self.b',
    object({ a: { type: 'array', items: TEXT }, b: { type: 'array', items: TEXT } }),
    { a: ['x', 'y'], b: ['y', 'x'] },
  ],
  [
    '(self.a + ["y"]).size() == 2',
    object({ a: { type: 'array', items: TEXT, 'x-kubernetes-list-type': 'set' } }),
    { a: ['x', 'y'] },
  ],
  ['self.a == "x"', object({ a: TEXT }), JSON.parse('{"a": "x", "__proto__": {"polluted": true}}')],
];
