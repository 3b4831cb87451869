import { escapeText } from '#render/escape-text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Characters that XML has no room for, beyond those that `escapeText` spells out. */
const NO_CHARACTER = /[\ufffe\uffff]/g;

/** Text that is already safe to print, for HTML and XML, inside of elements and of quoted attributes. */
export function markup(safe: string): string {
  return safe
    .replace(NO_CHARACTER, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Text from objects, for HTML and XML. */
export function escapeMarkup(text: string): string {
  return markup(escapeText(text));
}
