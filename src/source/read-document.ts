import type { Diagnostic } from '#core/diagnostic.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { JsonFault, readJson } from './json/read-json.ts';
import type { Limits } from './limits.ts';
import { interpret } from './objects/interpret.ts';
import { locate } from './objects/locate.ts';
import type { BuildContext } from './text/build-context.ts';
import { type Built, builtScalar } from './text/built.ts';
import { collectFindings, type Findings } from './text/findings.ts';
import type { PlaceAt } from './text/line-index.ts';
import type { Problem } from './text/problem.ts';
import type { DocumentText } from './text/split-documents.ts';
import { buildDocument } from './yaml/build.ts';
import { composeDocument } from './yaml/compose.ts';
import { explainFault } from './yaml/explain-fault.ts';

/** What the documents of one file share. */
export interface FileContext {
  readonly file: string;
  readonly scanned: boolean;
  readonly limits: Limits;
  readonly placeAt: PlaceAt;
  /** Spent by the aliases of the documents so far. */
  expansion: number;
  /** Documents so far. */
  documents: number;
}

/** One document as data, with what was found on the way. */
interface Reading {
  readonly built: Built;
  readonly findings: Findings;
}

export interface DocumentObjects {
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * One piece of a stream: one document, or several JSON values behind one another. Nothing of a document with an error
 * is used, however much of it the parser recovered.
 */
export function readDocument(piece: DocumentText, file: FileContext): readonly DocumentObjects[] {
  return readPiece(piece, file).map((reading) => finish(reading, file));
}

function contextFor(piece: DocumentText, file: FileContext, findings: Findings): BuildContext {
  const { limits, placeAt, expansion } = file;
  const anchors = new Map();
  return {
    ...piece,
    limits,
    placeAt,
    report: findings.report,
    anchors,
    path: [],
    expansion,
    exhausted: false,
  };
}

function refusedReading(problem: Problem, built: Built = builtScalar(null, problem.at)): Reading {
  const findings = collectFindings();
  findings.report(problem);
  return { built, findings };
}

function readPiece(piece: DocumentText, file: FileContext): readonly Reading[] {
  const control = controlCharacter(piece);
  if (control !== undefined) return [refusedReading(control)];
  const from = /^(?:---)?[ \t\r\n]*/.exec(piece.text)?.[0].length ?? 0;
  if (piece.text.charAt(from) !== '{') return readYaml(piece, file);
  const json = readJsonValues(piece, file, from);
  if (json.fault === undefined) return json.readings;
  const yaml = json.fault.code === 'LimitExceeded' ? [] : readYaml(piece, file);
  const isYaml = yaml.length > 0 && yaml.every(({ findings }) => !findings.failed());
  if (isYaml || (json.readings.length === 0 && yaml.length > 0 && !file.file.endsWith('.json'))) return yaml;
  return [...json.readings, refusedReading(jsonProblem(json.fault, piece))];
}

/** go-yaml and encoding/json both refuse them; in an editor they cannot be seen. */
function controlCharacter({ text, start }: DocumentText): Problem | undefined {
  const index = text.search(/[^\P{Cc}\t\n\r\u0085]/u);
  if (index < 0) return undefined;
  const code = text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0');
  const what = `the document holds the control character U+${code}`;
  return {
    code: 'InvalidYaml',
    severity: 'error',
    at: start + index,
    what,
    fix: 'Remove it, or write it as an escape in double quotes',
  };
}

function jsonProblem({ code, at, message }: JsonFault, { start }: DocumentText): Problem {
  const what = code === 'LimitExceeded' ? message : `not valid JSON: ${message}`;
  return { code, severity: 'error', at: start + at, what };
}

function readJsonValues(
  piece: DocumentText,
  file: FileContext,
  from: number,
): { readonly readings: readonly Reading[]; readonly fault?: JsonFault } {
  const readings: Reading[] = [];
  let next = from;
  try {
    while (next < piece.text.length) {
      const findings = collectFindings();
      const reading = readJson(contextFor(piece, file, findings), next);
      readings.push({ built: reading.built, findings });
      next = reading.next;
    }
  } catch (error) {
    if (error instanceof JsonFault) return { readings, fault: error };
    throw error;
  }
  return { readings };
}

function readYaml(piece: DocumentText, file: FileContext): readonly Reading[] {
  const { contents, fault, secondAt, tooDeepAt } = composeDocument(piece.text, file.limits.depth);
  const findings = collectFindings();
  const context = contextFor(piece, file, findings);
  const built = buildDocument(contents, context);
  if (tooDeepAt !== undefined) return [refusedReading(tooDeep(piece.start + tooDeepAt, file.limits))];
  if (fault !== undefined) {
    const problem = explainFault(piece.text, fault);
    return [refusedReading({ ...problem, at: piece.start + problem.at }, built)];
  }
  if (!findings.failed()) file.expansion = context.expansion;
  const first = { built, findings };
  return secondAt === undefined ? [first] : [first, refusedReading(behindEnd(piece.start + secondAt))];
}

function tooDeep(at: number, { depth }: Limits): Problem {
  const what = `mappings and lists are nested more than ${depth} levels deep`;
  return { code: 'LimitExceeded', severity: 'error', at, what };
}

function behindEnd(at: number): Problem {
  return {
    code: 'InvalidYaml',
    severity: 'error',
    at,
    what: 'a document behind `...` without a `---` of its own',
    why: 'kubectl stops reading at `...` and would drop what follows without a word',
    fix: 'Begin the document with `---`',
  };
}

function finish({ built, findings }: Reading, file: FileContext): DocumentObjects {
  file.documents += 1;
  const document = file.documents;
  const place = (at: number) => file.placeAt(at, document);
  const own: Problem[] = [];
  const report = (problem: Problem): void => {
    own.push(problem);
  };
  const objects = findings.failed() ? [] : interpret(built, { ...file, place, report });
  // Which scalars are ambiguous is of no interest in a file that no cluster will see.
  const found = objects === undefined ? [] : findings.problems().map((problem) => locate(problem, built));
  const diagnostics = [...found, ...own].map(
    ({ at, ...finding }): Diagnostic => ({ ...finding, place: place(at) }),
  );
  return { objects: objects ?? [], diagnostics };
}
