import { META, META_BYTES } from '#source/files/state-folder.ts';
import type { Fault } from '#source/text/problem.ts';
import { openBlobs } from './blobs.ts';
import { type CommitFolder, nodesBelow, readListing } from './commit-node.ts';
import { type CommitTree, commitTree } from './commit-tree.ts';
import { type Commit, findCommit, firstLine } from './find-commit.ts';
import { type GitPlace, runGit } from './git.ts';

export interface RevisionPlace extends GitPlace {
  /** A branch, tag or commit: `origin/main`, `HEAD~1`. */
  readonly revision: string;
}

/** All of a commit but what its files hold. */
export interface OpenedCommit {
  readonly commit: Commit;
  readonly root: CommitFolder;
  readonly tree: CommitTree;
}

export function unreadObjects({ revision }: RevisionPlace, message: string): Fault {
  return {
    code: 'RevisionUnreadable',
    what: `the files of ${revision} cannot be read: ${firstLine(message)}`,
    why: 'manifests of a revision are read from the objects that the clone has; nothing is fetched',
    fix: 'clone without a filter (`--filter=blob:none`), or run `git fetch --refetch --no-filter`',
  };
}

/** Contents that are looked at while files are listed: targets of links, and what may mark a state folder. */
async function smallContents(
  root: CommitFolder,
  place: RevisionPlace,
): Promise<ReadonlyMap<string, Uint8Array> | { readonly fault: Fault }> {
  const ids = [...nodesBelow(root)].flatMap(([path, node]) =>
    node.type === 'link' || (node.type === 'file' && path.endsWith(`/${META}`)) ? [node.id] : [],
  );
  const opened = await openBlobs(ids, META_BYTES, place);
  if (!('blobs' in opened)) return { fault: unreadObjects(place, opened.message) };
  const small = new Map<string, Uint8Array>();
  try {
    for (const id of new Set(ids)) {
      const bytes = await opened.blobs.read(id);
      if (bytes !== undefined) small.set(id, bytes);
    }
  } catch (error) {
    return { fault: unreadObjects(place, String(error)) };
  }
  return small;
}

export async function openCommit(place: RevisionPlace): Promise<OpenedCommit | { readonly fault: Fault }> {
  const found = await findCommit(place.revision, place);
  if ('fault' in found) return found;
  const { commit } = found;
  const listed = await runGit(['ls-tree', '-r', '-z', '--full-tree', commit.id], place);
  if (!listed.ok) return { fault: unreadObjects(place, listed.message) };
  const root = readListing(listed.stdout);
  const small = await smallContents(root, place);
  if ('fault' in small) return small;
  return { commit, root, tree: commitTree(root, small, place.revision) };
}
