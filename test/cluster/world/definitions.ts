import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Endpoint } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';
import { until } from '#test/cluster/support/until.ts';
import { must } from './api.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Our own, for clusters that lack the operators' ones. */
export const OUR_DEFINITIONS = join(ROOT, 'policies', 'crd');
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly [field: string]: unknown;
}

export interface Definition {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: Schema };
    }[];
  };
}

export async function readDefinitions(folder: string): Promise<readonly Definition[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  const documents = texts.flatMap((text) => parseAllDocuments(text));
  return documents
    .map((document) => document.toJS() as Definition)
    .filter(({ kind }) => kind === 'CustomResourceDefinition');
}

/** Creates them and waits until each of them is served. */
export async function install(server: Endpoint, definitions: readonly Definition[]): Promise<void> {
  for (const definition of definitions) await must(server, 'POST', DEFINITIONS, definition);
  for (const { spec } of definitions) {
    for (const { name } of spec.versions) {
      const path = `/apis/${spec.group}/${name}/${spec.names.plural}`;
      await until(`${path} is served`, async () => {
        const { status } = await request(server, 'GET', path);
        return status === 200 ? true : undefined;
      });
    }
  }
}

function without(schema: Schema, path: readonly string[]): Schema {
  const { items, properties = {} } = schema;
  if (items !== undefined) return { ...schema, items: without(items, path) };
  const [head = '', ...rest] = path;
  const { [head]: child, ...others } = properties;
  if (child === undefined) throw new Error(`the definition has no ${path.join('.')}`);
  return {
    ...schema,
    properties: rest.length === 0 ? others : { ...properties, [head]: without(child, rest) },
  };
}

/** Without these fields of the status. */
export function withoutStatusFields(definition: Definition, paths: readonly string[]): Definition {
  const versions = definition.spec.versions.map((version) => {
    const { openAPIV3Schema } = version.schema;
    const left = paths.reduce(
      (schema, path) => without(schema, ['status', ...path.split('.')]),
      openAPIV3Schema,
    );
    return { ...version, schema: { openAPIV3Schema: left } };
  });
  return { ...definition, spec: { ...definition.spec, versions } };
}

/** With conditions as a plain list, which has one owner, instead of one whose entries have each their own. */
export function withPlainConditions(definition: Definition): Definition {
  const versions = definition.spec.versions.map((version) => {
    const { openAPIV3Schema: schema } = version.schema;
    const status = schema.properties?.['status'];
    const conditions = status?.properties?.['conditions'];
    if (conditions === undefined) throw new Error('the definition has no status.conditions');
    const { 'x-kubernetes-list-type': _type, 'x-kubernetes-list-map-keys': _keys, ...plain } = conditions;
    const left = { ...status, properties: { ...status?.properties, conditions: plain } };
    return {
      ...version,
      schema: { openAPIV3Schema: { ...schema, properties: { ...schema.properties, status: left } } },
    };
  });
  return { ...definition, spec: { ...definition.spec, versions } };
}
