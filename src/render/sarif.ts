import { type DiagnosticDocument, toDiagnosticDocument } from '#core/change/diagnostic-document.ts';
import { compareDiagnostics, type Diagnostic, type DiagnosticCode } from '#core/diagnostic.ts';
import { canonicalJson } from '#core/object/canonical.ts';
import { fnv1a64 } from '#core/object/fnv64.ts';
import { compareText, keyId } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { adviceLines } from '#render/advice-lines.ts';
import { DIAGNOSTIC_HELP } from '#render/diagnostic-help.ts';
import { escapeJson } from '#render/escape-json.ts';
import { escapeText } from '#render/escape-text.ts';
import { plural } from '#render/plural.ts';
import type { PathOf } from '#render/repository-path.ts';

export interface SarifOptions {
  /** Of this program. */
  readonly version: string;
  /** Keeps the findings of one verb apart from those of another. */
  readonly verb: string;
  readonly pathOf: PathOf;
  readonly limits?: SarifLimits;
}

/** What a host takes in one file. */
export interface SarifLimits {
  readonly results: number;
  readonly bytes: number;
}

const GITHUB_LIMITS: SarifLimits = { results: 25_000, bytes: 10_000_000 };
/** Room for the frame around the results, and for the words on what is left out. */
const FRAME_BYTES = 4_096;

interface Rule {
  readonly id: DiagnosticCode;
  readonly level: Diagnostic['severity'];
}

/** A finding with its size, so that no more is taken than fits. */
interface Entry {
  readonly located: boolean;
  readonly value: object;
  readonly bytes: number;
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(escapeJson(canonicalJson(value))).length;
}

/** SARIF makes a link of `[words](target)`. */
function messageText(text: string): string {
  return escapeText(text).replace(/\[([^[\]]*)\](?=\()/g, '\\[$1\\]');
}

function messageOf(document: DiagnosticDocument): { readonly text: string } {
  const lines = [document.what, ...adviceLines(document)];
  return { text: lines.map(messageText).join('\n') };
}

/** A relative reference: no colon, blank or question mark of a file name has a meaning in it. */
function uriOf(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

function logicalLocationOf(key: ObjectKey): object {
  return { name: escapeText(key.name), fullyQualifiedName: escapeText(keyId(key)), kind: 'object' };
}

function locationOf({ object, place }: Diagnostic, path: string | undefined): readonly object[] {
  const physical =
    place === undefined || path === undefined
      ? {}
      : {
          physicalLocation: {
            artifactLocation: { uri: uriOf(path), uriBaseId: '%SRCROOT%' },
            region: { startLine: Math.max(1, place.line), startColumn: Math.max(1, place.column) },
          },
        };
  const logical = object === undefined ? {} : { logicalLocations: [logicalLocationOf(object)] };
  const location = { ...physical, ...logical };
  return Object.keys(location).length === 0 ? [] : [location];
}

/** What makes a finding the same one after lines have moved: its code, its object and field, else its file. */
function identityOf({ code, object, path = [], what }: Diagnostic, file: string | undefined): string {
  const subject = object === undefined ? `${file ?? ''} ${what}` : keyId(object);
  return JSON.stringify([code, subject, ...path]);
}

/** Several findings of one identity are told apart by their order. */
function fingerprints(): (identity: string) => string {
  const seen = new Map<string, number>();
  return (identity) => {
    const ordinal = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, ordinal);
    return `${fnv1a64(identity)}:${ordinal}`;
  };
}

function rulesOf(diagnostics: readonly Diagnostic[]): readonly Rule[] {
  const levels = new Map<DiagnosticCode, Diagnostic['severity']>();
  // They come with the most severe first.
  for (const { code, severity } of diagnostics) if (!levels.has(code)) levels.set(code, severity);
  return [...levels].map(([id, level]) => ({ id, level })).sort((a, b) => compareText(a.id, b.id));
}

function ruleDocument({ id, level }: Rule): object {
  const text = DIAGNOSTIC_HELP[id];
  return {
    id,
    name: id,
    shortDescription: { text },
    fullDescription: { text },
    help: { text },
    defaultConfiguration: { level },
  };
}

/**
 * Hosts refuse a file with a result that stands in no file, so what has none is a notification of the tool: that is
 * where SARIF has words about the run itself.
 */
function entriesOf(
  diagnostics: readonly Diagnostic[],
  rules: readonly Rule[],
  pathOf: PathOf,
): readonly Entry[] {
  const indexOf = new Map(rules.map(({ id }, index) => [id, index]));
  const fingerprint = fingerprints();
  return diagnostics.map((diagnostic) => {
    const { place, code, severity: level } = diagnostic;
    const path = place === undefined ? undefined : pathOf(place);
    const locations = locationOf(diagnostic, path);
    const message = messageOf(toDiagnosticDocument(diagnostic));
    const rule = { id: code, index: indexOf.get(code) ?? -1 };
    const value =
      path === undefined
        ? { level, message, associatedRule: rule, ...(locations.length === 0 ? {} : { locations }) }
        : {
            ruleId: rule.id,
            ruleIndex: rule.index,
            level,
            message,
            locations,
            partialFingerprints: { 'minutehandFinding/v1': fingerprint(identityOf(diagnostic, path)) },
          };
    return { located: path !== undefined, value, bytes: bytesOf(value) + 1 };
  });
}

function fitting(entries: readonly Entry[], limits: SarifLimits, frame: number): readonly Entry[] {
  let bytes = frame;
  const end = entries.findIndex((entry, index) => {
    bytes += entry.bytes;
    return index >= limits.results || bytes > limits.bytes;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

function omission(entries: readonly Entry[], kept: readonly Entry[]): readonly object[] {
  const count = entries.length - kept.length;
  if (count === 0) return [];
  const text = `${plural(count, 'finding')} of ${entries.length} ${count === 1 ? 'is' : 'are'} left out, the least severe, because a host takes no larger file`;
  return [{ level: 'warning', message: { text } }];
}

/** Findings as SARIF 2.1.0, for code scanning: the same findings give the same bytes. */
export function sarifText(diagnostics: readonly Diagnostic[], options: SarifOptions): string {
  const { version, verb, pathOf, limits = GITHUB_LIMITS } = options;
  const sorted = [...diagnostics].sort(compareDiagnostics);
  const rules = rulesOf(sorted);
  const ruleDocuments = rules.map(ruleDocument);
  const entries = entriesOf(sorted, rules, pathOf);
  const kept = fitting(entries, limits, FRAME_BYTES + bytesOf(ruleDocuments));
  const of = (located: boolean): readonly object[] =>
    kept.filter((entry) => entry.located === located).map(({ value }) => value);
  const notifications = [...of(false), ...omission(entries, kept)];
  const run = {
    tool: { driver: { name: 'minutehand', version, semanticVersion: version, rules: ruleDocuments } },
    automationDetails: { id: `minutehand/${verb}/` },
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: true,
        ...(notifications.length === 0 ? {} : { toolExecutionNotifications: notifications }),
      },
    ],
    results: of(true),
  };
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return `${escapeJson(canonicalJson(log))}\n`;
}
