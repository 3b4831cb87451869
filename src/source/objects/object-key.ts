import type { Json, JsonObject, ObjectKey } from '#core/object/object.ts';
import { isObject } from '#source/text/built.ts';

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** Which object this is or means to be, as far as a document with faults tells. */
export function keyOf(value: JsonObject): ObjectKey | undefined {
  const kind = textOf(value['kind']);
  const metadata = value['metadata'];
  if (kind === undefined || !isObject(metadata)) return undefined;
  const name = textOf(metadata['name']);
  const namespace = metadata['namespace'] ?? '';
  if (name === undefined || name.includes('{{') || typeof namespace !== 'string') return undefined;
  const group = groupOf(textOf(value['apiVersion']) ?? '');
  return { group, kind, namespace, name };
}
