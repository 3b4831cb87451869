import type { Tree, TreeEntry } from '#source/files/tree.ts';
import type { CommitFolder, CommitNode } from './commit-node.ts';
import { followPath, systemError } from './follow-path.ts';

export interface CommitTree extends Tree {
  /** The content of a file; undefined for what is none. */
  readonly idOf: (path: string) => string | undefined;
}

/**
 * The files of one commit. Paths are absolute, `/` being the top of the repository.
 * @param small contents that are looked at while files are listed, by their ids: targets of links, and short files
 * @param revision as the user named it: files are shown as `REVISION:PATH`, which git understands too
 */
export function commitTree(
  root: CommitFolder,
  small: ReadonlyMap<string, Uint8Array>,
  revision: string,
): CommitTree {
  function targetOf(node: CommitNode): string {
    const bytes = node.type === 'link' ? small.get(node.id) : undefined;
    if (bytes === undefined) throw systemError('ENAMETOOLONG');
    return new TextDecoder().decode(bytes);
  }

  function at(path: string, last = true): CommitNode {
    const found = followPath(path, { root, targetOf, last });
    if (found === undefined) throw systemError('ENOENT');
    return found.node;
  }

  function entries(path: string): readonly TreeEntry[] {
    const node = at(path);
    if (node.type === 'submodule') throw systemError('ESUBMODULE');
    if (node.type !== 'folder') throw systemError('ENOTDIR');
    return [...node.children].map(([name, { type }]) => ({
      name,
      type: type === 'submodule' ? 'folder' : type,
    }));
  }

  return {
    separator: '/',
    entries,
    resolve: (path) => followPath(path, { root, targetOf })?.path,
    isFolder: (path) => ['folder', 'submodule'].includes(at(path).type),
    linkTarget: (path) => targetOf(at(path, false)),
    readSmall: (path, limit) => {
      const node = at(path);
      const bytes = node.type === 'file' ? small.get(node.id) : undefined;
      return bytes !== undefined && bytes.length <= limit ? bytes : undefined;
    },
    idOf: (path) => {
      const node = at(path);
      return node.type === 'file' ? node.id : undefined;
    },
    shownBelow: (shown, name) => (shown === `${revision}:` ? `${shown}${name}` : `${shown}/${name}`),
  };
}
