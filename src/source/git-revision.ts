import { fileDiagnostic, isAbsence, unreadable } from './files/file-fault.ts';
import {
  absentPath,
  type Listing,
  nothingOf,
  oneFile,
  standardInput,
  uniqueFiles,
} from './files/list-files.ts';
import { listFolder } from './files/list-folder.ts';
import { tooLarge } from './files/read-bytes.ts';
import { type Blobs, openBlobs } from './git/blobs.ts';
import type { CommitTree } from './git/commit-tree.ts';
import { type OpenedCommit, openCommit, type RevisionPlace, unreadObjects } from './git/open-commit.ts';
import { pathInCommit } from './git/path-in-commit.ts';
import { defaultLimits } from './limits.ts';
import { collectManifests, type Manifests, noManifests, type ReadFile } from './manifests.ts';
import type { Fault } from './text/problem.ts';

export interface RevisionRequest extends RevisionPlace {
  /** Files and folders as the user gave them; relative ones start from `cwd`, which lies in the repository. */
  readonly paths: readonly string[];
  /** Read sub-folders too. */
  readonly recursive: boolean;
}

export interface RevisionManifests extends Manifests {
  /** Undefined when the revision cannot be read; a diagnostic says why. */
  readonly commit: string | undefined;
}

/**
 * Reads the manifests that a Git revision has under the given paths. Only objects of the clone are read: the work tree,
 * the index, hooks and remotes are not touched. A path that the revision does not have is no fault by itself: a folder
 * that a branch brings in is missing on the other side. Files are named `REVISION:PATH` in places, the path
 * starting at the top of the repository.
 */
export async function readRevision(request: RevisionRequest): Promise<RevisionManifests> {
  const opened = await openCommit(request);
  if ('fault' in opened) return unreadRevision(opened.fault);
  const { commit, tree } = opened;
  const listing = uniqueFiles(
    request.paths.map((given) => listPath(given, opened, request)),
    ({ path }) => tree.resolve(path) ?? path,
  );
  const ids = listing.files.flatMap(({ path }) => tree.idOf(path) ?? []);
  const contents = await openBlobs(ids, defaultLimits.fileBytes, request);
  if (!('blobs' in contents)) return unreadRevision(unreadObjects(request, contents.message));
  const manifests = await collectManifests(listing, fileReader(tree, contents.blobs));
  return { ...manifests, commit: commit.id };
}

export function unreadRevision(fault: Fault): RevisionManifests {
  return { ...noManifests({ ...fault, severity: 'error' }), commit: undefined };
}

function listPath(
  given: string,
  { commit, tree }: OpenedCommit,
  { revision, recursive, cwd }: RevisionRequest,
): Listing {
  if (given === standardInput) return refused(standardInput, 'is standard input, which has no revisions');
  const path = pathInCommit(given, commit, cwd);
  try {
    const resolved = path === undefined ? undefined : tree.resolve(path);
    if (resolved === undefined) return refused(given, 'leads out of the repository');
    const shown = `${revision}:${resolved.slice(1)}`;
    if (!tree.isFolder(resolved)) return oneFile(shown, resolved);
    return { ...listFolder({ tree, path: resolved, shown, recursive }), absent: [] };
  } catch (error) {
    if (isAbsence(error)) return absentPath(given);
    return nothingOf(unreadable(`${revision}:${path?.slice(1) ?? given}`, error));
  }
}

function refused(given: string, what: string): Listing {
  const fault: Fault = {
    code: 'FileUnreadable',
    what: `${given} ${what}`,
    fix: 'name files and folders of the repository that the working directory is in',
  };
  return nothingOf(fileDiagnostic(given, fault));
}

function fileReader(tree: CommitTree, blobs: Blobs): ReadFile {
  return async ({ path }) => {
    const id = tree.idOf(path);
    const size = id === undefined ? undefined : blobs.sizeOf(id);
    if (size !== undefined && size > defaultLimits.fileBytes) return tooLarge(defaultLimits.fileBytes);
    const bytes = id === undefined ? undefined : await blobs.read(id);
    if (bytes !== undefined) return { bytes };
    const what = 'is missing from this clone';
    return { fault: { code: 'FileUnreadable', what, fix: 'fetch it: `git fetch --refetch`' } };
  };
}
