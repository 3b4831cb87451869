import { isObject } from './canonical.ts';
import type { FieldPath, Json } from './object.ts';

/** An item of a list or a member of an object, those that every object inherits aside. */
export function memberAt(value: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function valueAt(root: Json, path: FieldPath): Json | undefined {
  return path.reduce<Json | undefined>(memberAt, root);
}
