import { RegexSyntaxError } from './syntax-error.ts';

/** RE2's own meaning of these: ASCII alone, whatever JavaScript takes for a blank. */
const PERL: Readonly<Record<string, string>> = { d: '0-9', s: '\\t\\n\\f\\r\\x20', w: '0-9A-Za-z_' };

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t\\x20',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '\\x21-\\x7E',
  lower: 'a-z',
  print: '\\x20-\\x7E',
  punct: '\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E',
  space: '\\t\\n\\v\\f\\r\\x20',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

const CONTROL: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

/** Whether a code point belongs to a class. */
export type CharacterClass = (codePoint: number) => boolean;

/** One code point as JavaScript spells it inside a class, whatever it means there. */
export function escaped(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`;
}

/**
 * A class from the inside of a bracket as JavaScript's `v` flag reads it. Each code point is looked up once; a class
 * is asked for one code point at a time, so that its expression never searches.
 */
export function characterClass(inside: string, ignoreCase: boolean): CharacterClass {
  let expression: RegExp;
  try {
    expression = new RegExp(`^[${inside}]$`, ignoreCase ? 'vi' : 'v');
  } catch {
    throw new RegexSyntaxError('a character class that is none');
  }
  const known = new Map<number, boolean>();
  return (codePoint) => {
    const before = known.get(codePoint);
    if (before !== undefined) return before;
    const is = expression.test(String.fromCodePoint(codePoint));
    known.set(codePoint, is);
    return is;
  };
}

/** What a backslash begins; `inside` is that of a class, and one code point where it stands for one. */
export interface Escape {
  readonly inside: string;
  readonly codePoint?: number;
  readonly length: number;
}

function single(codePoint: number, length: number): Escape {
  if (codePoint > 0x10ffff) throw new RegexSyntaxError('an escape beyond Unicode');
  return { inside: escaped(codePoint), codePoint, length };
}

/** `\pN`, `\p{Greek}`, `\p{^Greek}`, `\PN`. */
function property(text: string): Escape {
  const match = /^\\([pP])(?:([A-Z])|\{(\^?)([A-Za-z_]+)\})/.exec(text);
  if (match === null) throw new RegexSyntaxError('a Unicode class that is none');
  const [all, letter, short, not, long = ''] = match;
  const negated = (letter === 'P') !== (not === '^');
  const name = short ?? long;
  const value = name === 'Any' || name.length <= 2 ? name : `Script=${name}`;
  return { inside: `\\${negated ? 'P' : 'p'}{${value}}`, length: all.length };
}

function numeric(text: string): Escape | undefined {
  const hex = /^\\x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,8})\})/.exec(text);
  if (hex !== null) return single(Number.parseInt(hex[1] ?? hex[2] ?? '', 16), hex[0].length);
  // A single digit but 0 is a back reference, which RE2 has not.
  const octal = /^\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(text);
  return octal === null ? undefined : single(Number.parseInt(octal[1] ?? '', 8), octal[0].length);
}

/** @param text from the backslash on */
export function readEscape(text: string): Escape {
  const letter = text[1] ?? '';
  const perl = PERL[letter.toLowerCase()];
  if (perl !== undefined)
    return { inside: letter === letter.toLowerCase() ? `[${perl}]` : `[^${perl}]`, length: 2 };
  if (letter === 'p' || letter === 'P') return property(text);
  const control = CONTROL[letter];
  if (control !== undefined) return single(control, 2);
  const number = numeric(text);
  if (number !== undefined) return number;
  if (/^[!-/:-@[-`{-~]$/.test(letter)) return single(letter.charCodeAt(0), 2);
  throw new RegexSyntaxError(`an escape that is none: \\${letter}`);
}

function posix(text: string): Escape | undefined {
  const match = /^\[:(\^?)([a-z]+):\]/.exec(text);
  if (match === null) return undefined;
  const inside = POSIX[match[2] ?? ''];
  if (inside === undefined) throw new RegexSyntaxError(`a class that is none: ${match[0]}`);
  return { inside: `[${match[1]}${inside}]`, length: match[0].length };
}

function readMember(text: string): Escape {
  const named = posix(text);
  if (named !== undefined) return named;
  if (text[0] === '\\') return readEscape(text);
  const codePoint = text.codePointAt(0);
  if (codePoint === undefined) throw new RegexSyntaxError('a class without an end');
  return { inside: escaped(codePoint), codePoint, length: codePoint > 0xffff ? 2 : 1 };
}

/** @param text from the opening bracket on */
export function readClass(text: string, ignoreCase: boolean): { is: CharacterClass; length: number } {
  const negated = text[1] === '^';
  let at = negated ? 2 : 1;
  const members: string[] = [];
  while (members.length === 0 || text[at] !== ']') {
    const from = readMember(text.slice(at));
    at += from.length;
    if (from.codePoint === undefined || text[at] !== '-' || text[at + 1] === ']') {
      members.push(from.inside);
      continue;
    }
    const to = readMember(text.slice(at + 1));
    if (to.codePoint === undefined || to.codePoint < from.codePoint)
      throw new RegexSyntaxError('a range that is none');
    members.push(`${from.inside}-${to.inside}`);
    at += 1 + to.length;
  }
  return { is: characterClass(`${negated ? '^' : ''}${members.join('')}`, ignoreCase), length: at + 1 };
}
