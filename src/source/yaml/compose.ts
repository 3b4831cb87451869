import { Composer, Lexer, type ParsedNode, Parser, Schema } from 'yaml';

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
  /** Where the nesting went beyond the limit and reading stopped. */
  readonly tooDeepAt?: number;
}

// Scalars stay as written: plain.ts resolves them, as kubectl does and not as a YAML version would.
const schema = new Schema({ schema: 'failsafe', resolveKnownTags: false });
const options = { schema, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

function earliest(faults: readonly SyntaxFault[]): SyntaxFault | undefined {
  let first: SyntaxFault | undefined;
  for (const fault of faults) if (first === undefined || fault.at < first.at) first = fault;
  return first;
}

/**
 * Text of one document to the parser's nodes. The parser keeps one stack entry for each open collection, the
 * composer behind it recurses: hence the check between the two, with room for the entries that are no levels.
 */
export function composeDocument(text: string, depth: number): Composed {
  const parser = new Parser();
  const composer = new Composer(options);
  const documents = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token));
    if (parser.stack.length > 2 * depth + 8) return { contents: null, tooDeepAt: parser.offset };
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end(true, text.length));
  const faults = documents.flatMap((document) =>
    document.errors.map(({ code, message, pos }) => ({ code, message, at: Math.min(pos[0], text.length) })),
  );
  const fault = earliest(faults);
  const second = documents[1]?.contents?.range[0];
  return {
    contents: documents[0]?.contents ?? null,
    ...(fault === undefined ? {} : { fault }),
    ...(second === undefined ? {} : { secondAt: second }),
  };
}
