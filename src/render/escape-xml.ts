import { escapeText } from '#render/escape-text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * One line as text or attribute of XML 1.0, which has no way to write most control characters and neither of the
 * last two of the first plane.
 */
export function escapeXml(text: string): string {
  return escapeText(text)
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
