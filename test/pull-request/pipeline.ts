import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { GIT_ENV, type PullRequest } from './repository.ts';
import { type Board, EMPTY_BOARD } from './stand-in/board.ts';
import { type Facts, fillIn, isDue, onlyJob, type Workflow } from './workflow.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
export const TOKEN = 'token-of-the-tests';
/** What the tests do themselves, since it needs a registry: the step that puts minutehand on the path. */
const NOT_RUN = 'Build';

/** Where a pipeline runs: a folder with the programs that it finds, and the host behind them. */
export interface Runner {
  readonly env: Readonly<Record<string, string>>;
  readonly board: () => Promise<Board>;
  readonly setBoard: (board: Board) => Promise<void>;
}

/** `minutehand` is the bundle; `gh` and `curl` are stand-ins, all else is of this machine. */
export async function openRunner(
  { folder, checkout }: Pick<PullRequest, 'folder' | 'checkout'>,
  bundle: string,
): Promise<Runner> {
  const [bin, home, board] = [join(folder, 'bin'), join(folder, 'home'), join(folder, 'board.json')];
  await mkdir(bin);
  await mkdir(home);
  const programs = {
    minutehand: bundle,
    gh: join(import.meta.dirname, 'stand-in', 'gh.ts'),
    curl: join(import.meta.dirname, 'stand-in', 'curl.ts'),
  };
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
    await chmod(join(bin, name), 0o755);
  }
  await mkdir(join(checkout, '.tools'), { recursive: true });
  await symlink(ROOT, join(checkout, '.tools', 'minutehand'));
  const setBoard = (next: Board): Promise<void> => writeFile(board, JSON.stringify(next));
  await setBoard(EMPTY_BOARD);
  return {
    env: {
      ...GIT_ENV,
      PATH: `${bin}:${process.env['PATH']}`,
      HOME: home,
      NODE_COMPILE_CACHE: join(dirname(bundle), 'cache'),
      // Times must not hang on the zone of the runner.
      TZ: 'Pacific/Apia',
      STAND_IN_BOARD: board,
      STAND_IN_TOKEN: TOKEN,
    },
    board: async () => JSON.parse(await readFile(board, 'utf8')),
    setBoard,
  };
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** As both hosts start a shell: it ends with the first command that fails, also inside a pipe. */
export function bash(script: string, cwd: string, env: Readonly<Record<string, string>>): Ran {
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script],
    {
      cwd,
      env,
      encoding: 'utf8',
    },
  );
  return { code: status ?? -1, stdout, stderr };
}

export interface WorkflowRun {
  /** Of the first step that failed, else 0. */
  readonly code: number;
  /** By the name of the step, or by the action that it uses. Steps that were not due are missing. */
  readonly steps: ReadonlyMap<string, Ran>;
  readonly summary: string;
}

export interface WorkflowWorld {
  readonly cwd: string;
  readonly runner: Runner;
  readonly facts: Facts;
  readonly env: Readonly<Record<string, string>>;
}

function readPairs(path: string): Readonly<Record<string, string>> {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** Runs the commands of a workflow in the order and under the conditions that it gives them. Actions are only noted. */
export function runWorkflow(workflow: Workflow, { cwd, runner, facts, env }: WorkflowWorld): WorkflowRun {
  const { steps, if: condition } = onlyJob(workflow);
  const temp = runner.env['HOME'] ?? '';
  const files = { GITHUB_ENV: join(temp, 'env'), GITHUB_STEP_SUMMARY: join(temp, 'summary') };
  for (const path of Object.values(files)) writeFileSync(path, '');
  const known: Facts = { 'github.token': TOKEN, ...facts };
  const ran = new Map<string, Ran>();
  let code = 0;
  const isFile = (path: string): boolean => existsSync(join(cwd, path));
  const due = isDue(condition, { facts: known, hasFailed: false, isFile });
  for (const step of due ? steps : []) {
    if (!isDue(step.if, { facts: known, hasFailed: code !== 0, isFile })) continue;
    const name = step.name ?? step.uses ?? '';
    if (step.run === undefined || name === NOT_RUN) {
      ran.set(name, { code: 0, stdout: '', stderr: '' });
      continue;
    }
    const own = Object.entries(step.env ?? {}).map(([key, value]) => [key, fillIn(value, known)] as const);
    const result = bash(step.run, cwd, {
      ...runner.env,
      RUNNER_TEMP: temp,
      GITHUB_REPOSITORY: 'team/gitops',
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_RUN_ID: '4711',
      ...env,
      ...files,
      ...readPairs(files.GITHUB_ENV),
      ...Object.fromEntries(own),
    });
    ran.set(name, result);
    if (code === 0) code = result.code;
  }
  return { code, steps: ran, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') };
}

export interface GitlabJob {
  readonly script: readonly string[];
  readonly before_script: readonly string[];
  readonly rules: readonly { readonly if: string }[];
  readonly variables: Readonly<Record<string, string | number>>;
  readonly artifacts: {
    readonly when: string;
    readonly paths: readonly string[];
    readonly reports: { readonly junit: string };
  };
}

/** The lines of a job's script, in one shell as a runner has them; what installs programs is not run. */
export function runGitlabJob(
  { script }: GitlabJob,
  {
    cwd,
    runner,
    hasToken = true,
  }: { readonly cwd: string; readonly runner: Runner; readonly hasToken?: boolean },
): Ran {
  return bash(script.join('\n'), cwd, {
    ...runner.env,
    CI_API_V4_URL: 'https://gitlab.example/api/v4',
    CI_PROJECT_ID: '7',
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_JOB_URL: 'https://gitlab.example/team/gitops/-/jobs/4711',
    ...(hasToken ? { MINUTEHAND_TOKEN: TOKEN } : {}),
  });
}
