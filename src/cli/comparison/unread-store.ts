import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import type { Io } from '#cli/io.ts';
import { reportDiagnostics } from '#cli/report.ts';
import { type Tick, unreachableDiagnostics } from '#cli/tick.ts';
import { tellUnreachable } from '#cli/unreachable.ts';
import type { DiffRequest } from './decide-side.ts';

/** Another verb would decide as for a first tick; a guard that is to look at what ran may not look at nothing. */
export async function missingState(state: string | undefined, io: Io): Promise<string | undefined> {
  if (state === undefined || (await io.isFolder(state))) return undefined;
  return `--state: there is no folder ${state} that could tell what ran so far`;
}

/**
 * Tells why not one list of a side could be read: beside that, objects that are spelled out would pass for none.
 * @returns undefined where both sides could be read
 */
export async function tellUnread(
  decided: readonly Tick[],
  { flags, io }: Pick<DiffRequest, 'flags' | 'io'>,
): Promise<ExitCode | undefined> {
  const blind = decided.find(({ unreachable }) => unreachable);
  if (blind === undefined) return undefined;
  if (flags.state === undefined) return tellUnreachable(unreachableDiagnostics(blind), flags, io);
  // It is no folder of ours: as one that is missing, a slip on the command line.
  await reportDiagnostics(blind.diagnostics, { io, flags, stdin: undefined });
  return EXIT.usage;
}
