import type { DiagnosticCode, Severity } from '#core/diagnostic.ts';
import type { FieldPath, ObjectKey } from '#core/object/object.ts';

/** What is wrong, before anybody knows where. */
export interface Fault {
  readonly code: DiagnosticCode;
  readonly what: string;
  readonly why?: string;
  readonly fix?: string;
}

/** Where a finding belongs. */
export interface Spot {
  /** Offset into the text of the file. */
  readonly at: number;
  /** From the root of the document, until the object is known. */
  readonly path?: FieldPath;
}

/** A diagnostic whose place is still an offset into the text of its file. */
export interface Problem extends Fault, Spot {
  readonly severity: Severity;
  readonly object?: ObjectKey;
}

export type Report = (problem: Problem) => void;
