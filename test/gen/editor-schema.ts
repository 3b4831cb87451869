import * as z from 'zod/mini';
import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { CronJobSpec } from '#kinds/cron-job/schema.ts';
import { objectSchema } from './crd/definition.ts';
import { CUSTOM_RESOURCES } from './crd/files.ts';
import type { Generated } from './generated.ts';

const DRAFT = 'http://json-schema.org/draft-07/schema#';
/** Formats of the API's numbers, which say no more than their limits. */
const NUMBER_FORMATS: readonly Json[] = ['int32', 'int64'];

/** A name or a label: what is set by the API server is taken, too, as examples and `kubectl get -o yaml` have it. */
const METADATA: JsonObject = {
  description: 'Name, namespace, labels and annotations of the object.',
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 253 },
    namespace: { type: 'string', minLength: 1, maxLength: 63 },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    annotations: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

function isOpen(schema: JsonObject): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || !isObject(schema.properties);
}

function typeOf({ type, nullable }: JsonObject): JsonObject {
  if (type === undefined) return {};
  return { type: nullable === true ? [type, 'null'] : type };
}

function each(record: Json | undefined): JsonObject | undefined {
  if (!isObject(record)) return undefined;
  return Object.fromEntries(Object.entries(record).map(([name, one]) => [name, editorSchema(one)]));
}

/** The schema of a definition as plain JSON Schema: a server drops fields that it does not know, an editor marks them. */
function editorSchema(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !keyword.startsWith('x-kubernetes-') &&
      !['type', 'nullable', 'properties', 'items'].includes(keyword) &&
      !(keyword === 'format' && NUMBER_FORMATS.includes(value)) &&
      // A null is no member of a list of words.
      !(keyword === 'enum' && schema['nullable'] === true),
  );
  const words = schema['enum'];
  const nullableWords = schema['nullable'] === true && Array.isArray(words) ? { enum: [...words, null] } : {};
  const properties = each(schema.properties);
  return {
    ...typeOf(schema),
    ...Object.fromEntries(kept),
    ...nullableWords,
    ...(properties === undefined ? {} : { properties }),
    ...(schema['items'] === undefined ? {} : { items: editorSchema(schema['items']) }),
    ...(schema['type'] === 'object' && !isOpen(schema) && schema['additionalProperties'] === undefined
      ? { additionalProperties: false }
      : {}),
  };
}

/** An object of one type, and of no other. */
function ofType(resource: ResourceType, body: JsonObject): JsonObject {
  const { properties, required } = body;
  return {
    $schema: DRAFT,
    title: resource.kind,
    ...body,
    required: ['apiVersion', 'kind', 'metadata', ...(Array.isArray(required) ? required : [])],
    properties: {
      ...(isObject(properties) ? properties : {}),
      apiVersion: { const: apiVersionOf(resource) },
      kind: { const: resource.kind },
      metadata: METADATA,
    },
  };
}

/** What a schedule is made of; the rest of its fields has a schema of Kubernetes' own. */
function cronJob(): JsonObject {
  const json = JSON.parse(JSON.stringify(z.toJSONSchema(CronJobSpec, { target: 'draft-7', io: 'input' })));
  const { type, properties, required } = json;
  return {
    description: 'Creates a Job for each slot of a cron schedule.',
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type,
        required: [...required, 'jobTemplate'],
        properties: { ...properties, jobTemplate: { type: 'object', required: ['spec'] } },
        additionalProperties: false,
      },
      status: { type: 'object' },
    },
    additionalProperties: false,
  };
}

interface Described {
  readonly resource: ResourceType;
  readonly body: () => JsonObject;
}

const DESCRIBED: readonly Described[] = [
  ...CUSTOM_RESOURCES.map((one) => ({
    resource: one.resource,
    body: () => editorSchema(objectSchema(one)) as JsonObject,
  })),
  { resource: CRON_JOB, body: cronJob },
];

/** In the layout that tools look schemas of custom resources up by: group, kind and version. */
function pathOf({ group, kind, version }: ResourceType): string {
  return `${group}/${kind.toLowerCase()}_${version}.json`;
}

function everyType(): JsonObject {
  const cases = DESCRIBED.map(({ resource }) => ({
    if: {
      required: ['apiVersion', 'kind'],
      properties: { apiVersion: { const: apiVersionOf(resource) }, kind: { const: resource.kind } },
    },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
    then: { $ref: pathOf(resource) },
  }));
  return {
    $schema: DRAFT,
    title: 'Schedules, and what they point to',
    description:
      'Objects of the types that are described here; every other object, such as a Job, is taken as it is.',
    type: 'object',
    allOf: cases,
  };
}

function file(path: string, make: () => JsonObject): Generated {
  return { path: `examples/schemas/${path}`, make: async () => `${JSON.stringify(make(), undefined, 2)}\n` };
}

/** What editors check manifests by: one file for each type, and one that finds it. */
export const EDITOR_SCHEMAS: readonly Generated[] = [
  file('all.json', everyType),
  ...DESCRIBED.map(({ resource, body }) => file(pathOf(resource), () => ofType(resource, body()))),
];
