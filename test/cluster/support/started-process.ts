import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessGuard } from './process-guard.ts';

export interface StartedProcess {
  readonly pid: number;
  isRunning(): boolean;
  /** All that it has written so far. */
  log(): Promise<string>;
  /** Returns when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program with these arguments; whoever hands it out also sees to its end. */
export type Start = (program: string, args: readonly string[]) => Promise<StartedProcess>;

/** Starts a server program in this folder; what it writes goes to a log there. */
export async function startProcess(
  guard: ProcessGuard,
  folder: string,
  logName: string,
  program: string,
  args: readonly string[],
): Promise<StartedProcess> {
  const logFile = join(folder, `${logName}.log`);
  const output = openSync(logFile, 'a');
  const child = spawn(program, args, { cwd: folder, detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  guard.watch(child);
  await once(child, 'spawn');
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} has no process id`);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid,
    isRunning,
    log: () => readFile(logFile, 'utf8'),
    stop: async (signal = 'SIGTERM') => {
      if (!isRunning()) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}
