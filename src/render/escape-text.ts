import { isPlainText } from '#core/object/plain-text.ts';

/** Everything that moves the cursor, ends a line, turns the direction of writing or cannot be seen at all. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** What a CI log takes for a command: `::name` where a text or a word begins, `##[name` anywhere. */
const LOG_COMMAND = /(^|\s)::|##\[/g;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOne(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const point = character.codePointAt(0) ?? 0;
  const digits = point.toString(16);
  if (point < 0x100) return `\\x${digits.padStart(2, '0')}`;
  return point < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}

/**
 * Text from an object, a file name or a message, safe to print (design.md 3.14): shown in full, on one line, and
 * unable to speak to the terminal or to a CI log.
 */
export function escapeText(text: string): string {
  const seen = isPlainText(text) ? text : text.replace(UNSEEN, escapeOne);
  return seen.replace(LOG_COMMAND, (match, before = '') => (match === '##[' ? '#\\x23[' : `${before}\\x3a:`));
}
