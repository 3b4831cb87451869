import type { WriteFlags } from '#cli/command/write-flags.ts';
import type { ExitCode } from '#cli/exit-code.ts';
import type { Io } from '#cli/io.ts';
import { setSuspended } from '#cli/set-suspended.ts';

/** Sets the field that suspends a schedule. */
export async function suspend(flags: WriteFlags, words: readonly string[], io: Io): Promise<ExitCode> {
  return setSuspended(words, { flags, io, suspend: true });
}
