import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface RobfigRequest {
  readonly runs: number;
  readonly schedules: readonly {
    readonly expression: string;
    readonly zone: string;
    readonly anchor: number;
  }[];
}

/** Milliseconds of each run: zones loaded with each parse, as Kubernetes does, and loaded once. */
export interface RobfigAnswer {
  readonly perParse: readonly number[];
  readonly shared: readonly number[];
  readonly refused: number;
}

/**
 * Builds the Go program once and asks it for each request.
 * @returns why it cannot be done, where there is no Go or no module
 */
export function askRobfig(requests: readonly RobfigRequest[]): readonly RobfigAnswer[] | string {
  const folder = mkdtempSync(join(tmpdir(), 'minutehand-robfig-'));
  const program = join(folder, 'robfig');
  try {
    const cwd = fileURLToPath(new URL('./robfig', import.meta.url));
    const build = spawnSync('go', ['build', '-o', program, '.'], { cwd, encoding: 'utf8' });
    if (build.error !== undefined) return `no Go toolchain (${build.error.message})`;
    if (build.status !== 0) return `go build failed: ${build.stderr.trim()}`;
    return requests.map((request) => {
      const run = spawnSync(program, { input: JSON.stringify(request), encoding: 'utf8' });
      if (run.status !== 0) throw new Error(`robfig: ${run.stderr}`);
      return JSON.parse(run.stdout) as RobfigAnswer;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
