import type { ResourceType } from '#core/object/resource.ts';
import type { WriteResult } from '#store/port.ts';
import { readObject } from './read-object.ts';

/** What a write was answered with. */
export function writtenObject(body: unknown, type: ResourceType, isStored = true): WriteResult {
  const object = readObject(body, type, isStored);
  return object === undefined
    ? { ok: false, failure: { kind: 'transient', message: 'the server answered with no object' } }
    : { ok: true, object };
}
