import { join } from 'node:path';
import { compareText } from '#core/object/key.ts';
import type { LockPlace } from './lock.ts';
import { isLockName } from './lock.ts';
import type { FolderEntry } from './state-files.ts';
import { parseState } from './state-object.ts';
import { isObjectFile, isObjectFolder, isTemporary, TOMBSTONES } from './state-path.ts';

const NAMED = 3;
/** Levels below the state folder: group, kind, namespace. */
const LEVELS = 3;
/** The root folder of a fresh volume has it, and only root may read it. */
const VOLUME = 'lost+found';

/** What was found in the folders; a stranger ends the search. */
interface Survey {
  readonly objects: string[];
  stranger: string | undefined;
}

async function entriesOf(place: LockPlace, path: string): Promise<readonly FolderEntry[]> {
  const entries = await place.files.list(join(place.root, path));
  return [...entries].sort((a, b) => compareText(a.name, b.name));
}

/** @param levels how many levels of folders are still to come above the files */
async function survey(place: LockPlace, path: string, levels: number, found: Survey): Promise<void> {
  for (const { name, folder } of await entriesOf(place, path)) {
    if (found.stranger !== undefined) return;
    const here = `${path}/${name}`;
    if (folder && levels > 0 && isObjectFolder(name)) await survey(place, here, levels - 1, found);
    else if (!folder && levels === 0 && isObjectFile(name)) found.objects.push(here);
    else if (folder || !isTemporary(name)) found.stranger = here;
  }
}

async function isOurs(place: LockPlace, path: string): Promise<boolean> {
  if (path.startsWith(`${TOMBSTONES}/`)) return true;
  try {
    return parseState(await place.files.read(join(place.root, path)), path).state === 'stored';
  } catch {
    return false;
  }
}

async function someIsOurs(place: LockPlace, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (await isOurs(place, path)) return true;
  return false;
}

function isExpected({ name, folder }: FolderEntry): boolean {
  if (folder) return name === VOLUME || name === TOMBSTONES || isObjectFolder(name);
  return isLockName(name) || isTemporary(name);
}

function listText(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return names.slice(0, NAMED).join(', ') + more;
}

/**
 * What somebody else keeps in a folder without `meta.json`; undefined when nothing is there, or only what a first tick
 * leaves that was cut short, or the objects of a state folder whose `meta.json` was lost.
 */
export async function strangersIn(place: LockPlace): Promise<string | undefined> {
  const entries = await entriesOf(place, '.');
  const strange = entries.filter((entry) => !isExpected(entry)).map(({ name }) => name);
  if (strange.length > 0) return listText(strange);
  const folders = entries.filter(({ name, folder }) => folder && name !== VOLUME).map(({ name }) => name);
  const found: Survey = { objects: [], stranger: undefined };
  for (const name of folders) await survey(place, name, name === TOMBSTONES ? LEVELS : LEVELS - 1, found);
  if (found.stranger !== undefined) return found.stranger;
  return folders.length === 0 || (await someIsOurs(place, found.objects)) ? undefined : listText(folders);
}
