import { runProgram } from '#source/run-program.ts';

/** Where git runs; what `env` says is added to the environment of the process. */
export interface GitPlace {
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export type GitOutput =
  | { readonly ok: true; readonly stdout: Uint8Array }
  /** `message` is what git said, or what became of it. */
  | { readonly ok: false; readonly missing: boolean; readonly message: string };

const TIMEOUT_MS = 60_000;
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * Reading objects starts no program and opens no connection: what a repository's own configuration names (a file
 * system monitor, hooks, a pager, transports for objects that a partial clone lacks) is switched off.
 */
const SAFE = [
  '--no-pager',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'protocol.allow=never',
  '-c',
  'safe.bareRepository=explicit',
];
const SAFE_ENV = {
  GIT_ALLOW_PROTOCOL: '',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  // Its messages are looked at.
  LC_ALL: 'C',
};

/** One run of git; never throws. */
export async function runGit(args: readonly string[], place: GitPlace, input?: string): Promise<GitOutput> {
  const end = await runProgram('git', [...SAFE, ...args], {
    cwd: place.cwd,
    env: { ...place.env, ...SAFE_ENV },
    input,
    timeoutMs: TIMEOUT_MS,
    mostBytes: MOST_BYTES,
  });
  if (end.ok) return end;
  if (end.reason === 'absent') return { ok: false, missing: true, message: 'git cannot be started' };
  const said = new TextDecoder().decode(end.stderr).trim();
  return { ok: false, missing: false, message: said === '' ? (end.message ?? 'git failed') : said };
}
