import { isObject } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import type { Json, KubeObject } from '#core/object/object.ts';

function typeOf(condition: Json): string {
  return isObject(condition) ? String(condition['type']) : '';
}

/** An object with its conditions by type, in which no order means anything, and without those of some types. */
export function sortedConditions(object: KubeObject, leftOut: readonly string[] = []): KubeObject {
  const { status } = object;
  const conditions = isObject(status) ? status['conditions'] : undefined;
  if (!isObject(status) || !Array.isArray(conditions)) return object;
  const kept = conditions
    .filter((one: Json) => !leftOut.includes(typeOf(one)))
    .sort((a: Json, b: Json) => compareText(typeOf(a), typeOf(b)));
  return { ...object, status: { ...status, conditions: kept } };
}
