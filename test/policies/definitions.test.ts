import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { JsonObject } from '#core/object/object.ts';
import { typesOf } from '#core/types-of.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { CRDS, CUSTOM_RESOURCES } from '#test/gen/crd/files.ts';
import { structuralSchema } from '#test/gen/crd/structural.ts';
import { isFresh } from '#test/gen/generated.ts';
import {
  fileNames,
  kustomization,
  objectAt,
  objects,
  policyFiles,
  rootSchema,
  schemasIn,
  texts,
} from './read-policies.ts';

const FILES = policyFiles('crd').map(({ path, documents }) => ({ path, definition: documents[0] ?? {} }));
/** Served by every cluster. */
const BUILT_IN = ['', 'batch'];
const TYPES = ['object', 'array', 'string', 'integer', 'boolean'];
const KEYWORDS = [
  'description',
  'type',
  'format',
  'default',
  'enum',
  'nullable',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'maxProperties',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'anyOf',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

function version(definition: JsonObject): JsonObject {
  return objectAt(definition, 'spec', 'versions', 0);
}

function statusFields(definition: JsonObject): readonly string[] {
  return Object.keys(objectAt(rootSchema(definition), 'properties', 'status', 'properties'));
}

/** The schema behind a path such as `.status.nextSchedule.at`; undefined beyond what is declared. */
function schemaAt(definition: JsonObject, jsonPath: string): JsonObject | undefined {
  const found = [...schemasIn(rootSchema(definition), '')].find(([path]) => path === jsonPath);
  return found?.[1];
}

describe('the definitions in policies/crd', () => {
  test.each(CRDS)('are what the schemas make of them: $path', async (file) => {
    expect(await isFresh(file)).toBe(true);
  });

  test('are one for each kind that is not built in, and no other', () => {
    const wanted = typesOf(KINDS, DRIVERS)
      .filter(({ group }) => !BUILT_IN.includes(group))
      .map(({ group, plural }) => `${group}_${plural}.yaml`);
    const made = fileNames('crd').filter((name) => name !== 'kustomization.yaml');
    expect([...made].sort()).toEqual([...new Set(wanted)].sort());
  });

  test.each(FILES)(
    'have a type, a description and nothing unknown at every level: $path',
    ({ definition }) => {
      for (const [path, schema] of schemasIn(rootSchema(definition), '')) {
        const typed = schema['x-kubernetes-int-or-string'] === true || TYPES.includes(String(schema['type']));
        expect({ path, typed }).toEqual({ path, typed: true });
        expect({ path, unknown: Object.keys(schema).filter((key) => !KEYWORDS.includes(key)) }).toEqual({
          path,
          unknown: [],
        });
        const isEntry = path.endsWith('[]') || path.endsWith('{}');
        if (!isEntry && path !== '.metadata')
          expect({ path, text: schema['description'] }).toEqual({ path, text: expect.stringMatching(/\S/) });
        // A structural schema has one or the other.
        expect('properties' in schema && 'additionalProperties' in schema).toBe(false);
        const properties = 'properties' in schema ? Object.keys(objectAt(schema, 'properties')) : [];
        expect(properties).toEqual(expect.arrayContaining([...texts(schema['required'])]));
      }
    },
  );

  test.each(FILES)('keep every rule affordable: what it looks at has a limit: $path', ({ definition }) => {
    for (const [path, schema] of schemasIn(rootSchema(definition), '')) {
      if (schema['x-kubernetes-validations'] === undefined) continue;
      if (schema['type'] === 'string')
        expect({ path, limit: schema['maxLength'] }).toEqual({ path, limit: expect.any(Number) });
      if (schema['type'] === 'array')
        expect({ path, limit: schema['maxItems'] }).toEqual({ path, limit: expect.any(Number) });
    }
  });

  test.each(FILES)('say whose they are, as all that `policies` brings: $path', ({ definition }) => {
    const [{ pairs } = {}] = objects(kustomization('.')['labels']);
    expect(objectAt(definition, 'metadata')['labels']).toEqual(pairs);
    expect(pairs).toEqual({ 'app.kubernetes.io/part-of': 'minutehand' });
  });

  test.each(FILES)('serve and store one version, with a status of its own: $path', ({ definition }) => {
    expect(objects(objectAt(definition, 'spec')['versions'])).toHaveLength(1);
    expect(version(definition)).toMatchObject({ served: true, storage: true, subresources: { status: {} } });
  });

  test.each(FILES)('show as dates only what is past, each a time: $path', ({ definition }) => {
    const columns = objects(version(definition)['additionalPrinterColumns']);
    expect(columns.at(-1)).toMatchObject({ name: 'Age', jsonPath: '.metadata.creationTimestamp' });
    for (const { name, type, jsonPath } of columns) {
      if (String(jsonPath).includes('next')) expect({ name, type }).toEqual({ name, type: 'string' });
      if (type !== 'date' || name === 'Age') continue;
      expect(schemaAt(definition, String(jsonPath))).toMatchObject({ type: 'string', format: 'date-time' });
    }
  });

  test.each(FILES)('keep conditions apart by their type: $path', ({ definition }) => {
    expect(schemaAt(definition, '.status.conditions')).toMatchObject({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    });
  });

  test.each(KINDS.filter(({ resource }) => !BUILT_IN.includes(resource.group)))(
    'declare every status field that $id writes',
    ({ resource, rules }) => {
      const file = FILES.find(({ path }) => path.endsWith(`_${resource.plural}.yaml`));
      expect(statusFields(file?.definition ?? {})).toEqual(expect.arrayContaining([...rules.statusFields]));
    },
  );

  test('select runs by their phase', () => {
    const runs = KINDS.map(({ run }) => run).filter(({ group }) => !BUILT_IN.includes(group));
    expect(runs).not.toEqual([]);
    for (const run of runs) {
      const resource = CUSTOM_RESOURCES.find((one) => one.resource === run);
      expect(resource?.selectable).toContain('.status.phase');
      const file = FILES.find(({ path }) => path.endsWith(`_${run.plural}.yaml`));
      for (const path of resource?.selectable ?? [])
        expect(schemaAt(file?.definition ?? {}, path)).toMatchObject({ type: 'string' });
    }
  });
});

describe('the schema of a definition', () => {
  const made = (schema: z.ZodMiniType, fields = {}) =>
    structuralSchema({ schema, notes: { description: 'All.', fields }, nullable: true }, 'spec');

  test('has no field without a word about it', () => {
    expect(() => made(z.object({ size: z.string() }))).toThrow('spec.size: has no note');
  });

  test('is refused where the API has no word for it', () => {
    const fields = { size: { description: 'How large.' } };
    expect(() => made(z.object({ size: z.union([z.string(), z.boolean()]) }), fields)).toThrow('spec.size');
    expect(() => made(z.object({ size: z.number() }), fields)).toThrow('spec.size: is of type number');
  });

  test('takes over limits, and those of doubles for none', () => {
    const fields = { size: { description: 'How large.' }, name: { description: 'Whose.', default: 'a' } };
    const schema = z.looseObject({
      size: z.int().check(z.minimum(1)),
      name: z.optional(z.string().check(z.maxLength(9))),
    });
    expect(made(schema, fields)).toEqual({
      description: 'All.',
      type: 'object',
      required: ['size'],
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        size: { description: 'How large.', type: 'integer', minimum: 1 },
        name: { description: 'Whose.', type: 'string', maxLength: 9, default: 'a', nullable: true },
      },
    });
  });
});
