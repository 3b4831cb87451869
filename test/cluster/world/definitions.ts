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

function without({ properties = {}, ...schema }: Schema, path: readonly string[]): Schema {
  const [head = '', ...rest] = path;
  const { [head]: child, ...others } = properties;
  if (child === undefined) throw new Error(`the definition has no ${path.join('.')}`);
  return {
    ...schema,
    properties: rest.length === 0 ? others : { ...properties, [head]: without(child, rest) },
  };
}

/** As an older release would have it: without this field of the status. */
export function withoutStatusField(definition: Definition, field: string): Definition {
  const versions = definition.spec.versions.map((version) => ({
    ...version,
    schema: { openAPIV3Schema: without(version.schema.openAPIV3Schema, ['status', field]) },
  }));
  return { ...definition, spec: { ...definition.spec, versions } };
}
