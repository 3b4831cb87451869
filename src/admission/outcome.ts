import type { Severity } from '#core/diagnostic.ts';
import type { FieldPath } from '#core/object/object.ts';
import type { RuleName } from './tally.ts';

/** A rule that an object breaks. */
export interface Broken {
  readonly rule: RuleName;
  readonly severity: Severity;
  /** The field that it is about; empty = the object. */
  readonly path: FieldPath;
  readonly what: string;
}
