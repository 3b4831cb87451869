import { basename, dirname, join, sep } from 'node:path';
import { codeOf } from './file-error.ts';
import type { StateFiles } from './state-files.ts';

/** The real path of something that may not exist yet: that of the nearest folder that does, and the rest. */
async function realPathOf(files: StateFiles, path: string): Promise<string> {
  try {
    return await files.realPath(path);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    if (dirname(path) === path) return path;
    return join(await realPathOf(files, dirname(path)), basename(path));
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * Whether manifests are read from a state folder: then the next tick takes what this one records for manifests.
 * @param sources absolute paths that manifests are read from
 * @returns what is wrong, undefined when nothing is. A state folder below a folder of manifests is fine.
 */
export async function overlapOf(
  files: StateFiles,
  root: string,
  sources: readonly string[],
): Promise<string | undefined> {
  if (sources.length === 0) return undefined;
  const state = await realPathOf(files, root);
  for (const source of sources) {
    const path = await realPathOf(files, source);
    if (path === state) return 'manifests are read from the same folder';
    if (isWithin(path, state)) return `${source}, which manifests are read from, lies in it`;
  }
  return undefined;
}
