import type { CharacterClass } from './class.ts';
import { type Assertion, parseRegex, type RegexNode } from './parse.ts';
import { RegexSyntaxError } from './syntax-error.ts';

type Instruction =
  | { readonly op: 'class'; readonly has: CharacterClass }
  | { readonly op: 'assert'; readonly assertion: Assertion }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'match' };

const MAX_INSTRUCTIONS = 10_000;

/** The part of a text that was found, by its code points. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

/** A regular expression whose cost is at most its size times the length of the text, whatever either says. */
export interface Regex {
  /** The leftmost match from there on, as RE2 prefers among those that begin there. */
  readonly find: (codePoints: readonly number[], from: number) => Match | undefined;
}

function emit(program: Instruction[], instruction: Instruction): number {
  if (program.length >= MAX_INSTRUCTIONS) throw new RegexSyntaxError('an expression too large');
  program.push(instruction);
  return program.length - 1;
}

function compileChoice(program: Instruction[], nodes: readonly RegexNode[]): void {
  const ends: { to: number }[] = [];
  for (const [index, node] of nodes.entries()) {
    if (index === nodes.length - 1) {
      compile(program, node);
      continue;
    }
    const split = { op: 'split' as const, first: program.length + 1, second: 0 };
    emit(program, split);
    compile(program, node);
    const jump = { op: 'jump' as const, to: 0 };
    emit(program, jump);
    ends.push(jump);
    split.second = program.length;
  }
  for (const end of ends) end.to = program.length;
}

/** A choice between going in and going past, in the order of preference. */
function compileOptional(program: Instruction[], node: RegexNode, greedy: boolean, loops: boolean): void {
  const split = { op: 'split' as const, first: 0, second: 0 };
  const at = emit(program, split);
  compile(program, node);
  if (loops) emit(program, { op: 'jump', to: at });
  const [inside, past] = [at + 1, program.length];
  split.first = greedy ? inside : past;
  split.second = greedy ? past : inside;
}

function compile(program: Instruction[], node: RegexNode): void {
  switch (node.is) {
    case 'class':
      emit(program, { op: 'class', has: node.has });
      return;
    case 'assertion':
      emit(program, { op: 'assert', assertion: node.assertion });
      return;
    case 'sequence':
      for (const one of node.nodes) compile(program, one);
      return;
    case 'choice':
      compileChoice(program, node.nodes);
      return;
    case 'repeat': {
      const { min, max, greedy } = node;
      for (let index = 0; index < min; index++) compile(program, node.node);
      if (max === Number.POSITIVE_INFINITY) compileOptional(program, node.node, greedy, true);
      else for (let index = min; index < max; index++) compileOptional(program, node.node, greedy, false);
    }
  }
}

function isWord(codePoint: number | undefined): boolean {
  return codePoint !== undefined && codePoint < 128 && /\w/.test(String.fromCharCode(codePoint));
}

function holds(assertion: Assertion, text: readonly number[], at: number): boolean {
  switch (assertion) {
    case 'textStart':
      return at === 0;
    case 'textEnd':
      return at === text.length;
    case 'lineStart':
      return at === 0 || text[at - 1] === 10;
    case 'lineEnd':
      return at === text.length || text[at] === 10;
    case 'wordBoundary':
      return isWord(text[at - 1]) !== isWord(text[at]);
    case 'noWordBoundary':
      return isWord(text[at - 1]) === isWord(text[at]);
  }
}

interface Thread {
  readonly at: number;
  readonly start: number;
}

/** One walk over a text with all alternatives at once, each at most once per position, in order of preference. */
class Walk {
  readonly program: readonly Instruction[];
  readonly text: readonly number[];
  readonly spend: (steps: number) => void;
  readonly seen: Int32Array;

  constructor(program: readonly Instruction[], text: readonly number[], spend: (steps: number) => void) {
    this.program = program;
    this.text = text;
    this.spend = spend;
    this.seen = new Int32Array(program.length).fill(-1);
  }

  /** Adds a thread and whatever it leads to without reading. */
  add(threads: Thread[], { at, start }: Thread, position: number): void {
    const stack = [at];
    let steps = 0;
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      steps++;
      if (this.seen[next] === position) continue;
      this.seen[next] = position;
      const instruction = this.program[next];
      if (instruction?.op === 'jump') stack.push(instruction.to);
      else if (instruction?.op === 'split') stack.push(instruction.second, instruction.first);
      else if (instruction?.op === 'assert') {
        if (holds(instruction.assertion, this.text, position)) stack.push(next + 1);
      } else threads.push({ at: next, start });
    }
    this.spend(steps);
  }

  /** Moves every thread over one code point; what stands behind a match is no longer preferred. */
  step(
    threads: readonly Thread[],
    position: number,
  ): { readonly next: Thread[]; readonly match: Match | undefined } {
    const next: Thread[] = [];
    const codePoint = this.text[position];
    for (const { at, start } of threads) {
      const instruction = this.program[at];
      if (instruction?.op === 'match') return { next, match: { start, end: position } };
      if (instruction?.op === 'class' && codePoint !== undefined && instruction.has(codePoint))
        this.add(next, { at: at + 1, start }, position + 1);
    }
    return { next, match: undefined };
  }

  find(from: number): Match | undefined {
    let threads: Thread[] = [];
    let found: Match | undefined;
    for (let position = from; position <= this.text.length; position++) {
      if (found === undefined) this.add(threads, { at: 0, start: position }, position);
      else if (threads.length === 0) break;
      this.spend(threads.length + 1);
      const { next, match } = this.step(threads, position);
      found = match ?? found;
      threads = next;
    }
    return found;
  }
}

/**
 * @param spend told how many steps are made; it ends the search by throwing
 * @throws RegexSyntaxError for what RE2 would not take
 */
export function compileRegex(expression: string, spend: (steps: number) => void): Regex {
  const program: Instruction[] = [];
  compile(program, parseRegex(expression));
  emit(program, { op: 'match' });
  spend(program.length);
  return { find: (text, from) => new Walk(program, text, spend).find(from) };
}
