import { runCommandLine } from './command-line.ts';
import type { Io } from './io.ts';

/**
 * Runs one command line and gives its exit code (design.md 6). Usage errors are told, never thrown; what is thrown
 * is a fault of this program.
 */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  // The scripts of the shells ask this at a press of a key; it is no verb.
  if (argv[0] === '__complete') {
    const { answerShell } = await import('./completion/answer.ts');
    return answerShell(argv.slice(1), io);
  }
  return runCommandLine(argv, io);
}
