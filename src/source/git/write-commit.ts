import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { defaultLimits } from '#source/limits.ts';
import type { Fault } from '#source/text/problem.ts';
import { openBlobs } from './blobs.ts';
import { nodesBelow } from './commit-node.ts';
import { type OpenedCommit, type RevisionPlace, unreadObjects } from './open-commit.ts';

const MOST_FILES = 50_000;
const MOST_BYTES = 512 * 1024 * 1024;

/** Git refuses to make such names; whoever made a repository by hand must not write beside the folder. */
function isSafe(path: string): boolean {
  return path
    .slice(1)
    .split('/')
    .every((step) => step !== '' && step !== '.' && step !== '..' && step.toLowerCase() !== '.git');
}

function tooMuch({ revision }: RevisionPlace): Fault {
  const what = `${revision} holds more than ${MOST_FILES} files or ${MOST_BYTES} bytes`;
  const why = 'what is built may need any of its files, so all of them are written out for it';
  const fix = `check it out by \`git worktree add FOLDER ${revision}\`, and name that folder`;
  return { code: 'LimitExceeded', what, why, fix };
}

/**
 * Writes the files of a commit to an empty folder: contents as they are stored, without the filters, line ends and
 * export rules that the repository configures. Links that leave the repository, submodules and what is larger than a
 * manifest may be are left out.
 * @returns why it cannot
 */
export async function writeCommit(
  { root, tree }: OpenedCommit,
  folder: string,
  place: RevisionPlace,
): Promise<Fault | undefined> {
  const nodes = [...nodesBelow(root)].filter(([path]) => isSafe(path));
  const files = nodes.flatMap(([path, node]) => (node.type === 'file' ? [{ path, id: node.id }] : []));
  const opened = await openBlobs(
    files.map(({ id }) => id),
    defaultLimits.fileBytes,
    place,
  );
  if (!('blobs' in opened)) return unreadObjects(place, opened.message);
  const { blobs } = opened;
  const bytes = files.reduce((sum, { id }) => sum + Math.min(blobs.sizeOf(id) ?? 0, MOST_BYTES + 1), 0);
  if (files.length > MOST_FILES || bytes > MOST_BYTES) return tooMuch(place);
  try {
    for (const { path, id } of files) {
      const content = await blobs.read(id);
      if (content !== undefined) await writeNew(join(folder, path), content);
    }
  } catch (error) {
    return unreadObjects(place, error instanceof Error ? error.message : String(error));
  }
  // Behind the files, so that none of them is written through a link.
  for (const [path, node] of nodes) {
    if (node.type === 'link') await writeLink(path, tree, folder);
  }
  return undefined;
}

async function writeNew(path: string, content: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { flag: 'wx' });
}

/** A link that leads nowhere is left out too: whoever needs it finds nothing either way. */
async function writeLink(path: string, tree: OpenedCommit['tree'], folder: string): Promise<void> {
  try {
    if (tree.resolve(path) === undefined) return;
  } catch {
    return;
  }
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await symlink(tree.linkTarget(path), join(folder, path));
}
