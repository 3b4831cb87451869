import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

export const EXAMPLE = resolve(import.meta.dirname, '..', '..', 'examples', 'pull-request');
const PATCH = join(EXAMPLE, 'change.patch');

/** The settings of whoever runs the tests play no part, and every commit has one id. */
export const GIT_ENV: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

/** A base on `main`, a branch with a change, and a work tree as the pipeline of the host has it. */
export interface PullRequest {
  /** Holds all else of it. */
  readonly folder: string;
  /** The work tree of the pipeline. */
  readonly checkout: string;
  readonly git: (...args: readonly string[]) => string;
  /** Edits files of the branch, and pushes a commit of this minute. */
  readonly push: (minute: number, edits: Readonly<Record<string, (text: string) => string>>) => Promise<void>;
  readonly applyPatch: () => void;
  /** Commits to `main`, beside the branch. */
  readonly pushBase: (minute: number, files: Readonly<Record<string, string>>) => Promise<void>;
  /** What actions/checkout leaves: the merge of the branch into its base, and every branch of the origin. */
  readonly checkOutMerge: () => void;
  /** What a runner of GitLab leaves: the branch alone. */
  readonly checkOutHead: () => void;
}

function runGit(cwd: string, minute: number, args: readonly string[]): string {
  const date = `2026-10-21T12:${String(minute).padStart(2, '0')}:00+02:00`;
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], ...GIT_ENV, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  }).trim();
}

/** An origin with the manifests of the example on `main`, and a branch without a change. */
export async function openPullRequest(): Promise<PullRequest> {
  const folder = await temporaryFolder();
  const [origin, author, checkout] = ['origin.git', 'author', 'checkout'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const git = (...args: readonly string[]): string => runGit(author, 0, args);
  const commit = (minute: number, branch: string): void => {
    git('add', '--all');
    runGit(author, minute, ['commit', '--quiet', '--allow-empty', '--message=change']);
    git('push', '--quiet', 'origin', `HEAD:${branch}`);
  };
  await mkdir(author);
  runGit(folder, 0, ['init', '--quiet', '--bare', '--initial-branch=main', origin]);
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', origin);
  await cp(join(EXAMPLE, 'deploy'), join(author, 'deploy'), { recursive: true });
  commit(0, 'main');
  git('checkout', '--quiet', '-b', 'change');
  commit(1, 'change');
  runGit(folder, 0, ['init', '--quiet', checkout]);
  runGit(checkout, 0, ['remote', 'add', 'origin', origin]);
  await mkdir(join(checkout, '.tools'));

  const fetchAll = (): void => {
    runGit(checkout, 0, [
      'fetch',
      '--quiet',
      'origin',
      '+refs/heads/*:refs/remotes/origin/*',
      '+refs/pull/*:refs/remotes/pull/*',
    ]);
  };
  let last = 1;
  return {
    folder,
    checkout,
    git: (...args) => runGit(checkout, 0, args),
    push: async (minute, edits) => {
      for (const [name, edit] of Object.entries(edits)) {
        const path = join(author, name);
        const text = await readFile(path, 'utf8');
        const edited = edit(text);
        if (edited === text) throw new Error(`nothing was edited in ${name}`);
        await writeFile(path, edited);
      }
      commit(minute, 'change');
      last = minute;
    },
    applyPatch: () => {
      git('apply', PATCH);
    },
    pushBase: async (minute, files) => {
      git('checkout', '--quiet', 'main');
      for (const [name, text] of Object.entries(files)) await writeFile(join(author, name), text);
      commit(minute, 'main');
      git('checkout', '--quiet', 'change');
    },
    checkOutMerge: () => {
      git('checkout', '--quiet', '--detach', 'main');
      runGit(author, last, ['merge', '--quiet', '--no-ff', '--message=merge', 'change']);
      git('push', '--quiet', '--force', 'origin', 'HEAD:refs/pull/7/merge');
      git('checkout', '--quiet', 'change');
      fetchAll();
      runGit(checkout, 0, ['checkout', '--quiet', '--detach', 'refs/remotes/pull/7/merge']);
    },
    checkOutHead: () => {
      runGit(checkout, 0, ['fetch', '--quiet', 'origin', 'change']);
      runGit(checkout, 0, ['checkout', '--quiet', '--detach', 'FETCH_HEAD']);
    },
  };
}
