import type { Diagnostic } from '#core/diagnostic.ts';
import { isObject } from '#core/object/canonical.ts';
import { parseJson } from '#core/object/parse-json.ts';
import { fileDiagnostic } from './file-fault.ts';
import { isStateFolder } from './state-folder.ts';
import { joinPath, type Tree, type TreeEntry } from './tree.ts';

/** What is looked at for a hint must cost next to nothing, however large the tree is. */
const MOST_LOOKS = 100;
const MOST_BYTES = 256 * 1024;
const NAMED = 3;

const KUSTOMIZATION = /^[Kk]ustomization(?:\.ya?ml)?$/;
const YAML = /\.ya?ml$/;
const JSON_FILE = /\.json$/;

/** A kustomization says itself which folders belong to it. */
export function isKustomization(entries: readonly TreeEntry[]): boolean {
  return entries.some(({ name }) => KUSTOMIZATION.test(name));
}

function isHidden(name: string): boolean {
  return name.startsWith('.');
}

export function nameOf(path: string, { separator }: Tree): string {
  return path.slice(path.lastIndexOf(separator) + 1);
}

/** Told by its first lines, as it were: nothing is parsed that may be anything. */
function isManifest(name: string, text: string): boolean {
  if (YAML.test(name)) return /^apiVersion:[ \t]+\S/m.test(text) && /^kind:[ \t]+\S/m.test(text);
  const value = parseJson(text);
  return isObject(value) && typeof value.apiVersion === 'string' && typeof value.kind === 'string';
}

interface Search {
  readonly tree: Tree;
  /** The state folder as the walk would meet it. */
  readonly state: string | undefined;
  left: number;
}

function holdsManifest(path: string, search: Search): boolean {
  const { tree, state } = search;
  if (path === state || search.left <= 0) return false;
  search.left -= 1;
  const entries = tree.entries(path);
  if (isStateFolder(tree, path, entries)) return false;
  const shown = entries.filter(({ name }) => !isHidden(name));
  return (
    shown.some(({ name, type }) => type === 'file' && isManifestFile(path, name, search)) ||
    shown.some(({ name, type }) => type === 'folder' && holdsManifest(joinPath(tree, path, name), search))
  );
}

function isManifestFile(folder: string, name: string, search: Search): boolean {
  if (KUSTOMIZATION.test(name) || !(YAML.test(name) || JSON_FILE.test(name)) || search.left <= 0)
    return false;
  search.left -= 1;
  const bytes = search.tree.readSmall(joinPath(search.tree, folder, name), MOST_BYTES);
  return bytes !== undefined && isManifest(name, new TextDecoder().decode(bytes));
}

/** What cannot be looked at is not hinted at. */
function mayBeMissed(path: string, search: Search): boolean {
  try {
    return holdsManifest(path, search);
  } catch {
    return false;
  }
}

/** A note of the sub-folders that hold manifests and were not read, since nobody asked for them; undefined without any. */
export function passedFoldersNote(
  shown: string,
  folders: readonly string[],
  { tree, state }: Pick<Search, 'tree' | 'state'>,
): Diagnostic | undefined {
  const search = { tree, state, left: MOST_LOOKS };
  const missed = folders.filter((path) => !isHidden(nameOf(path, tree)) && mayBeMissed(path, search));
  if (missed.length === 0) return undefined;
  const names = missed.slice(0, NAMED).map((path) => nameOf(path, tree));
  const more = missed.length > NAMED ? ` and ${missed.length - NAMED} more` : '';
  const [subject, them] =
    missed.length === 1 ? ['a sub-folder', 'it'] : [`${missed.length} sub-folders`, 'them'];
  const what = `${subject} of ${shown} with manifests ${missed.length === 1 ? 'was' : 'were'} not read: ${names.join(', ')}${more}`;
  return fileDiagnostic(shown, { code: 'FoldersPassed', what, fix: `add -R to read ${them}` }, 'note');
}
