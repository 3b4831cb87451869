import type { Diagnostic } from '#core/diagnostic.ts';
import type { SourcedObject } from '#core/object/object.ts';
import type { UnusableObject } from '#core/object/unusable-object.ts';
import { JsonFault, readJson } from './json/read-json.ts';
import type { Limits } from './limits.ts';
import { interpret, isForeign } from './objects/interpret.ts';
import { locate } from './objects/locate.ts';
import { lostObjects } from './objects/lost-objects.ts';
import type { BuildContext } from './text/build-context.ts';
import { type Built, builtScalar } from './text/built.ts';
import { tooDeep } from './text/describe.ts';
import { collectFindings, type Findings } from './text/findings.ts';
import type { PlaceAt } from './text/line-index.ts';
import type { Fault, Problem } from './text/problem.ts';
import type { DocumentText } from './text/split-documents.ts';
import { buildDocument } from './yaml/build.ts';
import { composeDocument } from './yaml/compose.ts';
import { explainFault } from './yaml/explain-fault.ts';
import type { ScalarRules } from './yaml/scalar.ts';
import { readSimple } from './yaml/simple.ts';
import { versionProblem } from './yaml/version-problem.ts';

/** What the documents of one file share. */
export interface FileContext {
  readonly file: string;
  readonly scanned: boolean;
  /** Somewhere in it is a value that SOPS encrypted. */
  readonly hasCiphertext: boolean;
  readonly limits: Limits;
  readonly scalars: ScalarRules;
  readonly placeAt: PlaceAt;
  /** Spent by the aliases of the documents so far. */
  expansion: number;
  /** Documents so far. */
  documents: number;
}

/** One document as data, with what was found on the way. */
export interface Reading {
  readonly built: Built;
  readonly findings: Findings;
  /** Where the text stopped making sense: what stands behind it may be missing. */
  readonly brokenAt?: number;
}

export interface DocumentObjects {
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** Objects that the document spells out and that did not come out of it. */
  readonly unusable: readonly UnusableObject[];
}

/**
 * One piece of a stream: one document, or several JSON values behind one another. Nothing of a document with an error
 * is used, however much of it the parser recovered.
 */
export function readDocument(piece: DocumentText, file: FileContext): readonly DocumentObjects[] {
  return readPiece(piece, file).map((reading) => finish(reading, file));
}

function contextFor(piece: DocumentText, file: FileContext, findings: Findings): BuildContext {
  const { limits, scalars, placeAt, expansion } = file;
  const anchors = new Map();
  return {
    ...piece,
    limits,
    scalars,
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
  return { built, findings, brokenAt: problem.at };
}

/** As much as YAML makes of a text that is refused: good for telling what it was about, for nothing else. */
function recovered(piece: DocumentText, file: FileContext): Built {
  const { contents } = composeDocument(piece.text, file.limits);
  return buildDocument(contents, contextFor(piece, file, collectFindings()));
}

export function readPiece(piece: DocumentText, file: FileContext): readonly Reading[] {
  const control = controlCharacter(piece);
  if (control !== undefined) return [refusedReading(control, recovered(piece, file))];
  const from = /^(?:---)?[ \t\r\n]*/.exec(piece.text)?.[0].length ?? 0;
  if (piece.text.charAt(from) !== '{') return readYaml(piece, file);
  const json = readJsonValues(piece, file, from);
  if (json.fault === undefined) return json.readings;
  const rest = { start: piece.start + json.next, text: piece.text.slice(json.next) };
  const problem = jsonProblem(json.fault, piece, file.limits);
  const refused = [...json.readings, refusedReading(problem, recovered(rest, file))];
  // kubectl takes all that begins with a brace for JSON; a flow mapping of YAML says the same in any file but this.
  if (json.fault.code === 'LimitExceeded' || file.file.endsWith('.json')) return refused;
  const yaml = readYaml(piece, file);
  const failed = yaml.some(({ findings }) => findings.failed());
  return failed && json.readings.length > 0 ? refused : yaml;
}

/** go-yaml and encoding/json both refuse them; in an editor they cannot be seen. */
function controlCharacter({ text, start }: DocumentText): Problem | undefined {
  // Most texts are plain, and the tables of Unicode take long to set up.
  const index = /^[ -~\t\n\r]*$/.test(text) ? -1 : text.search(/[^\P{Cc}\t\n\r\u0085]/u);
  if (index < 0) return undefined;
  const code = text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0');
  const what = `the document holds the control character U+${code}`;
  return {
    code: 'InvalidYaml',
    severity: 'error',
    at: start + index,
    what,
    why: 'kubectl refuses it, and in an editor it cannot be seen',
    fix: 'remove it, or write it as an escape in double quotes',
  };
}

function jsonProblem({ code, at, message }: JsonFault, { start }: DocumentText, { depth }: Limits): Problem {
  const fault: Fault =
    code === 'LimitExceeded' ? tooDeep(depth) : { code, what: `not valid JSON: ${message}` };
  return { ...fault, severity: 'error', at: start + at };
}

interface JsonValues {
  readonly readings: readonly Reading[];
  /** Behind the last value that was read. */
  readonly next: number;
  readonly fault?: JsonFault;
}

function readJsonValues(piece: DocumentText, file: FileContext, from: number): JsonValues {
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
    if (error instanceof JsonFault) return { readings, next, fault: error };
    throw error;
  }
  return { readings, next };
}

