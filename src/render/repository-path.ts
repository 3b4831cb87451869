import type { Diagnostic } from '#core/diagnostic.ts';
import type { Place } from '#core/object/object.ts';

/** The file of a place, from the root of the repository; undefined where the tree that is looked at has none. */
export type PathOf = (place: Place) => string | undefined;

export interface Repository {
  /** The working directory, which stands for the root of the repository. */
  readonly root: string;
  /** The way from the root of the repository to the working directory, where that lies below it: `apps/prod`. */
  readonly prefix?: string;
  /** The manifests were built: no line of them stands in a file. */
  readonly isBuilt?: boolean;
  /** The revision that is looked at, where its files are read from Git: their places begin with it and a colon. */
  readonly head?: string;
  /** The revision that it is compared with: its places are none of the head. */
  readonly base?: string;
}

function folderOf(root: string): string {
  return root.endsWith('/') ? root : `${root}/`;
}

/** Without what changes nothing in a path; undefined where nothing is left of it, or it leads out. */
export function normalizedPath(path: string): string | undefined {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') steps.push(step);
    else if (steps.pop() === undefined) return undefined;
  }
  return steps.length === 0 ? undefined : steps.join('/');
}

/** Paths as annotations of a host need them: no path of this machine, nothing outside the tree, no standard input. */
export function repositoryPaths({ root, prefix = '', isBuilt, head, base }: Repository): PathOf {
  const folder = folderOf(root);
  const below = (path: string): string | undefined => normalizedPath(`${prefix}/${path}`);
  return ({ file }) => {
    if (file === '-' || isBuilt === true) return undefined;
    if (head !== undefined) {
      return file.startsWith(`${head}:`) ? normalizedPath(file.slice(head.length + 1)) : undefined;
    }
    if (base !== undefined && file.startsWith(`${base}:`)) return undefined;
    if (file.startsWith(folder)) return below(file.slice(folder.length));
    return file.startsWith('/') ? undefined : below(file);
  };
}

/** The same findings, whose sentences name files of the tree from its root and not by their place on this machine. */
export function fromRoot(diagnostics: readonly Diagnostic[], root: string): readonly Diagnostic[] {
  const folder = folderOf(root);
  const shorter = (text: string): string => text.replaceAll(folder, '');
  return diagnostics.map((diagnostic) => {
    const { what, why, fix } = diagnostic;
    return {
      ...diagnostic,
      what: shorter(what),
      ...(why === undefined ? {} : { why: shorter(why) }),
      ...(fix === undefined ? {} : { fix: shorter(fix) }),
    };
  });
}
