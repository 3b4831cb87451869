export type CommitNode =
  | CommitFolder
  /** `id` is that of the content. */
  | { readonly type: 'file' | 'link'; readonly id: string }
  | { readonly type: 'submodule' };

export interface CommitFolder {
  readonly type: 'folder';
  readonly children: Map<string, CommitNode>;
}

function newFolder(): CommitFolder {
  return { type: 'folder', children: new Map() };
}

function nodeOf(mode: string, id: string): CommitNode {
  if (mode === '160000') return { type: 'submodule' };
  return { type: mode === '120000' ? 'link' : 'file', id };
}

function folderIn(parent: CommitFolder, name: string): CommitFolder {
  const known = parent.children.get(name);
  if (known?.type === 'folder') return known;
  const folder = newFolder();
  parent.children.set(name, folder);
  return folder;
}

/** What `git ls-tree -r -z` prints: `MODE TYPE ID`, a tab, the path, a zero byte; again and again. */
export function readListing(stdout: Uint8Array): CommitFolder {
  const root = newFolder();
  for (const line of new TextDecoder().decode(stdout).split('\0')) {
    const tab = line.indexOf('\t');
    if (tab < 0) continue;
    const [mode = '', , id = ''] = line.slice(0, tab).split(' ');
    const steps = line.slice(tab + 1).split('/');
    const name = steps.pop() ?? '';
    steps.reduce(folderIn, root).children.set(name, nodeOf(mode, id));
  }
  return root;
}

/** All that is no folder, with its path from the top: `/apps/a.yaml`. */
export function* nodesBelow(
  folder: CommitFolder,
  path = '',
): Generator<readonly [path: string, node: Exclude<CommitNode, CommitFolder>]> {
  for (const [name, node] of folder.children) {
    const at = `${path}/${name}`;
    if (node.type === 'folder') yield* nodesBelow(node, at);
    else yield [at, node];
  }
}
