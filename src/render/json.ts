import { canonicalJson } from '#core/object/canonical.ts';
import { escapeJson } from '#render/escape-json.ts';

/** A document as JSON: sorted keys, two blanks, a final line break; the same value gives the same bytes. */
export function toJson(document: unknown): string {
  return `${escapeJson(canonicalJson(document, 2))}\n`;
}
