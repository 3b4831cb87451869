import type { Diagnostic } from '#core/diagnostic.ts';
import { keyOf, keyText } from '#core/object/key.ts';
import { type ParsedManifest, type ParseOptions, parseManifest } from '#source/parse.ts';

/** A diagnostic in one line: `error DuplicateKey f.yaml:9:3 (1)`. */
export function headline({ severity, code, place }: Diagnostic): string {
  if (place === undefined) return `${severity} ${code}`;
  const document = place.document === undefined ? '' : ` (${place.document})`;
  return `${severity} ${code} ${place.file}:${place.line}:${place.column}${document}`;
}

export interface Summary {
  readonly objects: readonly string[];
  readonly found: readonly string[];
  readonly complete: boolean;
}

export function summarize({ objects, diagnostics, complete }: ParsedManifest): Summary {
  return {
    objects: objects.map(({ object }) => keyText(keyOf(object))),
    found: diagnostics.map(headline),
    complete,
  };
}

export function parsed(text: string, options?: ParseOptions, file = 'f.yaml'): Summary {
  return summarize(parseManifest(file, text, options));
}

/** A CronJob of three lines, `spec` not included. */
export function cronJob(name: string): string {
  return `apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: ${name}, namespace: harbor}\n`;
}
