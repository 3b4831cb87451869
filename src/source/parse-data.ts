import type { Diagnostic } from '#core/diagnostic.ts';
import type { FieldPath, Json, Place } from '#core/object/object.ts';
import { defaultLimits } from './limits.ts';
import { type FileContext, readPiece } from './read-document.ts';
import { placesIn } from './text/line-index.ts';
import { findMark } from './text/marks.ts';
import { splitDocuments } from './text/split-documents.ts';

/** One document that is no object of the API, such as a configuration; null when the text holds nothing. */
export interface ParsedData {
  readonly value: Json;
  readonly placeOf: (path: FieldPath) => Place;
  /** With an error among them nothing of the value may be used. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads YAML 1.2 or JSON with the limits and places of manifests: `off`, `no` and `y` are texts here. Nothing throws. */
export function parseData(file: string, text: string): ParsedData {
  const placeAt = placesIn(file, text);
  const pieces = splitDocuments(text, 2);
  const [first] = pieces;
  if (first === undefined) return { value: null, placeOf: () => placeAt(0), diagnostics: [] };
  const context: FileContext = {
    file,
    limits: defaultLimits,
    scalars: 'core',
    scanned: false,
    hasCiphertext: false,
    placeAt,
    expansion: 0,
    documents: 0,
  };
  const readings = readPiece(first, context);
  const diagnostics = readings.flatMap(({ findings }) =>
    findings.problems().map(({ at, ...finding }): Diagnostic => ({ ...finding, place: placeAt(at) })),
  );
  const second = pieces[1];
  if (second !== undefined || readings.length > 1) {
    const what = 'the file holds more than one document, and one is read';
    diagnostics.push({
      code: 'InvalidYaml',
      severity: 'error',
      place: placeAt(second?.start ?? first.start),
      what,
    });
  }
  const built = readings[0]?.built ?? { value: null, marks: 0 };
  return { value: built.value, placeOf: (path) => placeAt(findMark(built.marks, path)), diagnostics };
}
