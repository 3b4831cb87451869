import type { FieldPath, ObjectKey, Place } from '#core/object/object.ts';

/** Closed: a new situation gets a new word here, never free text. */
export type DiagnosticCode =
  // reading manifests
  | 'FileUnreadable'
  | 'EmptyFolder'
  | 'LinkLeavesTree'
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
  | 'EitherDayField'
  | 'KubernetesMayDiffer'
  // what was found
  | 'NameTaken'
  | 'UnknownPhase'
  | 'AnchorInFuture'
  | 'Observed'
  | 'ListUnreadable'
  | 'KindAbsent'
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
  // the command line's own files
  | 'InvalidConfig';

export type Severity = 'error' | 'warning' | 'note';

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
