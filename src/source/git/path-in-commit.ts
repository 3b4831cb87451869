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
 * Where a relative path leads from the working directory. Git tells that behind all links, so what goes up from there
 * can be shortened, also where the commit does not have that folder.
 */
function fromPrefix(prefix: string, given: string): string {
  const [, up, rest = ''] = /^(\.\.?)(?:\/+(.*))?$/.exec(given) ?? [];
  if (up === undefined || (up === '..' && prefix === '')) return `/${prefix}${given}`;
  return fromPrefix(up === '.' ? prefix : prefix.replace(/[^/]+\/$/, ''), rest);
}

/**
 * A path as the user gave it, from the top of the repository: `/deploy/apps`. It may still go out of it by `..`.
 * @returns undefined for an absolute path elsewhere
 */
export function pathInCommit(given: string, { prefix, up }: Commit, cwd = '.'): string | undefined {
  if (!isAbsolute(given)) return fromPrefix(prefix, given.replaceAll(sep, '/'));
  const top = resolve(realPathOf(resolve(cwd)), up);
  const path = relative(top, realPathOf(given));
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
    ? undefined
    : `/${path.replaceAll(sep, '/')}`;
}
