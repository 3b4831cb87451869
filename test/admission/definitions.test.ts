import { describe, expect, test } from 'vitest';
import { createAdmission } from '#admission/admission.ts';
import { readRuleSet } from '#admission/rule-set.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { object, RULES, rule, TEXT, TRUE_RULES } from './true-rules.ts';

function definition(spec: JsonObject, root: JsonObject = {}): JsonObject {
  const openAPIV3Schema = { type: 'object', properties: { spec }, ...root };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.net' },
    spec: {
      group: 'example.net',
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things' },
      versions: [{ name: 'v1', schema: { openAPIV3Schema } }],
    },
  };
}

function thing(spec: Json): JsonObject {
  return { apiVersion: 'example.net/v1', kind: 'Thing', metadata: { name: 'it', namespace: 'a' }, spec };
}

interface Verdict {
  readonly says: readonly string[];
  readonly open: readonly string[];
  readonly evaluated: number;
}

function verdict(schema: JsonObject, spec: Json, old?: Json, root?: JsonObject): Verdict {
  const admission = createAdmission(readRuleSet([definition(schema, root)]), { types: [], objects: [] });
  const broken = admission.judge(
    old === undefined
      ? { operation: 'CREATE', object: thing(spec) }
      : { operation: 'UPDATE', object: thing(spec), old: thing(old) },
  );
  return {
    says: broken.map(({ path, what }) => `${path.join('.')}: ${what}`),
    open: admission.tally.openRules().map(({ owner, part, reason }) => `${owner} ${part}: ${reason}`),
    evaluated: admission.tally.count(),
  };
}

describe('a rule of a definition', () => {
  test.each(TRUE_RULES)('sees its value as the schema types it: %s', (text, schema, spec) => {
    expect(verdict({ ...schema, ...rule(text) }, spec)).toEqual({ says: [], open: [], evaluated: 1 });
  });

  test('stands at every level, and is told at the field', () => {
    const item = object(
      { name: { ...TEXT, ...rule('self != "bad"', { message: 'bad name' }) } },
      rule('self.name != "odd"', { message: 'odd', fieldPath: '.name' }),
    );
    const schema = object(
      { items: { type: 'array', items: item }, map: { type: 'object', additionalProperties: item } },
      rule('size(self.items) < 3', { message: 'too many' }),
    );
    const spec = {
      items: [{ name: 'ok' }, { name: 'bad' }, { name: 'odd' }],
      map: { 'a.b': { name: 'odd' } },
    };
    expect(verdict(schema, spec).says).toEqual([
      'spec: too many',
      'spec.items.1.name: bad name',
      'spec.items.2.name: odd',
      'spec.map.a.b.name: odd',
    ]);
  });

  test('of the whole object reads its name', () => {
    const root = rule(
      'self.metadata.name == "it" && self.kind == "Thing" && !has(self.metadata.generateName)',
    );
    expect(verdict(object({}), {}, undefined, root)).toEqual({ says: [], open: [], evaluated: 1 });
  });

  test.each<[JsonObject, string]>([
    [{}, 'broken'],
    [{ messageExpression: '"a is " + self.a' }, 'a is x'],
    [{ messageExpression: 'self.nope' }, 'broken'],
  ])('says its message: %j', (more, says) => {
    expect(verdict(object({ a: TEXT }, rule('false', more)), { a: 'x' }).says).toEqual([`spec: ${says}`]);
  });

  test('without a message shows itself', () => {
    expect(verdict(object({}, { [RULES]: [{ rule: 'false' }] }), {}).says).toEqual([
      'spec: failed rule: false',
    ]);
  });

  test.each([['.a'], ["['a']"]])('is told at the path %s', (fieldPath) => {
    expect(verdict(object({ a: TEXT }, rule('false', { fieldPath })), {}).says).toEqual(['spec.a: broken']);
  });

  test('that fails is broken, and says why', () => {
    expect(verdict(object({ a: TEXT }, rule('self.a == "x"')), {}).says).toEqual([
      'spec: broken (No such key: a)',
    ]);
  });

  test('cannot read what the schema only keeps', () => {
    const schema = object(
      { a: TEXT },
      { 'x-kubernetes-preserve-unknown-fields': true, ...rule('has(self.more)') },
    );
    expect(verdict(schema, { more: 'x' }).says).toEqual(['spec: broken']);
  });

  test('is not asked of null', () => {
    expect(verdict(object({ a: { ...TEXT, nullable: true, ...rule('false') } }), { a: null }).evaluated).toBe(
      0,
    );
  });

  test.each<[string, JsonObject, Json, string]>([
    ['another type', { a: { type: 'integer' } }, { a: 'x' }, 'spec.a'],
    ['a value that is none of some', { a: { ...TEXT, enum: ['x'] } }, { a: 'y' }, 'spec.a'],
    ['a text that is too long', { a: { ...TEXT, maxLength: 2 } }, { a: 'xyz' }, 'spec.a'],
    [
      'a list that is too long',
      { a: { type: 'array', items: TEXT, maxItems: 1 } },
      { a: ['x', 'y'] },
      'spec.a',
    ],
  ])('is not asked, as by a server, beside %s', (_, properties, spec, where) => {
    expect(verdict(object(properties, rule('false')), spec)).toEqual({
      says: [],
      open: [`definition things.example.net : ${where} does not fit the schema`],
      evaluated: 0,
    });
  });

  test('that cannot be run is left open by name', () => {
    expect(verdict(object({ a: TEXT }, rule('self.a.nope()')), { a: 'x' })).toEqual({
      says: [],
      open: ['definition things.example.net spec 1: the function nope is not known here'],
      evaluated: 0,
    });
  });
});

