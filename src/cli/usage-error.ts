import { EXIT, type ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import { PROGRAM } from './program.ts';

/** Tells why nothing more is done; the text is already safe to print. */
export function failure(io: Io, message: string, code: ExitCode): ExitCode {
  io.stderr.write(`error: ${message}\n`);
  return code;
}

/** The same of what is wrong with the command line. */
export function usageError(io: Io, message: string): ExitCode {
  return failure(io, message, EXIT.usage);
}

export function missingInput(io: Io, verb: string): ExitCode {
  return usageError(
    io,
    `no manifests were given: write ${PROGRAM} ${verb} -f PATH, with a file, a folder or - for standard input`,
  );
}
