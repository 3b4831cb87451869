import type { Diagnostic } from '#core/diagnostic.ts';
import { keyOf } from '#core/object/key.ts';
import type { SourcedObject } from '#core/object/object.ts';
import type { UnusableObject } from '#core/object/unusable-object.ts';
import { decodeText } from './files/decode-text.ts';
import { fileDiagnostic, unreadable } from './files/file-fault.ts';
import { type Listing, listFiles, standardInput } from './files/list-files.ts';
import type { ManifestFile } from './files/list-folder.ts';
import { type FileBytes, readBytes, tooLarge } from './files/read-bytes.ts';
import { defaultLimits } from './limits.ts';
import { refuseDuplicates } from './objects/duplicates.ts';
import { isComplete, type ParsedManifest, parseFile } from './parse.ts';

export interface ManifestRequest {
  /** Files, folders, and `-` for standard input, as the user gave them. */
  readonly paths: readonly string[];
  /** Read sub-folders too. */
  readonly recursive: boolean;
  /** All of standard input; asked for once, and only when a path is `-`. */
  readonly stdin?: () => Promise<Uint8Array>;
  /** What relative paths start from; the working directory of the process when absent. */
  readonly cwd?: string;
  /** The state folder of the tick: not entered when it lies in a folder that is read, whatever state it is in. */
  readonly state?: string;
  /** A path that is not there is no fault: another side of a comparison may have it. */
  readonly mayBeAbsent?: boolean;
}

export interface Manifests {
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** Objects that are spelled out and cannot be used; they may exist. */
  readonly unusable: readonly UnusableObject[];
  /** Every file and document was read: an object that is not here does not exist in this source. */
  readonly complete: boolean;
  /** Paths that were named and lead nowhere, where that is no fault by itself. */
  readonly absent: readonly string[];
}

/**
 * Reads manifests as kubectl would read them, each object with the places of its fields. Nothing throws: what cannot
 * be read or used becomes a diagnostic, and the rest goes on.
 */
export function readManifests(request: ManifestRequest): Promise<Manifests> {
  return collectManifests(listFiles(request), (file) =>
    file.path === standardInput ? readInput(request) : readBytes(file.path, defaultLimits.fileBytes),
  );
}

const NOTHING: Manifests = { objects: [], diagnostics: [], unusable: [], complete: true, absent: [] };

/** Of a source that gives nothing but this: an error leaves open what it holds, a warning does not. */
export function noManifests(diagnostic: Diagnostic): Manifests {
  return { ...NOTHING, diagnostics: [diagnostic], complete: isComplete([diagnostic]) };
}

/** Of a folder that is not there, where that is no fault by itself. */
export function absentFolder(given: string): Manifests {
  return { ...NOTHING, absent: [given] };
}

/** May throw the system's error; the fault that it returns lacks its subject, the file. */
export type ReadFile = (file: ManifestFile) => FileBytes | Promise<FileBytes>;

/** What all files hold together, wherever they stand. */
export async function collectManifests(listing: Listing, readFile: ReadFile): Promise<Manifests> {
  const diagnostics: Diagnostic[] = [...listing.diagnostics];
  const objects: SourcedObject[] = [];
  const unusable: UnusableObject[] = [];
  for (const file of listing.files) {
    const parsed = await readManifest(file, readFile);
    for (const object of parsed.objects) objects.push(object);
    for (const diagnostic of parsed.diagnostics) diagnostics.push(diagnostic);
    for (const object of parsed.unusable) unusable.push(object);
  }
  const unique = refuseDuplicates(objects);
  for (const diagnostic of unique.diagnostics) diagnostics.push(diagnostic);
  for (const object of unique.unusable) unusable.push(object);
  const { absent } = listing;
  return { objects: unique.objects, diagnostics, unusable, complete: isComplete(diagnostics), absent };
}

async function readManifest(file: ManifestFile, readFile: ReadFile): Promise<ParsedManifest> {
  const { shown, scanned } = file;
  const read = await bytesOf(file, readFile);
  if ('diagnostic' in read) return noManifests(read.diagnostic);
  const decoded = decodeText(read.bytes);
  if ('fault' in decoded) {
    const diagnostic = fileDiagnostic(shown, decoded.fault, 'error', decoded.line);
    return { ...noManifests(diagnostic), unusable: unusableIn(file, read.bytes) };
  }
  return parseFile(shown, decoded.text, { scanned });
}

/** A byte that is no UTF-8, in a comment perhaps, leaves most of a file legible: enough to tell what it is about. */
function unusableIn({ shown, scanned }: ManifestFile, bytes: Uint8Array): readonly UnusableObject[] {
  const { objects, unusable } = parseFile(shown, new TextDecoder().decode(bytes), { scanned });
  const legible = objects.map(({ object, placeOf }): UnusableObject => {
    const place = placeOf?.([]);
    return { key: keyOf(object), namespaceTold: true, ...(place === undefined ? {} : { place }) };
  });
  return [...unusable, ...legible];
}

type Read = { readonly bytes: Uint8Array } | { readonly diagnostic: Diagnostic };

async function bytesOf(file: ManifestFile, readFile: ReadFile): Promise<Read> {
  const { shown } = file;
  try {
    const read = await readFile(file);
    if ('bytes' in read) return read;
    return { diagnostic: fileDiagnostic(shown, { ...read.fault, what: `${shown} ${read.fault.what}` }) };
  } catch (error) {
    return { diagnostic: unreadable(shown, error) };
  }
}

async function readInput({ stdin }: ManifestRequest): Promise<FileBytes> {
  if (stdin === undefined)
    return { fault: { code: 'FileUnreadable', what: 'stands for standard input, and there is none' } };
  const bytes = await stdin();
  return bytes.length > defaultLimits.fileBytes ? tooLarge(defaultLimits.fileBytes) : { bytes };
}
