import { EvaluationError } from '@marcbachmann/cel-js';
import type { FunctionSet } from './function-set.ts';
import type { Meter } from './meter.ts';
import { regexSearches } from './regular-expressions.ts';

function codePoints(text: string): number[] {
  return Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
}

function textOf(points: readonly number[]): string {
  let text = '';
  for (const point of points) text += String.fromCodePoint(point);
  return text;
}

function addRegexFunctions({ add }: FunctionSet, meter: Meter): void {
  const searchIn = regexSearches(meter);
  const findAll = (text: string, expression: string, most: bigint): string[] => {
    const search = searchIn(text, expression);
    const found: string[] = [];
    let end = -1;
    while (most < 0n || BigInt(found.length) < most) {
      const match = search();
      if (match === undefined) break;
      // Nothing right behind a match is no match of its own, as Go has it.
      if (match.end > match.start || match.start !== end) found.push(match.text);
      end = match.end;
    }
    return found;
  };
  add(
    'string.matches(string): bool',
    (text: string, expression: string) => searchIn(text, expression)() !== undefined,
  );
  add(
    'string.find(string): string',
    (text: string, expression: string) => searchIn(text, expression)()?.text ?? '',
  );
  add('string.findAll(string): list<string>', (text: string, expression: string) =>
    findAll(text, expression, -1n),
  );
  add('string.findAll(string, int): list<string>', findAll);
}

/** An index of a text, counted in code points. */
function indexIn(points: readonly number[], index: bigint, what: string): number {
  if (index >= 0n && index <= BigInt(points.length)) return Number(index);
  throw new EvaluationError(`${what}: index out of range: ${index}`);
}

function foundAt(points: readonly number[], part: readonly number[], at: number): boolean {
  return part.every((point, index) => points[at + index] === point);
}

function indexOf(text: string, part: string, from: bigint): bigint {
  const [points, wanted] = [codePoints(text), codePoints(part)];
  if (part === '') return from;
  for (let at = indexIn(points, from, 'indexOf'); at + wanted.length <= points.length; at++)
    if (foundAt(points, wanted, at)) return BigInt(at);
  return -1n;
}

function lastIndexOf(text: string, part: string, from: bigint | undefined): bigint {
  const [points, wanted] = [codePoints(text), codePoints(part)];
  if (part === '') return from ?? BigInt(points.length);
  const last = from === undefined ? points.length : indexIn(points, from, 'lastIndexOf');
  for (let at = Math.min(last, points.length - wanted.length); at >= 0; at--)
    if (foundAt(points, wanted, at)) return BigInt(at);
  return -1n;
}

function substring(text: string, start: bigint, end: bigint | undefined): string {
  const points = codePoints(text);
  const from = indexIn(points, start, 'substring');
  const to = end === undefined ? points.length : indexIn(points, end, 'substring');
  if (to < from) throw new EvaluationError('substring: the end lies before the start');
  return textOf(points.slice(from, to));
}

function addIndexFunctions({ add }: FunctionSet, { spend }: Meter): void {
  // Searching looks at no more than this.
  const pay = (text: string, part: string): void => spend(text.length * Math.min(part.length + 1, 64));
  add('string.charAt(int): string', (text: string, index: bigint) => {
    const points = codePoints(text);
    const at = indexIn(points, index, 'charAt');
    return textOf(points.slice(at, at + 1));
  });
  add('string.indexOf(string): int', (text: string, part: string) => {
    pay(text, part);
    return indexOf(text, part, 0n);
  });
  add('string.indexOf(string, int): int', (text: string, part: string, from: bigint) => {
    pay(text, part);
    return indexOf(text, part, from);
  });
  add('string.lastIndexOf(string): int', (text: string, part: string) => {
    pay(text, part);
    return lastIndexOf(text, part, undefined);
  });
  add('string.lastIndexOf(string, int): int', (text: string, part: string, from: bigint) => {
    pay(text, part);
    return lastIndexOf(text, part, from);
  });
  add('string.substring(int): string', (text: string, start: bigint) => substring(text, start, undefined));
  add('string.substring(int, int): string', substring);
}

/** As Go splits: at most so many parts, the last with all that is left; nothing between them parts the letters. */
function split(text: string, separator: string, most: bigint): string[] {
  if (most === 0n) return [];
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (most < 0n || BigInt(parts.length) <= most) return parts;
  const kept = Number(most) - 1;
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)];
}

/** Before each letter and at the end, as often as is asked for. */
function filled(text: string, filling: string, most: bigint, spend: Meter['spend']): string {
  const letters = Array.from(text);
  const times = most < 0n ? letters.length + 1 : Math.min(Number(most), letters.length + 1);
  spend(letters.length + times * filling.length);
  const made = letters.map((letter, index) => (index < times ? filling + letter : letter));
  return `${made.join('')}${times > letters.length ? filling : ''}`;
}

function addPartFunctions({ add }: FunctionSet, { spend }: Meter): void {
  const replace = (text: string, from: string, to: string, most: bigint): string => {
    if (most === 0n) return text;
    if (from === '') return filled(text, to, most, spend);
    const parts = split(text, from, most < 0n ? -1n : most + 1n);
    spend(text.length + parts.length * to.length);
    return parts.join(to);
  };
  add('string.split(string): list<string>', (text: string, separator: string) => {
    spend(text.length);
    return split(text, separator, -1n);
  });
  add('string.split(string, int): list<string>', (text: string, separator: string, most: bigint) => {
    spend(text.length);
    return split(text, separator, most);
  });
  add('string.replace(string, string): string', (text: string, from: string, to: string) =>
    replace(text, from, to, -1n),
  );
  add('string.replace(string, string, int): string', replace);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

export function quoted(text: string): string {
  return `"${Array.from(text, (letter) => ESCAPES[letter] ?? letter).join('')}"`;
}

export function addStringFunctions(set: FunctionSet, meter: Meter): void {
  addRegexFunctions(set, meter);
  addIndexFunctions(set, meter);
  addPartFunctions(set, meter);
  const { add } = set;
  add('string.lowerAscii(): string', (text: string) =>
    text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  );
  add('string.upperAscii(): string', (text: string) =>
    text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
  );
  // What Unicode calls white space; JavaScript adds a mark and lacks a line end.
  add('string.trim(): string', (text: string) =>
    text.replace(/^\p{White_Space}+/u, '').replace(/(?<!\p{White_Space})\p{White_Space}+$/u, ''),
  );
  add('strings_quote(string): string', quoted);
}
