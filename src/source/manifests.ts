import type { Diagnostic } from '#core/diagnostic.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { decodeText } from './files/decode-text.ts';
import { fileDiagnostic, unreadable } from './files/file-fault.ts';
import { listFiles, standardInput } from './files/list-files.ts';
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
}

export interface Manifests {
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** Every file and document was read: an object that is not here does not exist in this source. */
  readonly complete: boolean;
}

/**
 * Reads manifests as kubectl would read them, each object with the places of its fields. Nothing throws: what cannot
 * be read or used becomes a diagnostic, and the rest goes on.
 */
export async function readManifests(request: ManifestRequest): Promise<Manifests> {
  const listing = listFiles(request);
  const diagnostics: Diagnostic[] = [...listing.diagnostics];
  const objects: SourcedObject[] = [];
  for (const file of listing.files) {
    const parsed = await readManifest(file, request);
    for (const object of parsed.objects) objects.push(object);
    for (const diagnostic of parsed.diagnostics) diagnostics.push(diagnostic);
  }
  const unique = refuseDuplicates(objects);
  diagnostics.push(...unique.diagnostics);
  return { objects: unique.objects, diagnostics, complete: isComplete(diagnostics) };
}

async function readManifest(file: ManifestFile, request: ManifestRequest): Promise<ParsedManifest> {
  const { shown, scanned } = file;
  const read = await bytesOf(file, request);
  if ('diagnostic' in read) return refused(read.diagnostic);
  const decoded = decodeText(read.bytes);
  if ('fault' in decoded) return refused(fileDiagnostic(shown, decoded.fault, 'error', decoded.line));
  return parseFile(shown, decoded.text, { scanned });
}

type Read = { readonly bytes: Uint8Array } | { readonly diagnostic: Diagnostic };

async function bytesOf(file: ManifestFile, request: ManifestRequest): Promise<Read> {
  const { shown } = file;
  try {
    const read = await (file.path === standardInput
      ? readInput(request)
      : readBytes(file.path, defaultLimits.fileBytes));
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

function refused(diagnostic: Diagnostic): ParsedManifest {
  return { objects: [], diagnostics: [diagnostic], complete: false };
}
