import { canonicalJson, isObject } from '#core/object/canonical.ts';
import type { Json } from '#core/object/object.ts';
import { parseJson } from '#core/object/parse-json.ts';

/** The layout of design.md 5. A folder of a newer format is never touched. */
export const FORMAT_VERSION = 1;
export const META = 'meta.json';

export type Meta =
  | { readonly state: 'ready'; readonly resourceVersion: number }
  | { readonly state: 'newer'; readonly formatVersion: number }
  | { readonly state: 'damaged'; readonly reason: string };

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Reads the text of `meta.json`. */
export function parseMeta(text: string): Meta {
  const value = parseJson(text);
  if (!isObject(value)) return { state: 'damaged', reason: 'it is not a JSON object' };
  const { formatVersion, resourceVersion } = value;
  if (!isCount(formatVersion) || formatVersion < FORMAT_VERSION)
    return { state: 'damaged', reason: 'it has no formatVersion that ever was' };
  if (formatVersion > FORMAT_VERSION) return { state: 'newer', formatVersion };
  const count =
    typeof resourceVersion === 'string' && /^\d{1,15}$/.test(resourceVersion)
      ? Number(resourceVersion)
      : undefined;
  if (count === undefined)
    return { state: 'damaged', reason: 'its resourceVersion is not a number in quotes' };
  return { state: 'ready', resourceVersion: count };
}

/** @param resourceVersion no object has a higher one, and none ever had */
export function metaText(resourceVersion: number): string {
  return `${canonicalJson({ formatVersion: FORMAT_VERSION, resourceVersion: String(resourceVersion) }, 2)}\n`;
}

/** A resource version as a number; 0 for one that did not come from this store. */
export function versionNumber(resourceVersion: string | undefined): number {
  return resourceVersion !== undefined && /^\d{1,15}$/.test(resourceVersion) ? Number(resourceVersion) : 0;
}
