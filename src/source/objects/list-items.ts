import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import { textOf } from './object-key.ts';

/** The items of a list object, typed by the list where they do not say themselves what they are. */
export function listItems(value: JsonObject): readonly Json[] | undefined {
  const kind = textOf(value['kind']);
  if (kind === undefined || !kind.endsWith('List')) return undefined;
  const items = value['items'];
  if (kind === 'List' && value['apiVersion'] === 'v1')
    return Array.isArray(items) ? items : emptyUnlessWrong(items);
  if (!Array.isArray(items)) return undefined;
  const type = { apiVersion: value['apiVersion'] ?? null, kind: kind.slice(0, -'List'.length) };
  return items.map((item: Json) => typed(item, type));
}

function emptyUnlessWrong(items: Json | undefined): readonly Json[] | undefined {
  return items === undefined || items === null ? [] : undefined;
}

/** The API server leaves both fields out of the items of a typed list (apimachinery, UnstructuredList). */
function typed(item: Json, type: JsonObject): Json {
  if (!isObject(item) || Object.hasOwn(item, 'kind') || Object.hasOwn(item, 'apiVersion')) return item;
  return { ...type, ...item };
}
