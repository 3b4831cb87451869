import { isObject } from '#core/object/canonical.ts';
import type { JsonObject } from '#core/object/object.ts';
import { objectsOf, type Schema, schemaAt, textOf } from './schema.ts';

/** What a CustomResourceDefinition says of its objects. */
export interface Definition {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** By version. */
  readonly schemas: ReadonlyMap<string, Schema>;
  /** Versions whose status is written by itself: nothing else changes it, nor does creation. */
  readonly statusApart: ReadonlySet<string>;
}

/** The metadata that a rule can read, whatever the schema says of them. */
const METADATA: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
};

function wholeObject(schema: Schema): Schema {
  const text = { type: 'string' };
  const properties = schemaAt(schema, 'properties') ?? {};
  return { ...schema, properties: { ...properties, apiVersion: text, kind: text, metadata: METADATA } };
}

/** @returns undefined for what is no definition that can be used */
export function readDefinition(object: JsonObject): Definition | undefined {
  const spec = schemaAt(object, 'spec') ?? {};
  const names = schemaAt(spec, 'names') ?? {};
  const [group, kind, plural] = [textOf(spec['group']), textOf(names['kind']), textOf(names['plural'])];
  if (group === undefined || kind === undefined || plural === undefined) return undefined;
  const schemas = new Map<string, Schema>();
  const statusApart = new Set<string>();
  for (const version of objectsOf(spec['versions'])) {
    const name = textOf(version['name']);
    const schema = schemaAt(version, 'schema')?.['openAPIV3Schema'];
    if (name === undefined || !isObject(schema)) continue;
    schemas.set(name, wholeObject(schema));
    if (schemaAt(version, 'subresources')?.['status'] !== undefined) statusApart.add(name);
  }
  const namespaced = spec['scope'] !== 'Cluster';
  return { name: `${plural}.${group}`, group, kind, plural, namespaced, schemas, statusApart };
}
