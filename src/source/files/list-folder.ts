import type { Diagnostic } from '#core/diagnostic.ts';
import { fileDiagnostic, unreadable } from './file-fault.ts';
import { isKustomization, nameOf, passedFoldersNote } from './passed-folders.ts';
import { isStateFolder, stateFolderNamed } from './state-folder.ts';
import { isBelow, joinPath, type Tree, type TreeEntry } from './tree.ts';

/** A file to read: how the user knows it, and where it is. */
export interface ManifestFile {
  readonly shown: string;
  readonly path: string;
  /** Found in a folder, not named by the user. */
  readonly scanned: boolean;
}

export interface FolderRequest {
  readonly tree: Tree;
  readonly path: string;
  readonly shown: string;
  readonly recursive: boolean;
  /** Real path of a folder that is not entered, whatever it holds. */
  readonly state?: string | undefined;
  /** Sub-folders that are not read are looked into, to say so; in a commit each look would be a call of git. */
  readonly hints?: boolean;
}

/** What was found so far in the tree below one folder. */
interface Walk {
  readonly tree: Tree;
  /** Real path of the folder that the user named. */
  readonly root: string;
  readonly recursive: boolean;
  /** The state folder as the walk would meet it. */
  readonly state: string | undefined;
  readonly files: ManifestFile[];
  readonly diagnostics: Diagnostic[];
  /** Sub-folders that were not read, because nobody asked for them. */
  readonly passedFolders: string[];
  /** Where links to files lead. */
  readonly linked: string[];
}

const MANIFEST = /\.(?:ya?ml|json)$/;

/** By code point, which no locale changes. */
function byName(a: TreeEntry, b: TreeEntry): number {
  return a.name < b.name ? -1 : 1;
}

/** `..data` and its like are how the kubelet swaps a mounted ConfigMap; their files show up under their own names. */
function isSkipped(name: string): boolean {
  return name.startsWith('..') || name === '.git';
}

/** Links to folders are never followed, so that below the root a path differs from its real path by the root alone. */
function metAs({ tree, path }: FolderRequest, root: string, state: string | undefined): string | undefined {
  if (state === undefined || state === root || !isBelow(tree, root, state)) return undefined;
  return joinPath(tree, path, state.slice(joinPath(tree, root, '').length));
}

/**
 * The manifests of a folder as kubectl picks them: *.yaml, *.yml and *.json by name, sub-folders only when asked.
 * A link may lead to another place of the same tree, not out of it: a pull request must not choose what else is read.
 */
export function listFolder(request: FolderRequest): Pick<Walk, 'files' | 'diagnostics'> {
  const { tree, path, shown, recursive } = request;
  const root = tree.resolve(path) ?? path;
  const walk: Walk = {
    tree,
    root,
    recursive,
    state: metAs(request, root, request.state),
    files: [],
    diagnostics: [],
    passedFolders: [],
    linked: [],
  };
  walkFolder(path, shown, walk, () => walk.diagnostics.push(stateFolderNamed(shown)));
  if (request.hints === true && walk.files.length > 0) notePassed(request, walk);
  if (walk.files.length === 0 && walk.diagnostics.length === 0) {
    const what = `${shown} holds no *.yaml, *.yml or *.json`;
    const fix = walk.passedFolders.some((folder) => mayHoldManifests(folder, tree))
      ? 'add -R to read its sub-folders'
      : 'name a folder with manifests';
    walk.diagnostics.push(fileDiagnostic(shown, { code: 'EmptyFolder', what, fix }, 'warning'));
  }
  return walk;
}

/** Somebody chose by links what of it is read. */
function isLinkedInto(folder: string, { tree, root, linked }: Walk): boolean {
  const resolved = joinPath(tree, root, nameOf(folder, tree));
  return linked.some((target) => isBelow(tree, resolved, target));
}

function notePassed({ tree, path, shown }: FolderRequest, walk: Walk): void {
  const folders = walk.passedFolders.filter(
    (folder) => !MANIFEST.test(folder) && !isLinkedInto(folder, walk),
  );
  if (folders.length === 0 || isKustomization(tree.entries(path))) return;
  const note = passedFoldersNote(shown, folders, walk);
  if (note !== undefined) walk.diagnostics.push(note);
}

function mayHoldManifests(path: string, tree: Tree): boolean {
  try {
    return !isStateFolder(tree, path, tree.entries(path));
  } catch {
    return true;
  }
}

/** @param foundState called instead of reading a state folder: what ticks recorded is no manifest */
function walkFolder(path: string, shown: string, walk: Walk, foundState?: () => void): void {
  const { tree } = walk;
  let entries: readonly TreeEntry[];
  try {
    entries = tree.entries(path);
  } catch (error) {
    walk.diagnostics.push(unreadable(shown, error));
    return;
  }
  if (isStateFolder(tree, path, entries)) {
    foundState?.();
    return;
  }
  for (const { name, type } of entries.toSorted(byName)) {
    if (isSkipped(name)) continue;
    const file = { path: joinPath(tree, path, name), shown: tree.shownBelow(shown, name), scanned: true };
    if (type === 'link') followLink(file, walk);
    else if (type === 'folder') enterFolder(file, walk);
    else if (MANIFEST.test(name)) walk.files.push(file);
  }
}

function enterFolder({ path, shown }: ManifestFile, walk: Walk): void {
  if (path === walk.state) return;
  if (walk.recursive) {
    walkFolder(path, shown, walk);
    return;
  }
  walk.passedFolders.push(path);
  if (!MANIFEST.test(shown)) return;
  const fault = { code: 'FileUnreadable', what: `${shown} is a folder`, fix: 'add -R to read it' } as const;
  walk.diagnostics.push(fileDiagnostic(shown, fault, 'warning'));
}

/** A folder inside the tree is met under its own name too, so a link to it needs no second visit and makes no loop. */
function followLink(file: ManifestFile, walk: Walk): void {
  const { tree, recursive } = walk;
  const wanted = MANIFEST.test(file.shown);
  try {
    const target = tree.resolve(file.path);
    // Whether what lies outside of a commit is a folder, nobody knows.
    const isFolder = target === undefined ? recursive && !wanted : tree.isFolder(target);
    if (isFolder ? !recursive : !wanted) return;
    if (target === undefined || !isBelow(tree, walk.root, target)) {
      walk.diagnostics.push(leavesTree(file.shown, tree.linkTarget(file.path)));
    } else if (!isFolder) {
      walk.files.push(file);
      walk.linked.push(target);
    }
  } catch (error) {
    if (wanted) walk.diagnostics.push(unreadable(file.shown, error));
  }
}

function leavesTree(shown: string, target: string): Diagnostic {
  return fileDiagnostic(shown, {
    code: 'LinkLeavesTree',
    what: `${shown} is a link out of the folder, to ${target}`,
    why: 'what a folder holds must not depend on files outside it',
    fix: 'name the target itself, or copy it into the folder',
  });
}
