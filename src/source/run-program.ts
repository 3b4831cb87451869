import { execa, type Result } from 'execa';

export interface ProgramOptions {
  readonly cwd?: string | undefined;
  /** Added to the environment of the process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** For its standard input, which is closed when absent. */
  readonly input?: string | undefined;
  readonly timeoutMs: number;
  /** It is ended once it has printed more. */
  readonly mostBytes: number;
}

type Failure = 'absent' | 'too-much' | 'too-long' | 'failed';

export type ProgramEnd =
  | { readonly ok: true; readonly stdout: Uint8Array }
  | {
      readonly ok: false;
      readonly reason: Failure;
      readonly stderr: Uint8Array;
      /** What became of it, for whoever finds nothing in `stderr`. */
      readonly message: string | undefined;
    };

/** One run of a program, without a shell; never throws. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, input, timeoutMs, mostBytes }: ProgramOptions,
): Promise<ProgramEnd> {
  const result = await execa(program, args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
    encoding: 'buffer',
    stripFinalNewline: false,
    reject: false,
    timeout: timeoutMs,
    maxBuffer: mostBytes,
  });
  if (!result.failed) return { ok: true, stdout: result.stdout };
  return { ok: false, reason: reasonOf(result), stderr: result.stderr, message: result.shortMessage };
}

function reasonOf({
  code,
  isMaxBuffer,
  timedOut,
}: Pick<Result, 'code' | 'isMaxBuffer' | 'timedOut'>): Failure {
  if (code === 'ENOENT') return 'absent';
  if (isMaxBuffer) return 'too-much';
  return timedOut ? 'too-long' : 'failed';
}
