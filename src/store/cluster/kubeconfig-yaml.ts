import { type ErrorCode, LineCounter, parseDocument, type YAMLParseError } from 'yaml';

/** The parser's own messages show parts of the file, which may be secrets. */
const REASONS: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias has a tag or an anchor',
  BAD_ALIAS: 'an alias or an anchor has no usable name',
  BAD_COLLECTION_TYPE: 'a tag does not fit its value',
  BAD_DIRECTIVE: 'a directive is not known',
  BAD_DQ_ESCAPE: 'an escape in double quotes is not known',
  BAD_INDENT: 'the indentation is wrong, or a bracket or brace is not closed',
  BAD_PROP_ORDER: 'a tag or an anchor stands in the wrong place',
  BAD_SCALAR_START: 'a value begins with a character that needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'the indentation is wrong, or a value with a colon needs quotes',
  BLOCK_IN_FLOW: 'a block stands within brackets or braces',
  DUPLICATE_KEY: 'a key stands twice in one mapping',
  IMPOSSIBLE: 'it is no YAML',
  KEY_OVER_1024_CHARS: 'a key is too long',
  MISSING_CHAR: 'a colon, comma or space is missing',
  MULTILINE_IMPLICIT_KEY: 'a line has no colon, or its indentation is wrong',
  MULTIPLE_ANCHORS: 'a value has two anchors',
  MULTIPLE_DOCS: 'a second document begins',
  MULTIPLE_TAGS: 'a value has two tags',
  NON_STRING_KEY: 'a key is no text',
  RESOURCE_EXHAUSTION: 'it is nested too deeply',
  TAB_AS_INDENT: 'a tab indents, where spaces must',
  TAG_RESOLVE_FAILED: 'a tag is not known',
  UNEXPECTED_TOKEN: 'something stands where it must not',
};

/** Of one code that stands for several faults; by words of the parser's message that are never the file's. */
const MISSING: readonly (readonly [RegExp, string])[] = [
  [/^Missing closing /, 'a quote is not closed'],
  [/ must end with a /, 'a bracket or brace is not closed'],
  [/^Sequence item without /, 'the indentation is wrong, or an entry of a list has no dash'],
];

function reasonOf({ code, message }: YAMLParseError): string {
  const missing = code === 'MISSING_CHAR' ? MISSING.find(([words]) => words.test(message)) : undefined;
  return missing?.[1] ?? REASONS[code];
}

export type ParsedYaml =
  | { readonly ok: true; readonly value: unknown }
  /** The place is `:line:column`, or nothing. */
  | { readonly ok: false; readonly place: string; readonly reason: string };

/** Text of a kubeconfig, JSON included; what is wrong with it is told without any of it. */
export function parseKubeconfig(text: string): ParsedYaml {
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      logLevel: 'silent',
      merge: true,
    });
    const [fault] = document.errors;
    if (fault === undefined) return { ok: true, value: document.toJS() };
    const { line, col } = lineCounter.linePos(fault.pos[0]);
    return { ok: false, place: `:${line}:${col}`, reason: reasonOf(fault) };
  } catch {
    return { ok: false, place: '', reason: 'its aliases lead nowhere, or to too much' };
  }
}
