import type { JsonObject } from '#core/object/object.ts';

/** The status of a pass in which pods could not be created, such as at the end of a quota: they are not active. */
export function withoutCreated(status: JsonObject, missing: number): JsonObject {
  const { active, ...others } = status;
  const left = (typeof active === 'number' ? active : 0) - missing;
  return left > 0 ? { ...others, active: left } : others;
}
