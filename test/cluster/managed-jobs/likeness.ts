import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';

const TIMES = /(?:Time|At)$/;

/** Names of pods are made up by either controller, and each twin has a namespace of its own. */
function withoutNames(text: string): string {
  return text.replaceAll(/\bfor pod \S+/g, 'for pod its/own');
}

function plain(value: Json): Json {
  if (typeof value === 'string') return withoutNames(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      TIMES.test(name) ? 'a time' : member === undefined ? null : plain(member),
    ]),
  );
}

function isEmpty(value: Json | undefined): boolean {
  return value === 0 || value === '' || (isObject(value) && Object.keys(value).length === 0);
}

/** A status field by field, but for times; absent and zero are alike. */
export function statusLikeness(status: unknown): JsonObject {
  const all = plain(JSON.parse(JSON.stringify(status ?? {})) as Json);
  if (!isObject(all)) return {};
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !isEmpty(value)));
}
