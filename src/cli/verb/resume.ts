import type { WriteFlags } from '#cli/command/write-flags.ts';
import type { ExitCode } from '#cli/exit-code.ts';
import type { Io } from '#cli/io.ts';
import { setSuspended } from '#cli/set-suspended.ts';

/** Takes the suspension of a schedule off, after it was told what a tick then does. */
export async function resume(flags: WriteFlags, words: readonly string[], io: Io): Promise<ExitCode> {
  return setSuspended(words, { flags, io, suspend: false });
}
