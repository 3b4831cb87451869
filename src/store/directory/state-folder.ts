import { dirname, join } from 'node:path';
import type { Diagnostic } from '#core/diagnostic.ts';
import { codeOf, explainFileError } from './file-error.ts';
import type { LockPlace } from './lock.ts';
import { isLockLeftover } from './lock.ts';
import type { Meta } from './meta.ts';
import { FORMAT_VERSION, META, parseMeta } from './meta.ts';
import { isObjectFolder, isTemporary, TOMBSTONES } from './state-path.ts';
import { StoreFailure } from './store-failure.ts';

const WHY = 'Status and runs are recorded there; without it the next tick would not know what this one did.';

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
    return unusable(root, error.what.replace(/\.$/, ''), error.fix ?? 'Run again.');
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
      const fix = `Remove ${join(root, META)}: the counter is then found from the objects.`;
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
          fix: 'Use that newer build, or another folder with --state.',
        },
      };
  }
}

/** Reads `meta.json` and says whether the state folder may be used. */
export async function openFolder(place: LockPlace): Promise<Opening> {
  try {
    return judge(place.root, parseMeta(await place.files.read(join(place.root, META))));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { ok: true, resourceVersion: undefined };
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
