import type { Io } from './io.ts';

/** Where hosts say that the clone of a pipeline is. */
const WORKSPACES = ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'];

/** The way from the clone of a pipeline to the working directory; nothing where that is the clone, or outside of it. */
export function workspacePrefix({ cwd, env }: Pick<Io, 'cwd' | 'env'>): { readonly prefix?: string } {
  for (const name of WORKSPACES) {
    const root = env[name] ?? '';
    const folder = `${root.replace(/\/+$/, '')}/`;
    if (root !== '' && cwd.startsWith(folder)) return { prefix: cwd.slice(folder.length) };
  }
  return {};
}
