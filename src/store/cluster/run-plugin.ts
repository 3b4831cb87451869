import { type ChildProcess, spawn } from 'node:child_process';
import { kill } from 'node:process';

export interface PluginCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A person sits before it: it may ask, and takes its time. */
  readonly interactive: boolean;
}

/** How long is waited for a plugin. */
export interface Patience {
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
}

export type PluginEnd =
  | {
      readonly state: 'ended';
      /** Of the exit, or the signal that ended it. */
      readonly code: number | string;
      readonly stdout: string;
      readonly stderr: string;
    }
  /** The system's code, such as `ENOENT`. */
  | { readonly state: 'not started'; readonly code: string }
  | { readonly state: 'too long' | 'too much' | 'stopped' };

/** Characters; credentials are much shorter. */
const MOST_OUTPUT = 1024 * 1024;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
}

/** With what it started itself, unless it shares our terminal. */
function end(child: ChildProcess, alone: boolean): void {
  try {
    if (alone && child.pid !== undefined) kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
  // Whoever outlives it must not keep this process up.
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
}

/** Never rejects. What the plugin prints is kept from everybody but the caller. */
export function runPlugin(
  { command, args, env, interactive }: PluginCommand,
  { timeoutMs, stop }: Patience,
): Promise<PluginEnd> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve({ state: 'stopped' });
    const shared = interactive ? 'inherit' : undefined;
    let child: ChildProcess;
    try {
      const stdio = [shared ?? 'ignore', 'pipe', shared ?? 'pipe'] as const;
      child = spawn(command, args, { env, stdio: [...stdio], detached: !interactive, windowsHide: true });
    } catch (error) {
      return resolve({ state: 'not started', code: codeOf(error) });
    }
    const output = { stdout: '', stderr: '' };
    const settle = (result: PluginEnd): void => {
      clearTimeout(timer);
      stop.removeEventListener('abort', onStop);
      resolve(result);
    };
    const giveUp = (state: 'too long' | 'too much' | 'stopped'): void => {
      end(child, !interactive);
      settle({ state });
    };
    const onStop = (): void => giveUp('stopped');
    const timer = interactive ? undefined : setTimeout(() => giveUp('too long'), timeoutMs);
    stop.addEventListener('abort', onStop, { once: true });
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (part: string) => {
        output[name] += part;
        if (output[name].length > MOST_OUTPUT) giveUp('too much');
      });
    }
    child.on('error', (error) => settle({ state: 'not started', code: codeOf(error) }));
    child.once('close', (code, signal) => settle({ state: 'ended', code: code ?? signal ?? '', ...output }));
  });
}
