import { runCommandLine } from './command-line.ts';
import type { Io } from './io.ts';

/**
 * Runs one command line and gives its exit code (design.md 6). Usage errors are told, never thrown; what is thrown
 * is a fault of this program.
 */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  return runCommandLine(argv, io);
}
