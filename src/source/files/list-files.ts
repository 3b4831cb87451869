import { relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '#core/diagnostic.ts';
import { fileDiagnostic, isAbsence, unreadable } from './file-fault.ts';
import { listFolder, type ManifestFile } from './list-folder.ts';
import { isBelow } from './tree.ts';
import { workTree } from './work-tree.ts';

export const standardInput = '-';

export interface Listing {
  readonly files: readonly ManifestFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** Paths of the request that lead nowhere, which is for others to judge. */
  readonly absent: readonly string[];
}

export interface ListRequest {
  readonly paths: readonly string[];
  readonly recursive: boolean;
  readonly cwd?: string;
  /** The state folder, which is not read when it lies in one of the folders. */
  readonly state?: string;
  /** A path that is not there is no fault: another side of a comparison may have it. */
  readonly mayBeAbsent?: boolean;
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

function realPath(path: string): string | undefined {
  try {
    return workTree.resolve(path);
  } catch {
    return undefined;
  }
}

function pathOf(given: string, { cwd }: ListRequest): string {
  return cwd === undefined ? resolve(given) : resolve(cwd, given);
}

interface WorkingFolder {
  readonly folder: string;
  /** Behind all links; undefined where it cannot be told. */
  readonly root: string | undefined;
}

/**
 * Where a path in the working directory leads, seen from there, when that is out of it. In a checkout of somebody
 * else's change a shell may have named the link (`apps/*.yaml`), and not the user; `link/.` names what is behind it.
 */
function linkedOutside(given: string, path: string, { folder, root }: WorkingFolder): string | undefined {
  if (slashed(given).endsWith('/.') || !isBelow(workTree, folder, path)) return undefined;
  const target = realPath(path);
  const isInside = root === undefined || target === undefined || isBelow(workTree, root, target);
  return isInside ? undefined : slashed(relative(root, target));
}

function leavesWorkingFolder(shown: string, target: string): Diagnostic {
  return fileDiagnostic(shown, {
    code: 'LinkLeavesTree',
    what: `${shown} is a link out of the working directory, to ${target}`,
    why: 'whoever may write here must not choose what else is read',
    fix: 'name the target itself',
  });
}

export function oneFile(shown: string, path: string): Listing {
  return { files: [{ shown, path, scanned: false }], diagnostics: [], absent: [] };
}

/** A path that gives no file, and why. */
export function nothingOf(diagnostic: Diagnostic): Listing {
  return { files: [], diagnostics: [diagnostic], absent: [] };
}

export function absentPath(given: string): Listing {
  return { files: [], diagnostics: [], absent: [given] };
}

function listPath(
  given: string,
  request: ListRequest,
  working: WorkingFolder,
  state: string | undefined,
): Listing {
  const shown = slashed(given);
  if (given === standardInput) return oneFile(shown, given);
  const path = pathOf(given, request);
  const outside = linkedOutside(given, path, working);
  if (outside !== undefined) return nothingOf(leavesWorkingFolder(shown, outside));
  try {
    if (workTree.isFolder(path)) {
      const listed = listFolder({
        tree: workTree,
        path,
        shown,
        recursive: request.recursive,
        state,
        hints: true,
      });
      return { ...listed, absent: [] };
    }
    return oneFile(shown, path);
  } catch (error) {
    if (request.mayBeAbsent === true && isAbsence(error)) return absentPath(given);
    return nothingOf(unreadable(shown, error));
  }
}

function identityOf(file: ManifestFile): string {
  return file.path === standardInput ? standardInput : (realPath(file.path) ?? file.path);
}

/**
 * Each file once, however many paths lead to it. The first path names it; that the user named it by any of them is
 * what counts for how strictly it is taken.
 */
export function uniqueFiles(
  listings: readonly Listing[],
  identityOf: (file: ManifestFile) => string,
): Listing {
  const files = new Map<string, ManifestFile>();
  for (const file of listings.flatMap((listing) => listing.files)) {
    const identity = identityOf(file);
    const known = files.get(identity);
    files.set(identity, known === undefined ? file : { ...known, scanned: known.scanned && file.scanned });
  }
  return {
    files: [...files.values()],
    diagnostics: listings.flatMap(({ diagnostics }) => diagnostics),
    absent: listings.flatMap(({ absent }) => absent),
  };
}

/** The files that a request means, in its order. */
export function listFiles(request: ListRequest): Listing {
  const state = request.state === undefined ? undefined : realPath(pathOf(request.state, request));
  const folder = pathOf('.', request);
  const working = { folder, root: realPath(folder) };
  return uniqueFiles(
    request.paths.map((given) => listPath(given, request, working, state)),
    identityOf,
  );
}
