import { Composer, Lexer, type ParsedNode, Parser, Schema } from 'yaml';
import type { Limits } from '#source/limits.ts';
import { boundFaults, TooManyFaults } from './bound-faults.ts';

export interface SyntaxFault {
  /** The parser's own word, for example `TAB_AS_INDENT`. */
  readonly code: string;
  readonly message: string;
  /** Offset into the text of the document. */
  readonly at: number;
}

export interface Composed {
  /** Half recovered when there are faults: good for telling what the document was about, for nothing else. */
  readonly contents: ParsedNode | null;
  /** The first one; what follows it is mostly its echo. */
  readonly fault?: SyntaxFault;
  /** Where a second document begins behind `...`, which kubectl never reads. */
  readonly secondAt?: number;
  /** Where reading stopped because of a limit. */
  readonly limit?: { readonly at: number; readonly name: 'depth' | 'tokens' };
}

interface Stream {
  readonly parser: Parser;
  readonly composer: Composer;
  readonly documents: ReturnType<Composer['next']> extends Generator<infer D> ? D[] : never;
}

// Scalars stay as written: plain.ts resolves them, as kubectl does and not as a YAML version would.
let schema: Schema | undefined;

/** Set up with the first document, since most ticks read none. */
function newComposer(): Composer {
  schema ??= new Schema({ schema: 'failsafe', resolveKnownTags: false });
  return new Composer({ schema, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
}

const FAULTS = 1000;

function advance({ parser, composer, documents }: Stream, lexeme?: string): number {
  let faults = 0;
  for (const token of lexeme === undefined ? parser.end() : parser.next(lexeme)) {
    if (token.type === 'error') faults += 1;
    documents.push(...composer.next(token));
  }
  return faults;
}

/**
 * The parser keeps one stack entry for each open collection, and the composer behind it recurses: hence the check
 * between the two, with room for the entries that are no levels.
 */
function run(stream: Stream, text: string, limits: Limits): Composed['limit'] {
  let faults = 0;
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const at = stream.parser.offset;
    tokens += 1;
    faults += advance(stream, lexeme);
    if (stream.parser.stack.length > 2 * limits.depth + 8) return { at, name: 'depth' };
    if (tokens > limits.tokens) return { at, name: 'tokens' };
    if (faults > FAULTS) throw new TooManyFaults();
  }
  advance(stream);
  stream.documents.push(...stream.composer.end(true, text.length));
  return undefined;
}

/** Text of one document to the parser's nodes. */
export function composeDocument(text: string, limits: Limits): Composed {
  const composer = newComposer();
  boundFaults(composer, FAULTS);
  const stream: Stream = { parser: new Parser(), composer, documents: [] };
  try {
    const limit = run(stream, text, limits);
    if (limit !== undefined) return { contents: limit.name === 'depth' ? cutOff(stream, text) : null, limit };
  } catch (error) {
    if (!(error instanceof TooManyFaults)) throw error;
    stream.documents.push(...composer.end(true, text.length));
    return { contents: stream.documents[0]?.contents ?? null, fault: firstFault(stream, text) ?? hopeless };
  }
  const fault = firstFault(stream, text);
  const secondAt = stream.documents[1]?.contents?.range[0];
  return {
    contents: stream.documents[0]?.contents ?? null,
    ...(fault === undefined ? {} : { fault }),
    ...(secondAt === undefined ? {} : { secondAt }),
  };
}

/** What was read up to a limit, as if the text ended there. */
function cutOff(stream: Stream, text: string): ParsedNode | null {
  advance(stream);
  stream.documents.push(...stream.composer.end(true, text.length));
  return stream.documents[0]?.contents ?? null;
}

const hopeless: SyntaxFault = { code: 'UNEXPECTED_TOKEN', message: 'nothing in it can be read', at: 0 };

function firstFault({ documents }: Stream, text: string): SyntaxFault | undefined {
  let first: SyntaxFault | undefined;
  for (const { code, message, pos } of documents.flatMap(({ errors }) => errors)) {
    if (first === undefined || pos[0] < first.at)
      first = { code, message, at: Math.min(pos[0], text.length) };
  }
  return first;
}
