import type { FieldPath } from '#core/object/object.ts';

/** A text of valid JSON, and how far it was read. */
interface Cursor {
  readonly text: string;
  at: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

interface Token {
  readonly text: string;
  readonly start: number;
}

function take(cursor: Cursor): Token {
  TOKEN.lastIndex = cursor.at;
  const found = TOKEN.exec(cursor.text);
  const token = { text: found?.[0] ?? '', start: found?.index ?? cursor.text.length };
  cursor.at = token.start + token.text.length;
  return token;
}

function peek(cursor: Cursor): Token {
  return take({ ...cursor });
}

function skipValue(cursor: Cursor): void {
  let depth = 0;
  do {
    const { text } = take(cursor);
    if (text === '{' || text === '[') depth += 1;
    if (text === '}' || text === ']') depth -= 1;
    if (text === '') return;
  } while (depth > 0);
}

/**
 * Enters the collection that comes next and stops before the value of one step.
 * @returns the offset of its key, or of the item; undefined when there is none
 */
function enter(cursor: Cursor, step: string | number): number | undefined {
  const open = take(cursor).text;
  if (open !== '{' && open !== '[') return undefined;
  for (let index = 0; ; index += 1) {
    const { text, start } = peek(cursor);
    if (text === '' || text === '}' || text === ']') return undefined;
    if (open === '{') {
      take(cursor);
      take(cursor);
    }
    const name = open === '{' ? JSON.parse(text) : index;
    if (name === step) return start;
    skipValue(cursor);
    if (peek(cursor).text === ',') take(cursor);
  }
}

/** The offset of the value at a path of valid JSON; where it is absent, of the key of its nearest parent. */
export function jsonOffset(text: string, path: FieldPath): number {
  const cursor: Cursor = { text, at: 0 };
  let parent = peek(cursor).start;
  for (const step of path) {
    const found = enter(cursor, step);
    if (found === undefined) return parent;
    parent = found;
  }
  return peek(cursor).start;
}
