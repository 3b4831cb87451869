import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Document, isCollection, isScalar, parseDocument, stringify } from 'yaml';
import type { FieldPath, Json, JsonObject, Place } from '#core/object/object.ts';
import { parseManifest } from '#source/parse.ts';

const HEAD = { apiVersion: 'x.example/v1', kind: 'Thing', metadata: { name: 'a' } };
const NASTY = [
  'no',
  'on',
  'y',
  '~',
  '0644',
  '1_000',
  '*/5 * * * *',
  '@daily',
  '{{ x }}',
  '---',
  '- a',
  '# b',
  '<<',
  ' a ',
  'a: b',
  '',
  "it's",
  '"',
  'a\nb',
  'é 日本 😀',
  '__proto__',
  'constructor',
  '2024-01-01',
  '\u0085',
];

const word = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'grapheme', maxLength: 12 }));
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
    word,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(word, tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

// What kubectl would read differently is quoted, so that the text means the value.
function asYaml(value: Json, flow: boolean): string {
  return stringify(value, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'QUOTE_DOUBLE',
    ...(flow ? { collectionStyle: 'flow' } : {}),
  });
}

function pathsOf(value: Json, path: FieldPath = []): readonly FieldPath[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, entry]: [string, Json]) =>
    pathsOf(entry, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, ...below];
}

function offsetOf(text: string, { line, column }: Place): number {
  return (
    text
      .split('\n')
      .slice(0, line - 1)
      .join('\n').length +
    (line === 1 ? 0 : 1) +
    column -
    1
  );
}

/** Where the parser of the library says that the value stands. */
function offsetInDocument(document: Document, path: FieldPath): number | undefined {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  return isScalar(node) || isCollection(node) ? node.range?.[0] : undefined;
}

function expectSame(text: string, object: JsonObject): void {
  const { objects, diagnostics } = parseManifest('f.yaml', text);
  expect(diagnostics).toEqual([]);
  expect(JSON.stringify(objects[0]?.object)).toBe(JSON.stringify(object));
  const document = parseDocument(text, { version: '1.1', schema: 'failsafe', uniqueKeys: false });
  for (const path of pathsOf(object)) {
    const place = objects[0]?.placeOf?.(path);
    expect(place?.document).toBe(1);
    expect(place === undefined ? undefined : offsetOf(text, place)).toBe(offsetInDocument(document, path));
  }
}

describe('an object that was written out', () => {
  it('comes back from YAML with the place of every value', () => {
    fc.assert(
      fc.property(json, fc.boolean(), (spec, flow) =>
        expectSame(asYaml({ ...HEAD, spec }, flow), { ...HEAD, spec }),
      ),
    );
  });

  it('comes back from JSON with the place of every value', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), (spec, indent) => {
        expectSame(JSON.stringify({ ...HEAD, spec }, null, indent), { ...HEAD, spec });
      }),
    );
  });

  it('keeps hostile keys as plain data of their own', () => {
    const text =
      '{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"__proto__":{"polluted":true},"spec":{"__proto__":1,"constructor":2,"toString":3}}';
    for (const form of [text, text.replaceAll('"', "'")]) {
      const object = parseManifest('f.yaml', form).objects[0]?.object ?? {};
      expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
      expect(Object.hasOwn(object, '__proto__')).toBe(true);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
      expect(JSON.stringify(Reflect.get(object, 'spec'))).toBe(
        '{"__proto__":1,"constructor":2,"toString":3}',
      );
    }
  });

  it('keeps hostile labels and names', () => {
    const text =
      'apiVersion: v1\nkind: A\nmetadata:\n  name: constructor\n  namespace: __proto__\n  labels: {__proto__: a, toString: b}\n';
    const { metadata } = parseManifest('f.yaml', text).objects[0]?.object ?? {};
    expect(JSON.stringify(metadata)).toBe(
      '{"name":"constructor","namespace":"__proto__","labels":{"__proto__":"a","toString":"b"}}',
    );
  });
});

const TEXT = `# head
---
apiVersion: v1
kind: List
items:
- apiVersion: batch/v1
  kind: CronJob
  metadata:
    name: first
  spec:
    base: &base
      image: a
    list:
    - one
    - two
    flow: {a: 1, b: [x, z]}
    empty:
    copy: *base
    merged:
      <<: *base
      own: 1
- {apiVersion: batch/v1, kind: CronJob, metadata: {name: second}}
`;

describe('the place of', () => {
  const [first, second] = parseManifest('dir/f.yaml', TEXT).objects;

  it.each<[string, FieldPath, number, number]>([
    ['an object is its first key', [], 6, 3],
    ['a scalar', ['spec', 'list', 1], 15, 7],
    ['a block mapping is its first key', ['spec', 'base'], 12, 7],
    ['a flow mapping is its brace', ['spec', 'flow'], 16, 11],
    ['a value in a flow list', ['spec', 'flow', 'b', 1], 16, 25],
    ['an empty value is its key', ['spec', 'empty'], 17, 5],
    ['an alias', ['spec', 'copy'], 18, 11],
    ['what is inside an alias is at the anchor', ['spec', 'copy', 'image'], 12, 14],
    ['a merged key is at the anchor', ['spec', 'merged', 'image'], 12, 14],
    ['a key beside a merge key', ['spec', 'merged', 'own'], 21, 12],
    ['an absent field is the key of its parent', ['spec', 'base', 'absent'], 11, 5],
    ['an absent branch is the nearest parent that is written', ['metadata', 'labels', 'app'], 8, 3],
    ['an absent item is the key of its list', ['spec', 'list', 7], 13, 5],
    ['an absent field of an item is the item', ['spec', 'list', 0, 'x'], 14, 7],
    ['an absent field of the object is the object', ['status'], 6, 3],
    ['a field below a scalar is the key of the scalar', ['metadata', 'name', 'x'], 9, 5],
    ['a name that only objects have', ['spec', 'constructor'], 10, 3],
  ])('%s', (_, path, line, column) => {
    expect(first?.placeOf?.(path)).toEqual({ file: 'dir/f.yaml', line, column, document: 1 });
  });

  it('an item of a list is its own', () => {
    expect(second?.placeOf?.([])).toEqual({ file: 'dir/f.yaml', line: 22, column: 3, document: 1 });
    expect(second?.placeOf?.(['metadata', 'name'])).toEqual({
      file: 'dir/f.yaml',
      line: 22,
      column: 58,
      document: 1,
    });
  });
});
