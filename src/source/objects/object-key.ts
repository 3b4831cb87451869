import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject, ObjectKey } from '#core/object/object.ts';
import { placeholderIn } from '#core/object/placeholder.ts';
import { groupOf } from '#core/object/resource.ts';
import { CIPHERTEXT } from './encrypted.ts';

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A name that can be told: nothing is in its place that another tool replaces, and it is not encrypted. */
export function isTold(name: string): boolean {
  return placeholderIn(name) === undefined && !name.startsWith(CIPHERTEXT);
}

/** Which object this is or means to be, as far as a document with faults tells. */
export function statedKey(value: JsonObject): ObjectKey | undefined {
  const kind = textOf(value['kind']);
  const metadata = value['metadata'];
  if (kind === undefined || !isObject(metadata)) return undefined;
  const name = textOf(metadata['name']);
  const namespace = metadata['namespace'] ?? '';
  if (name === undefined || !isTold(name) || !isTold(kind) || typeof namespace !== 'string') return undefined;
  const apiVersion = textOf(value['apiVersion']) ?? '';
  if (!isTold(apiVersion) || !isTold(namespace)) return undefined;
  return { group: groupOf(apiVersion), kind, namespace, name };
}
