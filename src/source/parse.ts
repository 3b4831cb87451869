import type { Diagnostic } from '#core/diagnostic.ts';
import type { SourcedObject } from '#core/object/object.ts';
import type { UnusableObject } from '#core/object/unusable-object.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { refuseDuplicates } from './objects/duplicates.ts';
import { CIPHERTEXT, envelope, isEnvelope } from './objects/encrypted.ts';
import { type FileContext, readDocument } from './read-document.ts';
import { placesIn } from './text/line-index.ts';
import type { Fault } from './text/problem.ts';
import { splitDocuments } from './text/split-documents.ts';

export interface ParseOptions {
  readonly limits?: Partial<Limits>;
  /** The file was found in a folder: what is no object at all is then a warning, not an error. */
  readonly scanned?: boolean;
}

export interface ParsedManifest {
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** Objects that are spelled out and cannot be used; they may exist. */
  readonly unusable: readonly UnusableObject[];
  /** Every document was read, and every object in them can be used. */
  readonly complete: boolean;
}

/** An error loses an object, and so does a document that cannot be decrypted, whatever its severity. */
export function isComplete(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ severity, code }) => severity !== 'error' && code !== 'EncryptedFile');
}

/** Line breaks that go-yaml knows and the parser does not; a byte order mark where files were joined. */
function normalized(text: string): string {
  const joined = text.includes('\uFEFF') ? text.replace(/(?<![^\n])\uFEFF/g, '') : text;
  return joined.includes('\r') ? joined.replace(/\r(?!\n)/g, '\n') : joined;
}

function refusedFile(file: string, fault: Fault): ParsedManifest {
  const diagnostic: Diagnostic = { ...fault, severity: 'error', place: { file, line: 1, column: 1 } };
  return { objects: [], diagnostics: [diagnostic], unusable: [], complete: false };
}

const MOST = 'what one file may cost is bounded, so that no file holds a tick up';

function beyond(limit: string): Fault {
  return {
    code: 'LimitExceeded',
    what: `the file holds more than ${limit}`,
    why: MOST,
    fix: 'split the file',
  };
}

/** The objects of one file, those that stand in it twice still included: the other copy may be in another file. */
export function parseFile(file: string, content: string, options: ParseOptions = {}): ParsedManifest {
  const limits = { ...defaultLimits, ...options.limits };
  if (content.length > limits.fileBytes) return refusedFile(file, beyond(`${limits.fileBytes} bytes`));
  if (isEnvelope(content)) return refusedFile(file, envelope);
  const text = normalized(content);
  const pieces = splitDocuments(text, limits.documents);
  if (pieces.length > limits.documents) return refusedFile(file, beyond(`${limits.documents} documents`));
  const context: FileContext = {
    file,
    limits,
    scalars: 'kubectl',
    scanned: options.scanned === true,
    hasCiphertext: text.includes(CIPHERTEXT),
    placeAt: placesIn(file, text),
    expansion: 0,
    documents: 0,
  };
  const read = pieces.flatMap((piece) => readDocument(piece, context));
  const diagnostics = read.flatMap((document) => document.diagnostics);
  return {
    objects: read.flatMap((document) => document.objects),
    diagnostics,
    unusable: read.flatMap((document) => document.unusable),
    complete: isComplete(diagnostics),
  };
}

/**
 * The objects of one text, as kubectl would read it, with places. Faults become diagnostics, never exceptions; one
 * document with a fault leaves the others as they are.
 * @param file shown in places
 */
export function parseManifest(file: string, text: string, options: ParseOptions = {}): ParsedManifest {
  const parsed = parseFile(file, text, options);
  const unique = refuseDuplicates(parsed.objects);
  const diagnostics = [...parsed.diagnostics, ...unique.diagnostics];
  const unusable = [...parsed.unusable, ...unique.unusable];
  return { objects: unique.objects, diagnostics, unusable, complete: isComplete(diagnostics) };
}
