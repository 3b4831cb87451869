import type { FieldPath, Json } from '#core/object/object.ts';

/** Enough to recognise a value by; whole documents have no place in a message. */
const SHOWN_LENGTH = 80;
const SEARCHED_LENGTH = 4096;

const SECRET_KEY = /pass(?:word|wd|phrase)?$|secret|token|credential|api[-_.]?key|private[-_.]?key|auth/i;
const SECRET_TEXT =
  /-----BEGIN|^eyJ[\w-]{8}|AKIA[0-9A-Z]{12}|gh[pousr]_\w{20}|xox[abprs]-|:\/\/[^/\s:@]*:[^/\s@]+@|(?:password|passwd|token|secret|api[-_]?key)\s?[=:]/i;

/** Fields whose content is the user's own, where credentials are often written out. */
const PRIVATE_FIELDS: ReadonlySet<string> = new Set(['value', 'args', 'command', 'data', 'stringData']);

const HIDDEN = '(hidden)';

function isPrivate(path: FieldPath): boolean {
  for (const key of path) {
    if (typeof key === 'string' && (PRIVATE_FIELDS.has(key) || SECRET_KEY.test(key))) return true;
  }
  return false;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

function cut(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH - 1)}…` : text;
}

/** Lone surrogates are control characters too. */
function visible(text: string): string {
  return text.replace(/(?! )[\p{C}\p{Z}]/gu, escaped);
}

/** A text for the middle of a message: a long one is cut, and no control character reaches a terminal. */
export function plain(text: string): string {
  return visible(cut(text));
}

/** As `plain`, in quotes and with the escapes of Go's %q. */
export function quoted(text: string): string {
  return `"${visible(cut(text).replace(/["\\]/g, '\\$&'))}"`;
}

/**
 * A value for a message: scalars as the API writes them, of objects and lists only the kind of bracket.
 * @param path where the value stands; it may tell that the value is a secret
 */
export function shownValue(value: Json, path: FieldPath): string {
  if (isPrivate(path)) return HIDDEN;
  if (typeof value === 'string') {
    return SECRET_TEXT.test(value.slice(0, SEARCHED_LENGTH)) ? HIDDEN : quoted(value);
  }
  if (value === null || typeof value !== 'object') return String(value);
  if (!Array.isArray(value)) return '{…}';
  return value.every((item) => typeof item === 'number') ? shownNumbers(value) : '[…]';
}

function shownNumbers(values: readonly Json[]): string {
  const shown = values.slice(0, 10).join(',');
  return values.length > 10 ? `[${shown},…]` : `[${shown}]`;
}

/** With its article: `a string`, `an object`. */
export function typeName(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
