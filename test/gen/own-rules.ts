import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { definitionOf } from './crd/definition.ts';
import { CUSTOM_RESOURCES } from './crd/files.ts';
import type { Generated } from './generated.ts';

const ADMISSION = resolve(import.meta.dirname, '..', '..', 'policies', 'admission');

/** What people read and no rule asks for. */
const FOR_PEOPLE = ['description', 'pattern', 'minimum', 'maximum', 'minLength'];

function withoutProse(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutProse);
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([key, value]): readonly [string, Json][] => {
    if (FOR_PEOPLE.includes(key)) return [];
    // The names of properties are no keywords.
    if (key !== 'properties' || !isObject(value)) return [[key, withoutProse(value)]];
    const properties = Object.entries(value).map(([name, one]) => [name, withoutProse(one)] as const);
    return [[key, Object.fromEntries(properties)]];
  });
  return Object.fromEntries(entries);
}

/** The part of a definition that its rules need. */
function definitionRules(definition: JsonObject): JsonObject {
  const { apiVersion, kind, spec } = definition;
  if (!isObject(spec) || !Array.isArray(spec['versions'])) throw new Error('no definition');
  const { group, names, scope, versions } = spec;
  const kept = versions.filter(isObject).map(({ name, schema, subresources = {} }) => ({
    name,
    schema: withoutProse(schema ?? {}),
    subresources,
  }));
  const { kind: named, plural } = isObject(names) ? names : {};
  return {
    apiVersion,
    kind,
    spec: { group, names: { kind: named, plural }, scope, versions: kept },
  } as JsonObject;
}

async function manifests(name: string): Promise<readonly JsonObject[]> {
  const text = await readFile(resolve(ADMISSION, name), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as JsonObject);
}

async function policies(): Promise<readonly JsonObject[]> {
  const [kustomization] = await manifests('kustomization.yaml');
  const files = kustomization?.['resources'];
  if (!Array.isArray(files)) throw new Error('no policies');
  return (await Promise.all(files.map((file) => manifests(String(file))))).flat();
}

/** The rules of `policies/` for those who have no cluster: they are a part of the program. */
export const OWN_RULES: Generated = {
  path: 'src/admission/own-rules.json',
  make: async () => {
    const definitions = CUSTOM_RESOURCES.map((resource) => definitionRules(definitionOf(resource)));
    return `${JSON.stringify([...definitions, ...(await policies())])}\n`;
  },
};