function readYaml(piece: DocumentText, file: FileContext): readonly Reading[] {
  const plain = collectFindings();
  const simple = readSimple(contextFor(piece, file, plain));
  return simple === undefined ? readAnyYaml(piece, file) : [{ built: simple, findings: plain }];
}

function readAnyYaml(piece: DocumentText, file: FileContext): readonly Reading[] {
  const { contents, fault, secondAt, limit } = composeDocument(piece.text, file.limits);
  const findings = collectFindings();
  const context = contextFor(piece, file, findings);
  const built = buildDocument(contents, context);
  if (limit !== undefined)
    return [refusedReading(beyond(limit.name, piece.start + limit.at, file.limits), built)];
  if (fault !== undefined) {
    const problem = explainFault(piece.text, fault, contents);
    return [refusedReading({ ...problem, at: piece.start + problem.at }, built)];
  }
  const version = versionProblem(piece.text);
  if (version !== undefined) return [refusedReading({ ...version, at: piece.start + version.at }, built)];
  if (!findings.failed()) file.expansion = context.expansion;
  const first = { built, findings };
  return secondAt === undefined ? [first] : [first, refusedReading(behindEnd(piece.start + secondAt))];
}

function beyond(limit: 'depth' | 'tokens', at: number, { depth, tokens }: Limits): Problem {
  if (limit === 'depth') return { ...tooDeep(depth), severity: 'error', at };
  return {
    code: 'LimitExceeded',
    severity: 'error',
    at,
    what: `the document has more than ${tokens} tokens`,
    why: 'each of them takes memory while YAML is read',
    fix: 'split the document, or give it as JSON',
  };
}

function behindEnd(at: number): Problem {
  return {
    code: 'InvalidYaml',
    severity: 'error',
    at,
    what: 'a document behind `...` without a `---` of its own',
    why: 'kubectl stops reading at `...` and would drop what follows without a word',
    fix: 'begin the document with `---`',
  };
}

/** Tags of their own mark the files of other tools (CloudFormation, GitLab); in a folder they are no mistake. */
function isOtherTools({ built, findings }: Reading, { scanned }: FileContext): boolean {
  const errors = findings.problems().filter(({ severity }) => severity === 'error');
  return scanned && isForeign(built.value) && errors.every(({ code }) => code === 'UnknownTag');
}

function finish(reading: Reading, file: FileContext): DocumentObjects {
  const { built, findings } = reading;
  file.documents += 1;
  const document = file.documents;
  const place = (at: number) => file.placeAt(at, document);
  const own: Problem[] = [];
  const report = (problem: Problem): void => {
    own.push(problem);
  };
  const refused = findings.failed() && !isOtherTools(reading, file);
  const objects = refused ? [] : interpret(built, { ...file, place, report });
  // Which scalars are ambiguous is of no interest in a file that no cluster will see.
  const found = objects === undefined ? [] : findings.problems().map((problem) => locate(problem, built));
  const diagnostics = [...found, ...own].map(
    ({ at, ...finding }): Diagnostic => ({ ...finding, place: place(at) }),
  );
  const errors = [...found, ...own].filter(({ severity }) => severity === 'error');
  const lossy = { built, objects: objects ?? [], errors, brokenAt: reading.brokenAt, place };
  return { objects: objects ?? [], diagnostics, unusable: lostObjects(lossy) };
}
