import { isObject } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';

/** An object without the conditions of these types. */
export function withoutConditions(object: KubeObject, types: readonly string[] = []): KubeObject {
  const { status } = object;
  const conditions = isObject(status) ? status['conditions'] : undefined;
  if (types.length === 0 || !isObject(status) || !Array.isArray(conditions)) return object;
  const kept = conditions.filter((one) => !isObject(one) || !types.includes(String(one['type'])));
  return { ...object, status: { ...status, conditions: kept } };
}
