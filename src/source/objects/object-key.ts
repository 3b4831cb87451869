import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject, ObjectKey } from '#core/object/object.ts';
import { groupOf } from '#core/object/resource.ts';

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Which object this is or means to be, as far as a document with faults tells. */
export function statedKey(value: JsonObject): ObjectKey | undefined {
  const kind = textOf(value['kind']);
  const metadata = value['metadata'];
  if (kind === undefined || !isObject(metadata)) return undefined;
  const name = textOf(metadata['name']);
  const namespace = metadata['namespace'] ?? '';
  if (name === undefined || name.includes('{{') || typeof namespace !== 'string') return undefined;
  const group = groupOf(textOf(value['apiVersion']) ?? '');
  return { group, kind, namespace, name };
}
