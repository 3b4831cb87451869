import { isObject } from '#core/object/canonical.ts';
import type { Json } from '#core/object/object.ts';

function holdsNull(value: Json): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(holdsNull);
  return isObject(value) && Object.values(value).some(holdsNull);
}

function dropped(value: Json): Json {
  if (Array.isArray(value)) return value.map(dropped);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, dropped(member)]));
}

/** The API prunes a null member before it looks at the object: null counts as absent. */
export function withoutNulls(value: Json): Json {
  return holdsNull(value) ? dropped(value) : value;
}