test('a status that is written by itself is not there when an object is created, and does not change beside it', () => {
  const apart = definition(object({}));
  const [version] = (apart['spec'] as { versions: JsonObject[] }).versions;
  const root = object({ status: object({ phase: TEXT }) }, rule('!has(self.status)'));
  const changed = { ...version, subresources: { status: {} }, schema: { openAPIV3Schema: root } };
  const rules = { ...apart, spec: { ...(apart['spec'] as JsonObject), versions: [changed] } };
  const admission = createAdmission(readRuleSet([rules]), { types: [], objects: [] });
  const it = { ...thing({}), status: { phase: 'Done' } };
  expect(admission.judge({ operation: 'CREATE', object: it })).toEqual([]);
  expect(admission.judge({ operation: 'UPDATE', object: it, old: thing({}) })).toEqual([]);
  expect(
    admission.judge({ operation: 'UPDATE', subresource: 'status', object: it, old: thing({}) }),
  ).toHaveLength(1);
});

describe('a rule about a change', () => {
  const frozen = rule('self == oldSelf');

  test('is asked of changes alone', () => {
    const schema = object({ a: { ...TEXT, ...frozen } });
    expect(verdict(schema, { a: 'x' })).toEqual({ says: [], open: [], evaluated: 0 });
    expect(verdict(schema, { a: 'x' }, { a: 'x' }).says).toEqual([]);
    expect(verdict(schema, { a: 'y' }, { a: 'x' }).says).toEqual(['spec.a: broken']);
    expect(verdict(schema, { a: 'y' }, {}).says).toEqual([]);
  });

  test('sees what is kept, though no rule could read it', () => {
    const schema = object({ a: TEXT }, { 'x-kubernetes-preserve-unknown-fields': true, ...frozen });
    expect(verdict(schema, { more: [1] }, { more: [2] }).says).toEqual(['spec: broken']);
  });

  test('finds an item again by the keys of its list', () => {
    const items = object({ name: TEXT, size: { type: 'integer', ...rule('self >= oldSelf') } });
    const keyed = {
      type: 'array',
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    };
    const old = {
      list: [
        { name: 'a', size: 2 },
        { name: 'b', size: 2 },
      ],
    };
    const spec = {
      list: [
        { name: 'b', size: 1 },
        { name: 'a', size: 3 },
        { name: 'c', size: 0 },
      ],
    };
    expect(verdict(object({ list: keyed }), spec, old).says).toEqual(['spec.list.0.size: broken']);
    // By position nobody can tell which is which.
    expect(verdict(object({ list: { type: 'array', items } }), spec, old).says).toEqual([]);
  });

  test('leaves what did not change alone, whatever was stored', () => {
    const schema = object({ a: { ...TEXT, ...rule('self != "bad"') }, b: TEXT });
    expect(verdict(schema, { a: 'bad', b: '2' }, { a: 'bad', b: '1' }).says).toEqual([]);
    expect(verdict(schema, { a: 'bad' }, { a: 'good' }).says).toEqual(['spec.a: broken']);
  });

  test('asks of what is new as well, where it says so', () => {
    const text = 'oldSelf.hasValue() ? oldSelf.value() != self : self == "first"';
    const schema = object({ a: { ...TEXT, ...rule(text, { optionalOldSelf: true }) } });
    expect(verdict(schema, { a: 'first' }).says).toEqual([]);
    expect(verdict(schema, { a: 'x' }).says).toEqual(['spec.a: broken']);
    expect(verdict(schema, { a: 'x' }, { a: 'first' }).says).toEqual([]);
  });
});
