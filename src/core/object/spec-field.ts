import { isObject, sameValue } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';

/** What becomes of an object when one field of its spec is set. */
export type SpecFieldResult =
  | { readonly state: 'set'; readonly object: KubeObject }
  | { readonly state: 'unchanged' }
  /** What would hold the field is not there, or is no object: it is never made up. */
  | { readonly state: 'noHolder'; readonly holder: string };

function placed(holder: JsonObject, [name = '', ...rest]: readonly string[], value: Json): JsonObject {
  if (rest.length === 0) return { ...holder, [name]: value };
  const inner = holder[name];
  return { ...holder, [name]: placed(isObject(inner) ? inner : {}, rest, value) };
}

/**
 * Sets one field below the spec, as the API does it: another spec is another generation.
 * @param path below `spec`, such as `['schedule', 'suspend']`
 */
export function withSpecField(object: KubeObject, path: readonly string[], value: Json): SpecFieldResult {
  let holder: Json | undefined = object.spec;
  const passed = ['spec'];
  for (const name of path.slice(0, -1)) {
    if (!isObject(holder) || !Object.hasOwn(holder, name)) break;
    holder = holder[name];
    passed.push(name);
  }
  if (!isObject(holder) || passed.length < path.length)
    return { state: 'noHolder', holder: `.${['spec', ...path.slice(0, -1)].join('.')}` };
  const last = path.at(-1) ?? '';
  if (Object.hasOwn(holder, last) && sameValue(holder[last], value)) return { state: 'unchanged' };
  const spec = placed(isObject(object.spec) ? object.spec : {}, path, value);
  const generation = (object.metadata.generation ?? 0) + 1;
  return { state: 'set', object: { ...object, spec, metadata: { ...object.metadata, generation } } };
}
