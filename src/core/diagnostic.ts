import { compareKeys, compareText, keyId } from '#core/object/key.ts';
import type { FieldPath, ObjectKey, Place } from '#core/object/object.ts';

/** Closed: a new situation gets a new word here, never free text. */
export type DiagnosticCode =
  // reading manifests
  | 'FileUnreadable'
  | 'PathAbsent'
  | 'EmptyFolder'
  | 'FoldersPassed'
  | 'LinkLeavesTree'
  | 'RevisionUnreadable'
  | 'BuildFailed'
  | 'StateFolder'
  | 'InvalidEncoding'
  | 'InvalidYaml'
  | 'DuplicateKey'
  | 'UnknownAlias'
  | 'RecursiveAlias'
  | 'UnknownTag'
  | 'LimitExceeded'
  | 'NotAnObject'
  | 'TemplateSyntax'
  | 'EncryptedFile'
  | 'DuplicateObject'
  | 'ObsoleteVersion'
  | 'UnknownKind'
  | 'AmbiguousScalar'
  | 'ImpreciseNumber'
  // one object
  | 'InvalidMetadata'
  | 'InvalidField'
  | 'UnknownField'
  | 'InvalidSchedule'
  | 'UnknownTimeZone'
  | 'UnsupportedSchedule'
  | 'NeverFires'
  | 'NameTooLong'
  | 'InvalidTimestamp'
  | 'DeadlineBelowGrace'
  | 'ShortTimeToLive'
  | 'UnknownManager'
  | 'EitherDayField'
  | 'KubernetesMayDiffer'
  | 'FiresOften'
  | 'RuleBroken'
  | 'PolicyNotBound'
  // what was found
  | 'NameTaken'
  | 'AmbiguousDefault'
  | 'SlotGivenUp'
  | 'ReferentUnusable'
  | 'TemplateFails'
  | 'NothingToStart'
  | 'UnknownPhase'
  | 'AnchorInFuture'
  | 'Observed'
  | 'ListUnreadable'
  | 'KindAbsent'
  | 'FieldNotDeclared'
  | 'ServerWarning'
  | 'Throttled'
  // writing
  | 'BudgetExhausted'
  | 'WriteFailed'
  | 'ChangedMeanwhile'
  | 'SelfCheckFailed'
  // the state folder
  | 'StateUnusable'
  | 'StateLocked'
  | 'StateVersion'
  | 'StateDamaged'
  | 'ManifestGone'
  | 'Pruned'
  | 'Prunable'
  // what a change does
  | 'FiresOnMerge'
  | 'RunsCancelled'
  | 'RunsPruned'
  | 'ManyStarts'
  | 'StopsFiring'
  | 'FiringsChanged'
  // the command line's own files
  | 'InvalidConfig'
  | 'InvalidCapture'
  | 'CaptureVersion';

export const SEVERITIES = ['error', 'warning', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A finding as data; wording and layout for people are the renderers' business. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly object?: ObjectKey;
  readonly path?: FieldPath;
  readonly place?: Place;
  /** One sentence: what is wrong, with the offending value. */
  readonly what: string;
  /** The rule that it breaks. */
  readonly why?: string;
  /** What to write or do instead. */
  readonly fix?: string;
}

export function isError({ severity }: Pick<Diagnostic, 'severity'>): boolean {
  return severity === 'error';
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 };

/** By file, then from top to bottom. */
export function comparePlaces(a: Place, b: Place): number {
  return compareText(a.file, b.file) || a.line - b.line || a.column - b.column;
}

/** What is there comes before what is not. */
function compareOptional<T>(a: T | undefined, b: T | undefined, compare: (a: T, b: T) => number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return compare(a, b);
}

/** Errors first, then by place, object, code, text and field: the same whatever the order in which they were found. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    RANK[a.severity] - RANK[b.severity] ||
    compareOptional(a.place, b.place, comparePlaces) ||
    compareOptional(a.object, b.object, compareKeys) ||
    compareText(a.code, b.code) ||
    compareText(a.what, b.what) ||
    compareText((a.path ?? []).join('.'), (b.path ?? []).join('.'))
  );
}

/** By the `keyId` of the object; what is about none stands under the empty text. */
export type ToldByObject = ReadonlyMap<string, readonly Diagnostic[]>;

export function toldByObject(diagnostics: readonly Diagnostic[]): ToldByObject {
  return Map.groupBy(diagnostics, ({ object }) => (object === undefined ? '' : keyId(object)));
}

export function toldAbout(diagnostics: readonly Diagnostic[], key: ObjectKey): readonly Diagnostic[] {
  return diagnostics.filter(({ object }) => object !== undefined && keyId(object) === keyId(key));
}

/**
 * What may say why an object of that name was not found: what was found about one of the name, which was refused or is
 * of a kind that nobody knows, faults that may have hidden it, and manifests that are gone.
 */
export function toldAboutName(diagnostics: readonly Diagnostic[], name: string): readonly Diagnostic[] {
  return diagnostics.filter(({ object, severity, code }) =>
    object === undefined ? severity === 'error' || code === 'ManifestGone' : object.name === name,
  );
}

/** What was found about an object, and faults that may have hidden a part of it. */
export function toldWith(diagnostics: readonly Diagnostic[], key: ObjectKey): readonly Diagnostic[] {
  return diagnostics.filter(({ object, severity }) =>
    object === undefined ? severity === 'error' : keyId(object) === keyId(key),
  );
}
