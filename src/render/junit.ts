import { type DiagnosticDocument, toDiagnosticDocument } from '#core/change/diagnostic-document.ts';
import { compareDiagnostics, type Diagnostic } from '#core/diagnostic.ts';
import { compareText, keyId, keyText } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { adviceLines } from '#render/advice-lines.ts';
import { escapeMarkup } from '#render/escape-markup.ts';
import type { PathOf } from '#render/repository-path.ts';

/** An object that was looked at, whether something was found or not. */
export interface CheckedObject {
  readonly object: ObjectKey;
  /** Undefined for objects of a cluster. */
  readonly file?: string;
}

export interface JunitOptions {
  readonly verb: string;
  readonly checked: readonly CheckedObject[];
  /** A file that it does not know keeps its name. */
  readonly pathOf: PathOf;
}

interface TestCase {
  readonly name: string;
  readonly found: Diagnostic[];
}

type Suites = Map<string, Map<string, TestCase>>;

/** Where findings without a file, and those about a whole file, are shown. */
const NO_FILE = 'the run';
const WHOLE_FILE = 'the file as a whole';

function caseOf(suites: Suites, suite: string, id: string, name: string): TestCase {
  const cases = suites.get(suite) ?? new Map<string, TestCase>();
  suites.set(suite, cases);
  const one = cases.get(id) ?? { name, found: [] };
  cases.set(id, one);
  return one;
}

function shownFile(file: string, pathOf: PathOf): string {
  return pathOf({ file, line: 1, column: 1 }) ?? file;
}

/** A finding stands in the file of its place, else in that of its object. */
function suitesOf(diagnostics: readonly Diagnostic[], { checked, pathOf }: JunitOptions): Suites {
  const suites: Suites = new Map();
  const fileOf = new Map<string, string>();
  for (const { object, file } of checked) {
    const shown = file === undefined ? NO_FILE : shownFile(file, pathOf);
    if (!fileOf.has(keyId(object))) fileOf.set(keyId(object), shown);
    caseOf(suites, shown, keyId(object), keyText(object));
  }
  for (const diagnostic of [...diagnostics].sort(compareDiagnostics)) {
    const { object, place } = diagnostic;
    const id = object === undefined ? '' : keyId(object);
    const suite = place === undefined ? (fileOf.get(id) ?? NO_FILE) : shownFile(place.file, pathOf);
    caseOf(suites, suite, id, object === undefined ? WHOLE_FILE : keyText(object)).found.push(diagnostic);
  }
  return suites;
}

/** CI servers attach the file of the machine that a text names in two brackets. */
function inert(text: string): string {
  return escapeMarkup(text.replaceAll('[[', '[\\x5b'));
}

function linesOf(document: DiagnosticDocument, pathOf: PathOf): readonly string[] {
  const { severity, code, place, what } = document;
  const where = place === undefined ? '' : `${shownFile(place.file, pathOf)}:${place.line}:${place.column}: `;
  return [`${where}${severity} ${code}: ${what}`, ...adviceLines(document).map((line) => `  ${line}`)];
}

function textOf(documents: readonly DiagnosticDocument[], pathOf: PathOf): string {
  return documents
    .flatMap((one) => linesOf(one, pathOf))
    .map(inert)
    .join('\n');
}

/** Readers take one failure of a test case: the first error names it, and the text has all of them. */
function failureOf(errors: readonly DiagnosticDocument[], pathOf: PathOf): readonly string[] {
  const [first] = errors;
  if (first === undefined) return [];
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  return [
    `      <failure message="${inert(first.what + more)}" type="${first.code}">${textOf(errors, pathOf)}</failure>`,
  ];
}

function caseText(suite: string, { name, found }: TestCase, pathOf: PathOf): string {
  const documents = found.map(toDiagnosticDocument);
  const errors = documents.filter(({ severity }) => severity === 'error');
  const others = documents.filter(({ severity }) => severity !== 'error');
  const content = [
    ...failureOf(errors, pathOf),
    ...(others.length === 0 ? [] : [`      <system-out>${textOf(others, pathOf)}</system-out>`]),
  ];
  const file = suite === NO_FILE ? '' : ` file="${inert(suite)}"`;
  const open = `    <testcase name="${inert(name)}" classname="${inert(suite)}"${file}`;
  return content.length === 0 ? `${open}/>` : [`${open}>`, ...content, '    </testcase>'].join('\n');
}

function isFailure({ found }: TestCase): boolean {
  return found.some(({ severity }) => severity === 'error');
}

function counts(cases: readonly TestCase[]): string {
  return `tests="${cases.length}" failures="${cases.filter(isFailure).length}" errors="0" skipped="0"`;
}

function suiteText(name: string, cases: readonly TestCase[], pathOf: PathOf): string {
  const rows = cases.map((one) => caseText(name, one, pathOf));
  return [`  <testsuite name="${inert(name)}" ${counts(cases)}>`, ...rows, '  </testsuite>'].join('\n');
}

/** Findings as JUnit XML: a suite for each file, a test case for each object; errors fail, the rest is output. */
export function junitText(diagnostics: readonly Diagnostic[], options: JunitOptions): string {
  const suites = [...suitesOf(diagnostics, options)]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, byId]) => ({
      name,
      cases: [...byId].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one),
    }));
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${inert(`minutehand ${options.verb}`)}" ${counts(all)}>`,
    ...suites.map(({ name, cases }) => suiteText(name, cases, options.pathOf)),
    '</testsuites>\n',
  ].join('\n');
}
