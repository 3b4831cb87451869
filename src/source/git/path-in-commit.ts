import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Commit } from './find-commit.ts';

/** As much of a path as exists, without links: a commit may know files that the disk does not have. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), path.slice(parent.length));
  }
}

/**
 * A path as the user gave it, from the top of the repository: `/deploy/apps`. It may still go out of it by `..`.
 * @returns undefined for an absolute path elsewhere
 */
export function pathInCommit(given: string, { prefix, up }: Commit, cwd = '.'): string | undefined {
  if (!isAbsolute(given)) return `/${prefix}${given.replaceAll(sep, '/')}`;
  const top = resolve(realPathOf(resolve(cwd)), up);
  const path = relative(top, realPathOf(given));
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
    ? undefined
    : `/${path.replaceAll(sep, '/')}`;
}
