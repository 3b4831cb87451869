import { type ParsedNode, visit } from 'yaml';
import { PIPED_IN } from '#core/object/piped-in.ts';
import { lineAround } from '#source/text/line-index.ts';
import type { Problem } from '#source/text/problem.ts';
import type { SyntaxFault } from './compose.ts';
import { findUnquotedCron } from './unquoted-cron.ts';

const TEMPLATE = /\{\{|\{%/;
const TEMPLATE_LINE = /^[ \t]*(?:\{\{|\{%)/m;

/** A template where YAML ought to be: Helm's and Jinja's marks are flow mappings to a YAML parser. */
export function templateProblem(text: string, at: number): Problem | undefined {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const inLine = TEMPLATE.exec(lineAround(text, at));
  const found = inLine === null ? TEMPLATE_LINE.exec(text)?.index : lineStart + inLine.index;
  if (found === undefined) return undefined;
  const mark = /\{[{%]/.exec(text.slice(found));
  return {
    code: 'TemplateSyntax',
    severity: 'error',
    at: found + (mark?.index ?? 0),
    what: `\`${lineAround(text, found).trim()}\` is a template, not YAML`,
    why: 'manifests are read as they would be applied; a template becomes one only when it is rendered',
    fix: `render first, for example \`helm template CHART ${PIPED_IN}\``,
  };
}

/** `schedule: *\/5 * * * *` without quotes: the parser speaks of aliases, the writer meant cron. */
export function cronProblem(text: string, at: number): Problem | undefined {
  const found = findUnquotedCron(lineAround(text, at));
  if (found === undefined) return undefined;
  const { expression, column } = found;
  return {
    code: 'InvalidYaml',
    severity: 'error',
    at: text.lastIndexOf('\n', at - 1) + 1 + column,
    what: `\`${expression}\` is not text without quotes`,
    why: expression.startsWith('*')
      ? 'in YAML a value that begins with `*` is an alias (YAML 1.2, 7.1)'
      : 'in YAML no unquoted value begins with `@` (YAML 1.2, 5.3)',
    fix: `quote the cron expression: "${expression}"`,
  };
}

const HANDLE = 'objects of the Kubernetes API are plain data, which needs no tags';

const FIXES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'indent with spaces',
  BAD_INDENT: 'give all entries of one mapping or list the same number of leading spaces',
  BAD_SCALAR_START: 'quote the value',
  BLOCK_AS_IMPLICIT_KEY: 'quote the value if its colon is text, or put the mapping on a line of its own',
  BAD_DQ_ESCAPE: 'double the backslash, or use single quotes, which know no escapes',
};

const REASONS: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'tabs do not indent (YAML 1.2, 6.1)',
  BAD_SCALAR_START: 'some characters mean something else at the front of a value (YAML 1.2, 5.3)',
  BLOCK_AS_IMPLICIT_KEY: 'a colon with a space behind it ends a key, and a line has one key',
  BAD_DQ_ESCAPE: 'in double quotes a backslash begins one of a few escapes (YAML 1.2, 5.7)',
};

function unquoted(message: string): string {
  const line = message.split('\n', 1)[0] ?? '';
  return `${line.charAt(0).toLowerCase()}${line.slice(1)}`;
}

/** The parser complains where the quotes should have ended, often the end of the document; a person looks for the start. */
function unclosedQuote(contents: ParsedNode | null, end: number): Problem | undefined {
  let at: number | undefined;
  visit(contents, {
    Scalar: (_, { type, range }) => {
      if (type?.startsWith('QUOTE') !== true || range?.[1] !== end) return undefined;
      at = range[0];
      return visit.BREAK;
    },
  });
  if (at === undefined) return undefined;
  return {
    code: 'InvalidYaml',
    severity: 'error',
    at,
    what: 'not valid YAML: the quotes that open here are not closed',
    why: 'a quoted text ends at its second quote, wherever that is',
    fix: 'close them; further lines of a quoted text have to be indented more than its key',
  };
}

/** The first fault of a document in words; what follows a first fault is mostly its echo. */
export function explainFault(text: string, fault: SyntaxFault, contents: ParsedNode | null): Problem {
  const { at, code, message } = fault;
  const unclosed = message.startsWith('Missing closing') ? unclosedQuote(contents, at) : undefined;
  if (unclosed !== undefined) return unclosed;
  const known = templateProblem(text, at) ?? cronProblem(text, at);
  if (known !== undefined) return known;
  if (code === 'TAG_RESOLVE_FAILED') {
    return {
      code: 'UnknownTag',
      severity: 'error',
      at,
      what: unquoted(message),
      why: HANDLE,
      fix: 'remove the tag',
    };
  }
  const fix = FIXES[code];
  const why = REASONS[code];
  const what = `not valid YAML: ${unquoted(message)}`;
  return {
    code: 'InvalidYaml',
    severity: 'error',
    at,
    what,
    ...(why === undefined ? {} : { why }),
    ...(fix === undefined ? {} : { fix }),
  };
}
