import { EXIT, type ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import { PROGRAM } from './program.ts';

/** Tells what is wrong with the command line; the text is already safe to print. */
export function usageError(io: Io, message: string): ExitCode {
  io.stderr.write(`error: ${message}\n`);
  return EXIT.usage;
}

export function missingInput(io: Io, verb: string): ExitCode {
  return usageError(
    io,
    `no manifests were given: write ${PROGRAM} ${verb} -f PATH, with a file, a folder or - for standard input`,
  );
}
