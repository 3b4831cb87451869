import { type Input, type InputUsers, inputOf, readInput } from '#cli/input.ts';
import type { Io } from '#cli/io.ts';

/** Where one side of a comparison stands. */
export type SideSource =
  | { readonly kind: 'cluster' }
  | { readonly kind: 'paths'; readonly paths: readonly string[]; readonly recursive: boolean }
  | {
      readonly kind: 'revision';
      readonly revision: string;
      readonly paths: readonly string[];
      readonly recursive: boolean;
    }
  /** Of the files as they are, or as a revision has them. */
  | { readonly kind: 'kustomization'; readonly dir: string; readonly revision?: string };

export type SourceResult =
  | { readonly ok: true; readonly base: SideSource; readonly head: SideSource }
  | { readonly ok: false; readonly message: string };

export interface SourceFlags {
  readonly base?: string;
  readonly head?: string;
  readonly filename?: readonly string[];
  readonly recursive: boolean;
  readonly kustomize?: string;
}

type Declared = Extract<SideSource, { readonly kind: 'paths' | 'kustomization' }>;

const REVISION = 'git:';
const NOTHING_NAMED = 'say what is compared: -f PATH, or -k FOLDER';

/** The files that both sides of a Git comparison have in common, or the folder that is built; undefined where no flag names any. */
function declared({ filename = [], recursive, kustomize }: SourceFlags): Declared | undefined {
  if (kustomize !== undefined) return { kind: 'kustomization', dir: kustomize };
  return filename.length === 0 ? undefined : { kind: 'paths', paths: filename, recursive };
}

function sideOf(word: string, files: Declared | undefined, { recursive }: SourceFlags): SideSource | string {
  if (word === 'cluster') return { kind: 'cluster' };
  // What stands unbuilt in the other folder is nothing to compare a build with.
  const isFolder = !word.startsWith(REVISION) && word !== '-';
  if (isFolder && files?.kind === 'kustomization') return { kind: 'kustomization', dir: word };
  // Read as the other side is: what only one of them looks into would seem added, or removed.
  if (!word.startsWith(REVISION)) return { kind: 'paths', paths: [word], recursive };
  const revision = word.slice(REVISION.length);
  if (revision === '') return 'write a revision behind git:, such as git:origin/main';
  if (files === undefined) return NOTHING_NAMED;
  if (files.kind === 'kustomization') return { ...files, revision };
  if (files.paths.includes('-')) return 'standard input has no revisions: name files and folders by -f';
  return { ...files, kind: 'revision', revision };
}

/** Both sides, from the flags; the base is the cluster unless said otherwise, the head is what -f and -k name. */
export function readSources(flags: SourceFlags): SourceResult {
  const { filename = [], kustomize } = flags;
  if (kustomize !== undefined && filename.length > 0)
    return { ok: false, message: '-k builds a folder and -f reads files: give one of them' };
  const files = declared(flags);
  const base = sideOf(flags.base ?? 'cluster', files, flags);
  if (typeof base === 'string') return { ok: false, message: `--base: ${base}` };
  const head = flags.head === undefined ? (files ?? NOTHING_NAMED) : sideOf(flags.head, files, flags);
  if (flags.head === undefined && typeof head === 'string') return { ok: false, message: head };
  if (typeof head === 'string') return { ok: false, message: `--head: ${head}` };
  if (head.kind === 'cluster') return { ok: false, message: '--head: the cluster can only be the base' };
  const readsInput = [base, head].filter((side) => side.kind === 'paths' && side.paths.includes('-'));
  if (readsInput.length > 1)
    return { ok: false, message: 'both sides read standard input: give it to one of them' };
  return { ok: true, base, head };
}

/** The Git revision that a side is of; undefined for files as they are, and for a cluster. */
export function revisionOf(side: SideSource): string | undefined {
  return 'revision' in side ? side.revision : undefined;
}

/** As the report names it. */
export function nameOf(side: SideSource): string {
  switch (side.kind) {
    case 'cluster':
      return 'the cluster';
    case 'paths':
      return side.paths.map((path) => (path === '-' ? 'standard input' : path)).join(', ');
    case 'revision':
      return `${REVISION}${side.revision}`;
    case 'kustomization':
      return side.revision === undefined
        ? `kustomization ${side.dir}`
        : `kustomization ${side.dir} of ${REVISION}${side.revision}`;
  }
}

export interface SideRequest {
  readonly io: Io;
  readonly users: InputUsers;
  readonly state?: string | undefined;
  /** The other side has the same paths: one that this side lacks may have been removed. Of a revision that always holds. */
  readonly mayBeAbsent: boolean;
}

/** Reads the manifests of a side; what is found in a revision is told without its name, as it is on the other side. */
export async function readSide(
  side: Exclude<SideSource, { readonly kind: 'cluster' }>,
  { io, users, state, mayBeAbsent }: SideRequest,
): Promise<Input> {
  switch (side.kind) {
    case 'paths':
      return readInput({ filename: side.paths, recursive: side.recursive, mayBeAbsent }, io, users, state);
    case 'revision': {
      const { readRevision } = await import('#source/git-revision.ts');
      const { revision, paths, recursive } = side;
      return inputOf(await readRevision({ revision, paths, recursive, cwd: io.cwd }), users);
    }
    case 'kustomization': {
      const { dir, revision } = side;
      if (revision !== undefined) {
        const { readRevisionKustomization } = await import('#source/revision-kustomization.ts');
        return inputOf(await readRevisionKustomization({ revision, dir, cwd: io.cwd }), users);
      }
      const { readKustomization } = await import('#source/kustomization.ts');
      return inputOf(await readKustomization({ dir, cwd: io.cwd, mayBeAbsent }), users);
    }
  }
}
