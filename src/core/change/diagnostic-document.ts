import { maskText, newMask } from '#core/change/mask.ts';
import type { Diagnostic, DiagnosticCode, Severity } from '#core/diagnostic.ts';
import type { FieldPath, Place } from '#core/object/object.ts';

/** A diagnostic as it is published. Its object goes without a version: it may never have been readable. */
export interface DiagnosticDocument {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly what: string;
  readonly why?: string;
  readonly fix?: string;
  readonly object?: {
    readonly group: string;
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
  };
  readonly path?: FieldPath;
  readonly place?: Place;
}

export function toDiagnosticDocument(diagnostic: Diagnostic): DiagnosticDocument {
  const { code, severity, what, why, fix, object, path, place } = diagnostic;
  const mask = newMask();
  const text = (value: string): string => maskText(value, mask);
  return {
    code,
    severity,
    what: text(what),
    ...(why === undefined ? {} : { why: text(why) }),
    ...(fix === undefined ? {} : { fix: text(fix) }),
    ...(object === undefined
      ? {}
      : {
          object: {
            group: object.group,
            kind: object.kind,
            ...(object.namespace === '' ? {} : { namespace: object.namespace }),
            name: object.name,
          },
        }),
    ...(path === undefined ? {} : { path }),
    ...(place === undefined ? {} : { place }),
  };
}
