import { type CharacterClass, characterClass, escaped, readClass, readEscape } from './class.ts';
import { RegexSyntaxError } from './syntax-error.ts';

export type Assertion = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'wordBoundary' | 'noWordBoundary';

export type RegexNode =
  | { readonly is: 'class'; readonly has: CharacterClass }
  | { readonly is: 'assertion'; readonly assertion: Assertion }
  | { readonly is: 'sequence'; readonly nodes: readonly RegexNode[] }
  | { readonly is: 'choice'; readonly nodes: readonly RegexNode[] }
  | {
      readonly is: 'repeat';
      readonly node: RegexNode;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
    };

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
}

const NO_FLAGS: Flags = { i: false, m: false, s: false, U: false };
const MAX_LENGTH = 4096;
const MAX_DEPTH = 100;
const MAX_REPEAT = 1000;

/** Reads the syntax of RE2, which Kubernetes takes: no look-around, no back references. */
class Reader {
  readonly text: string;
  at = 0;
  depth = 0;
  flags = NO_FLAGS;

  constructor(text: string) {
    this.text = text;
  }

  get rest(): string {
    return this.text.slice(this.at);
  }

  take(expression: RegExp): RegExpExecArray | undefined {
    const match = expression.exec(this.rest);
    if (match === null) return undefined;
    this.at += match[0].length;
    return match;
  }

  choice(): RegexNode {
    if (++this.depth > MAX_DEPTH) throw new RegexSyntaxError('groups too deep');
    const nodes = [this.sequence()];
    while (this.take(/^\|/) !== undefined) nodes.push(this.sequence());
    this.depth--;
    return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { is: 'choice', nodes };
  }

  sequence(): RegexNode {
    const nodes: RegexNode[] = [];
    while (this.at < this.text.length && !/^[|)]/.test(this.rest)) nodes.push(...this.repeated());
    return { is: 'sequence', nodes };
  }

  repeated(): readonly RegexNode[] {
    const literal = this.take(/^\\Q([\s\S]*?)(?:\\E|$)/);
    const letters = [...(literal?.[1] ?? '')].map((text) => this.character(text));
    const node = literal === undefined ? this.atom() : letters.pop();
    if (node === undefined) return letters;
    const bounds = this.bounds();
    if (bounds === undefined) return [...letters, node];
    const lazy = this.take(/^\?/) !== undefined;
    if (this.bounds() !== undefined) throw new RegexSyntaxError('a repetition of a repetition');
    return [...letters, { is: 'repeat', node, ...bounds, greedy: lazy === this.flags.U }];
  }

  bounds(): { readonly min: number; readonly max: number } | undefined {
    const match = this.take(/^(?:[*+?]|\{(\d{1,5})(,?)(\d{0,5})\})/);
    if (match === undefined) return undefined;
    const [sign, least, comma, most] = match;
    if (sign === '*') return { min: 0, max: Number.POSITIVE_INFINITY };
    if (sign === '+') return { min: 1, max: Number.POSITIVE_INFINITY };
    if (sign === '?') return { min: 0, max: 1 };
    const min = Number(least);
    const otherwise = comma === ',' ? Number.POSITIVE_INFINITY : min;
    const max = most === '' ? otherwise : Number(most);
    if (min > MAX_REPEAT || max < min || (Number.isFinite(max) && max > MAX_REPEAT))
      throw new RegexSyntaxError('a repetition that is out of bounds');
    return { min, max };
  }

  character(text: string): RegexNode {
    return { is: 'class', has: characterClass(escaped(text.codePointAt(0) ?? 0), this.flags.i) };
  }

  /** @returns undefined where only flags are set */
  atom(): RegexNode | undefined {
    const letter = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    switch (letter) {
      case '(':
        return this.group();
      case '[': {
        const { is, length } = readClass(this.rest, this.flags.i);
        this.at += length;
        return { is: 'class', has: is };
      }
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
        throw new RegexSyntaxError('a repetition of nothing');
      default:
        this.at += letter.length;
        return this.sign(letter);
    }
  }

  sign(letter: string): RegexNode {
    const { m, s } = this.flags;
    if (letter === '^') return { is: 'assertion', assertion: m ? 'lineStart' : 'textStart' };
    if (letter === '$') return { is: 'assertion', assertion: m ? 'lineEnd' : 'textEnd' };
    if (letter === '.') return { is: 'class', has: s ? () => true : (codePoint) => codePoint !== 10 };
    return this.character(letter);
  }

  escape(): RegexNode {
    const assertion = this.take(/^\\([AzbB])/)?.[1];
    if (assertion === 'A') return { is: 'assertion', assertion: 'textStart' };
    if (assertion === 'z') return { is: 'assertion', assertion: 'textEnd' };
    if (assertion === 'b') return { is: 'assertion', assertion: 'wordBoundary' };
    if (assertion === 'B') return { is: 'assertion', assertion: 'noWordBoundary' };
    const { inside, length } = readEscape(this.rest);
    this.at += length;
    return { is: 'class', has: characterClass(inside, this.flags.i) };
  }

  setFlags(on: string, off: string): void {
    const set = (flag: keyof Flags): boolean =>
      on.includes(flag) || (this.flags[flag] && !off.includes(flag));
    this.flags = { i: set('i'), m: set('m'), s: set('s'), U: set('U') };
  }

  group(): RegexNode | undefined {
    const { flags } = this;
    const inline = this.take(/^\(\?([imsU]*)(?:-([imsU]+))?([:)])/);
    if (inline !== undefined) this.setFlags(inline[1] ?? '', inline[2] ?? '');
    // Flags alone hold to the end of the group that they stand in.
    if (inline?.[3] === ')') return undefined;
    if (inline === undefined && this.take(/^\((?:\?P?<[A-Za-z0-9_]+>)?(?!\?)/) === undefined)
      throw new RegexSyntaxError('a group that RE2 has not');
    const node = this.choice();
    if (this.take(/^\)/) === undefined) throw new RegexSyntaxError('a group without an end');
    this.flags = flags;
    return node;
  }
}

/** @throws RegexSyntaxError for what RE2 would not take */
export function parseRegex(text: string): RegexNode {
  if (text.length > MAX_LENGTH) throw new RegexSyntaxError(`more than ${MAX_LENGTH} characters`);
  const reader = new Reader(text);
  const node = reader.choice();
  if (reader.at < text.length) throw new RegexSyntaxError('a closing bracket without its opening one');
  return node;
}
