import { realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { Diagnostic } from '#core/diagnostic.ts';
import { unreadable } from './file-fault.ts';
import { listFolder, type ManifestFile } from './list-folder.ts';

export const standardInput = '-';

export interface Listing {
  readonly files: readonly ManifestFile[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ListRequest {
  readonly paths: readonly string[];
  readonly recursive: boolean;
  readonly cwd?: string;
  /** The state folder, which is not read when it lies in one of the folders. */
  readonly state?: string;
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function pathOf(given: string, { cwd }: ListRequest): string {
  return cwd === undefined ? resolve(given) : resolve(cwd, given);
}

function listPath(given: string, request: ListRequest, state: string | undefined): Listing {
  const shown = slashed(given);
  if (given === standardInput) return { files: [{ shown, path: given, scanned: false }], diagnostics: [] };
  const path = pathOf(given, request);
  try {
    const isFolder = statSync(path).isDirectory();
    if (isFolder) return listFolder({ path, shown, recursive: request.recursive, state });
    return { files: [{ shown, path, scanned: false }], diagnostics: [] };
  } catch (error) {
    return { files: [], diagnostics: [unreadable(shown, error)] };
  }
}

function identityOf(file: ManifestFile): string {
  return file.path === standardInput ? standardInput : (realPath(file.path) ?? file.path);
}

/**
 * The files that a request means, in its order, each once however many paths lead to it. The first path names it; that
 * the user named it by any of them is what counts for how strictly it is taken.
 */
export function listFiles(request: ListRequest): Listing {
  const files = new Map<string, ManifestFile>();
  const diagnostics: Diagnostic[] = [];
  const state = request.state === undefined ? undefined : realPath(pathOf(request.state, request));
  for (const given of request.paths) {
    const listed = listPath(given, request, state);
    diagnostics.push(...listed.diagnostics);
    for (const file of listed.files) {
      const identity = identityOf(file);
      const known = files.get(identity);
      files.set(identity, known === undefined ? file : { ...known, scanned: known.scanned && file.scanned });
    }
  }
  return { files: [...files.values()], diagnostics };
}
