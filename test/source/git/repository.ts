import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** Settings of whoever runs the tests play no part. */
const ENV = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};
const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];

export interface Repository {
  readonly cwd: string;
  readonly git: (...args: readonly string[]) => string;
  /** As `git`, with this on its standard input. */
  readonly gitWith: (input: string, ...args: readonly string[]) => string;
  readonly lay: (files: Readonly<Record<string, string | Uint8Array>>) => Promise<void>;
  /** Commits all that lies there, and gives the id. */
  readonly commit: (message?: string) => string;
}

export function repositoryAt(cwd: string): Repository {
  const gitWith = (input: string, ...args: readonly string[]): string =>
    execFileSync('git', [...IDENTITY, ...args], {
      cwd,
      env: ENV,
      encoding: 'utf8',
      stdio: 'pipe',
      input,
    }).trim();
  const git = (...args: readonly string[]): string => gitWith('', ...args);
  return {
    cwd,
    git,
    gitWith,
    lay: async (files) => {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(cwd, name)), { recursive: true });
        await writeFile(join(cwd, name), content);
      }
    },
    commit: (message = 'change') => {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', `--message=${message}`);
      return git('rev-parse', 'HEAD');
    },
  };
}

/** A fresh repository with nothing in it, removed when the test ends. */
export async function newRepository(): Promise<Repository> {
  const repository = repositoryAt(await temporaryFolder());
  repository.git('init', '--quiet', '--initial-branch=main');
  return repository;
}
