import { type DiagnosticDocument, toDiagnosticDocument } from '#core/change/diagnostic-document.ts';
import { compareDiagnostics, type Diagnostic, SEVERITIES, type Severity } from '#core/diagnostic.ts';
import { keyText } from '#core/object/key.ts';
import type { Place } from '#core/object/object.ts';
import { adviceLines } from '#render/advice-lines.ts';
import { escapeText } from '#render/escape-text.ts';
import { plural } from '#render/plural.ts';
import type { PathOf } from '#render/repository-path.ts';

export interface AnnotationOptions {
  readonly pathOf: PathOf;
  /** Where all findings are, told when some are left out: "in out.sarif". */
  readonly fullReport?: string;
}

/** GitHub shows so many of each kind and step, and drops the rest without a word. */
const MOST_OF_A_KIND = 10;

const COMMANDS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' };

/** The runner reads these back, and no other character. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function command(severity: Severity, properties: Readonly<Record<string, string>>, message: string): string {
  const shown = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  const head = [COMMANDS[severity], shown.join(',')].filter((part) => part !== '').join(' ');
  return `::${head}::${escapeData(message)}\n`;
}

/** A name that cannot be printed as it is cannot be a property either: the runner would look for another file. */
function placeProperties(place: Place | undefined, pathOf: PathOf): Readonly<Record<string, string>> {
  const path = place === undefined ? undefined : pathOf(place);
  if (place === undefined || path === undefined || escapeText(path) !== path) return {};
  return { file: path, line: String(place.line), col: String(place.column) };
}

function messageOf(document: DiagnosticDocument, where: string): string {
  const lines = [where + document.what, ...adviceLines(document)];
  return lines.map(escapeText).join('\n');
}

function annotation(diagnostic: Diagnostic, pathOf: PathOf): string {
  const { code, severity, object, place } = diagnostic;
  const properties = placeProperties(place, pathOf);
  const isShown = place === undefined || 'file' in properties;
  const where = isShown ? '' : `${place.file}:${place.line}:${place.column}: `;
  const subject = object === undefined ? '' : `: ${escapeText(keyText(object))}`;
  return command(
    severity,
    { ...properties, title: `${code}${subject}` },
    messageOf(toDiagnosticDocument(diagnostic), where),
  );
}

function rest(severity: Severity, count: number, fullReport: string | undefined): string {
  const where = fullReport === undefined ? '' : `: all of them are ${escapeText(fullReport)}`;
  return command(severity, { title: 'minutehand' }, `${plural(count, `more ${severity}`)}${where}`);
}

/** Findings as workflow commands of GitHub Actions: as many as it shows, the last of a kind counts the others. */
export function githubAnnotations(diagnostics: readonly Diagnostic[], options: AnnotationOptions): string {
  const { pathOf, fullReport } = options;
  const sorted = [...diagnostics].sort(compareDiagnostics);
  return SEVERITIES.flatMap((severity) => {
    const all = sorted.filter((one) => one.severity === severity);
    if (all.length <= MOST_OF_A_KIND) return all.map((one) => annotation(one, pathOf));
    const shown = all.slice(0, MOST_OF_A_KIND - 1);
    return [
      ...shown.map((one) => annotation(one, pathOf)),
      rest(severity, all.length - shown.length, fullReport),
    ];
  }).join('');
}
