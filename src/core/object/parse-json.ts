import type { Json } from '#core/object/object.ts';

/** Undefined for what is no JSON: text from objects and files may be anything. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
