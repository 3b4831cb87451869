import { join } from 'node:path';
import type { Diagnostic } from '#core/diagnostic.ts';
import { isObject } from '#core/object/canonical.ts';
import { fileDiagnostic } from './file-fault.ts';
import { readBytes } from './read-bytes.ts';

/** The file that every state folder has (design.md 5). */
const META = 'meta.json';
const META_FIELDS = ['formatVersion', 'resourceVersion'];
const MOST_BYTES = 4096;

/**
 * Whether a folder is a state folder: its `meta.json` says the two things that one says, and nothing else. An
 * application's own `meta.json` is a file like any other.
 * @param names what the folder holds, so that nothing is opened in vain
 */
export function isStateFolder(path: string, names: readonly string[]): boolean {
  if (!names.includes(META)) return false;
  try {
    const read = readBytes(join(path, META), MOST_BYTES);
    if (!('bytes' in read)) return false;
    const value: unknown = JSON.parse(new TextDecoder().decode(read.bytes));
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
