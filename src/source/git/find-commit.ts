import type { Fault } from '#source/text/problem.ts';
import { type GitPlace, runGit } from './git.ts';

export interface Commit {
  readonly id: string;
  /** The folder that relative paths start from, seen from the top of the repository: `''` or `deploy/`. */
  readonly prefix: string;
  /** The way from that folder to the top: `''` or `../`. */
  readonly up: string;
}

export type FoundCommit = { readonly commit: Commit } | { readonly fault: Fault };

function refused(what: string, fix: string, why?: string): { readonly fault: Fault } {
  return { fault: { code: 'RevisionUnreadable', what, fix, ...(why === undefined ? {} : { why }) } };
}

function outsideRepository(message: string): { readonly fault: Fault } {
  const owner = /detected dubious ownership in repository at '([^']+)'/.exec(message)?.[1];
  if (owner !== undefined) {
    return refused(
      `git does not read the repository at ${owner}: it belongs to another user`,
      `git config --global --add safe.directory ${owner}`,
      'what a repository of somebody else configures could run programs',
    );
  }
  if (message.includes('not a git repository')) {
    return refused(
      'the working directory is in no Git repository, so it has no revisions',
      'run this inside a clone, or name a folder that holds the other side',
    );
  }
  return refused(
    `git cannot read the repository: ${firstLine(message)}`,
    'check the repository with `git status`',
  );
}

export function firstLine(message: string): string {
  return message.replace(/^fatal: /, '').split('\n', 1)[0] ?? '';
}

/** A colon would make a path of it (`main:apps`), a leading dash an option. */
function isRevision(revision: string): boolean {
  return /^[^-:\s\p{Cc}][^:\p{Cc}]*$/u.test(revision);
}

function fetchHint(revision: string, isShallow: boolean): string {
  const [, remote, branch] = /^([\w.-]+)\/([^~^@]+)/.exec(revision) ?? [];
  const fetch = remote === undefined ? 'git fetch --all --tags' : `git fetch ${remote} ${branch}`;
  return isShallow
    ? `fetch the whole history (\`fetch-depth: 0\` for actions/checkout, \`GIT_DEPTH: "0"\` for GitLab, or \`git fetch --unshallow\`), or run \`${fetch}\``
    : `run \`${fetch}\` first, or check the spelling`;
}

/** The commit that a revision names, and where in the repository the working directory is. */
export async function findCommit(revision: string, place: GitPlace): Promise<FoundCommit> {
  if (!isRevision(revision)) {
    return refused(
      `${JSON.stringify(revision)} is no Git revision`,
      'write a branch, tag or commit, for example git:origin/main or git:HEAD~1; paths are named by -f',
    );
  }
  const around = await runGit(
    ['rev-parse', '--is-shallow-repository', '--show-prefix', '--show-cdup'],
    place,
  );
  if (!around.ok) {
    return around.missing
      ? refused(
          'git is needed to read a revision, and cannot be started',
          'install git, or put it on the PATH',
        )
      : outsideRepository(around.message);
  }
  const [shallow, prefix = '', up = ''] = new TextDecoder().decode(around.stdout).split('\n');
  const found = await runGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    place,
  );
  const id = found.ok ? new TextDecoder().decode(found.stdout).trim() : '';
  if (/^[0-9a-f]{40,64}$/.test(id)) return { commit: { id, prefix, up } };
  const isShallow = shallow === 'true';
  return refused(
    `the revision ${revision} is not in this ${isShallow ? 'shallow clone' : 'clone'}`,
    fetchHint(revision, isShallow),
    'manifests of a revision are read from the objects that the clone has; nothing is fetched',
  );
}
