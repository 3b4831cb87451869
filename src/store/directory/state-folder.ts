import { dirname, join } from 'node:path';
import type { Diagnostic } from '#core/diagnostic.ts';
import { codeOf, explainFileError } from './file-error.ts';
import type { LockPlace } from './lock.ts';
import { isLockLeftover } from './lock.ts';
import type { Meta } from './meta.ts';
import { FORMAT_VERSION, META, parseMeta } from './meta.ts';
import { isObjectFolder, isTemporary, TOMBSTONES } from './state-path.ts';
import { StoreFailure } from './store-failure.ts';
import { strangersIn } from './strangers.ts';

const WHY = 'status and runs are recorded there; without it the next tick would not know what this one did';

export function unusable(root: string, what: string, fix: string): Diagnostic {
  return {
    code: 'StateUnusable',
    severity: 'error',
    what: `The state folder ${root} cannot be used: ${what}.`,
    why: WHY,
    fix,
  };
}

/** The finding for an error of the file system or of this store; any other error is a bug and thrown again. */
export function unusableBecause(root: string, error: unknown): Diagnostic {
  if (error instanceof StoreFailure)
    return unusable(root, error.what.replace(/\.$/, ''), error.fix ?? 'run again');
  const code = codeOf(error);
  if (code === undefined) throw error;
  const { cause, fix } = explainFileError(code);
  const path =
    error instanceof Error && 'path' in error && typeof error.path === 'string' ? ` (${error.path})` : '';
  return unusable(root, `${cause}${path}`, fix);
}

/** What `meta.json` allows: going on from a resource version (undefined: there is no such file yet), or nothing. */
export type Opening =
  | { readonly ok: true; readonly resourceVersion: number | undefined }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

function judge(root: string, meta: Meta): Opening {
  switch (meta.state) {
    case 'ready':
      return { ok: true, resourceVersion: meta.resourceVersion };
    case 'damaged': {
      const fix = `restore ${join(root, META)} from a backup, or remove it: the counter is then found from the objects`;
      return { ok: false, diagnostic: unusable(root, `${META} makes no sense: ${meta.reason}`, fix) };
    }
    case 'newer':
      return {
        ok: false,
        diagnostic: {
          code: 'StateVersion',
          severity: 'error',
          what: `The state folder ${root} has format version ${meta.formatVersion}; this build knows version ${FORMAT_VERSION}.`,
          why: 'A newer build wrote it, and an older one could lose what it cannot read. Nothing was changed.',
          fix: 'use that newer build, or another folder with --state',
        },
      };
  }
}

function notOurs({ root }: LockPlace, strangers: string): Opening {
  const fix = `Name a new or empty folder with --state. If this is one whose ${META} was lost, restore that file.`;
  const diagnostic = unusable(root, `it has no ${META} and holds what is not ours: ${strangers}`, fix);
  const why = 'a tick writes and removes files there, and must not do that among the files of somebody else';
  return { ok: false, diagnostic: { ...diagnostic, why } };
}

async function readIfThere(run: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await run();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads `meta.json` and says whether the state folder may be used. One that is not there yet may. */
export async function openFolder(place: LockPlace): Promise<Opening> {
  const readMeta = (): Promise<string | undefined> =>
    readIfThere(() => place.files.read(join(place.root, META)));
  try {
    const text = await readMeta();
    if (text !== undefined) return judge(place.root, parseMeta(text));
    const strangers = await readIfThere(() => strangersIn(place));
    if (strangers === undefined) return { ok: true, resourceVersion: undefined };
    // Another process may have begun the folder between the two looks.
    const begun = await readMeta();
    return begun === undefined ? notOurs(place, strangers) : judge(place.root, parseMeta(begun));
  } catch (error) {
    return { ok: false, diagnostic: unusableBecause(place.root, error) };
  }
}

/** Makes a folder and what is missing above it. */
export async function makeFolders(place: LockPlace, path: string): Promise<void> {
  try {
    await place.files.makeFolder(path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolders(place, dirname(path));
    await place.files.makeFolder(path);
  }
  await place.files.syncFolder(dirname(path));
}

/** Levels below the state folder: group, kind, namespace. */
const LEVELS = 3;

/** Removes temporary files that a crash left. Only names that this store makes, only in folders that it uses. */
export async function removeLeftovers(place: LockPlace, path = place.root, levels = LEVELS): Promise<void> {
  for (const entry of await place.files.list(path)) {
    const here = join(path, entry.name);
    if (!entry.folder) {
      const isOurs = isTemporary(entry.name) || (path === place.root && isLockLeftover(entry.name));
      if (isOurs) await removeIfThere(place, here);
    } else if (path === place.root && entry.name === TOMBSTONES) {
      await removeLeftovers(place, here, LEVELS);
    } else if (levels > 0 && isObjectFolder(entry.name)) {
      await removeLeftovers(place, here, levels - 1);
    }
  }
}

async function removeIfThere(place: LockPlace, path: string): Promise<void> {
  try {
    await place.files.remove(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
