import type { Diagnostic } from '#core/diagnostic.ts';
import { isObject } from '#core/object/canonical.ts';
import { fileDiagnostic } from './file-fault.ts';
import { joinPath, type Tree, type TreeEntry } from './tree.ts';

/** The file that every state folder has (design.md 5). */
export const META = 'meta.json';
const META_FIELDS = ['formatVersion', 'resourceVersion'];
export const META_BYTES = 4096;

/**
 * Whether a folder is a state folder: its `meta.json` says the two things that one says, and nothing else. An
 * application's own `meta.json` is a file like any other.
 * @param entries what the folder holds, so that nothing is opened in vain
 */
export function isStateFolder(tree: Tree, path: string, entries: readonly TreeEntry[]): boolean {
  if (!entries.some(({ name }) => name === META)) return false;
  try {
    const bytes = tree.readSmall(joinPath(tree, path, META), META_BYTES);
    if (bytes === undefined) return false;
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(value) && Object.keys(value).sort().join() === META_FIELDS.join();
  } catch {
    return false;
  }
}

/** A state folder that the user named as if it held manifests. */
export function stateFolderNamed(shown: string): Diagnostic {
  return fileDiagnostic(shown, {
    code: 'StateFolder',
    what: `${shown} is a state folder: it holds what ticks recorded, no manifests`,
    why: 'read as manifests, its files would stand for objects that are defined elsewhere',
    fix: 'name the folder with the manifests; a state folder is named by --state',
  });
}
