import { canonicalJson, isObject } from '#core/object/canonical.ts';
import type { Json } from '#core/object/object.ts';
import { escapeJson } from '#render/escape-json.ts';

/** Text that every version of YAML reads as text; anything else is quoted. */
const PLAIN_TEXT = /^[A-Za-z/][\w./()-]*(?: [\w./()-]+)*$/;
/** What YAML 1.1, and kubectl with it, takes for a boolean or for null. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** A key that stands before its colon on one line may have 1024 characters. */
const LONGEST_KEY = 1000;

/** A line that was begun, and how deep its members stand. */
interface Cursor {
  readonly lead: string;
  readonly indent: string;
}

/** JSON strings are double-quoted YAML, except that YAML has no pairs of surrogates. */
function quoted(text: string): string {
  return escapeJson(JSON.stringify(text)).replace(
    /\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/g,
    (_pair, high: string, low: string) => {
      const point =
        String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0;
      return `\\U${point.toString(16).padStart(8, '0')}`;
    },
  );
}

function textOf(text: string): string {
  return PLAIN_TEXT.test(text) && !RESERVED.test(text) ? text : quoted(text);
}

function scalarOf(value: Json): string {
  return typeof value === 'string' ? textOf(value) : JSON.stringify(value);
}

function write(value: Json, { lead, indent }: Cursor, lines: string[]): void {
  if (Array.isArray(value) && value.length > 0) {
    if (lead !== '') lines.push(lead);
    for (const item of value) write(item, { lead: `${indent}-`, indent: `${indent}  ` }, lines);
  } else if (isObject(value) && Object.keys(value).length > 0) {
    writeMembers(Object.entries(value), { lead, indent }, lines);
  } else {
    lines.push(`${lead === '' ? '' : `${lead} `}${scalarOf(value)}`);
  }
}

function writeMembers(
  members: readonly (readonly [string, Json])[],
  { lead, indent }: Cursor,
  lines: string[],
): void {
  // The first member of a list item stands on the line of its dash.
  const isItem = lead.endsWith('-');
  if (lead !== '' && !isItem) lines.push(lead);
  for (const [index, [name, member]] of members.entries()) {
    const start = isItem && index === 0 ? `${lead} ` : indent;
    const key = textOf(name);
    const isLong = key.length > LONGEST_KEY;
    if (isLong) lines.push(`${start}? ${key}`);
    write(member, { lead: isLong ? `${indent}:` : `${start}${key}:`, indent: `${indent}  ` }, lines);
  }
}

/** A document as YAML, with the same members in the same order as the JSON, and as safe to print. */
export function toYaml(document: unknown): string {
  const lines: string[] = [];
  write(JSON.parse(canonicalJson(document)) as Json, { lead: '', indent: '' }, lines);
  return `${lines.join('\n')}\n`;
}
