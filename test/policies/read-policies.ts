import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';

const POLICIES = resolve(import.meta.dirname, '..', '..', 'policies');
export const FOLDERS = ['crd', 'admission', 'rbac'] as const;

export interface PolicyFile {
  /** Below `policies/`. */
  readonly path: string;
  readonly text: string;
  readonly documents: readonly JsonObject[];
}

function readFile(path: string): PolicyFile {
  const text = readFileSync(join(POLICIES, path), 'utf8');
  const documents = parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]?.message}`);
    return document.toJS() as JsonObject;
  });
  return { path, text, documents };
}

export function fileNames(folder: string): readonly string[] {
  return readdirSync(join(POLICIES, folder)).filter((name) => name.endsWith('.yaml'));
}

/** What is applied: every manifest but the kustomizations. */
export function policyFiles(folder: (typeof FOLDERS)[number]): readonly PolicyFile[] {
  const names = fileNames(folder).filter((name) => name !== 'kustomization.yaml');
  return names.map((name) => readFile(`${folder}/${name}`));
}

export function kustomization(folder: string): JsonObject {
  return readFile(join(folder, 'kustomization.yaml')).documents[0] ?? {};
}

export function objectAt(value: Json | undefined, ...path: readonly (string | number)[]): JsonObject {
  const found = path.reduce<Json | undefined>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)];
    return isObject(at) ? at[String(key)] : undefined;
  }, value);
  if (!isObject(found)) throw new Error(`no object at ${path.join('.')}`);
  return found;
}

export function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** One schema with its place, then those inside it. */
export function* schemasIn(schema: JsonObject, path: string): Generator<readonly [string, JsonObject]> {
  yield [path, schema];
  const { properties, items, additionalProperties } = schema;
  if (isObject(properties)) {
    for (const [name, property] of Object.entries(properties))
      if (isObject(property)) yield* schemasIn(property, `${path}.${name}`);
  }
  if (isObject(items)) yield* schemasIn(items, `${path}[]`);
  if (isObject(additionalProperties)) yield* schemasIn(additionalProperties, `${path}{}`);
}

/** The schema of the one version that a definition has. */
export function rootSchema(definition: JsonObject): JsonObject {
  return objectAt(definition, 'spec', 'versions', 0, 'schema', 'openAPIV3Schema');
}

export interface SaidRule {
  readonly file: string;
  /** The field, for rules of definitions; `[]` stands for any entry of a list. */
  readonly field: string | undefined;
  readonly message: string;
}

function messageOf(rule: JsonObject): string {
  const { message } = rule;
  if (typeof message !== 'string') throw new Error(`a rule without a message: ${JSON.stringify(rule)}`);
  return message;
}

/** Every rule in CEL with what it says. */
export function rulesOf({ path: file, documents }: PolicyFile): readonly SaidRule[] {
  return documents.flatMap((document): SaidRule[] => {
    switch (document['kind']) {
      case 'CustomResourceDefinition':
        return [...schemasIn(rootSchema(document), '')].flatMap(([path, schema]) =>
          objects(schema['x-kubernetes-validations']).map((rule) => ({
            file,
            field: `${path.slice(1)}${rule['fieldPath'] ?? ''}`,
            message: messageOf(rule),
          })),
        );
      case 'ValidatingAdmissionPolicy':
        return objects(objectAt(document, 'spec')['validations']).map((rule) => ({
          file,
          field: undefined,
          message: messageOf(rule),
        }));
      default:
        return [];
    }
  });
}
