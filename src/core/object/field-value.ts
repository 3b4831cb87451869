import { isObject } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';

/** A text in an object, such as its phase, by which a server may be able to tell objects apart. */
export interface FieldValue {
  readonly path: readonly [string, ...string[]];
  readonly value: string;
}

/** Whether the object has just that text there. */
export function hasFieldValue(object: KubeObject, { path, value }: FieldValue): boolean {
  let at: unknown = object;
  for (const step of path) at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  return at === value;
}
