import type { Diagnostic } from '#core/diagnostic.ts';
import { escapeText } from '#render/escape-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { OutputFlags } from './flags.ts';
import type { Io } from './io.ts';
import { reportDiagnostics } from './report.ts';

/** Not one list of a cluster could be read: there is nothing to show, and no reason to say it for each schedule. */
export async function tellUnreachable(
  diagnostics: readonly Diagnostic[],
  flags: Pick<OutputFlags, 'no-color'>,
  io: Io,
): Promise<ExitCode> {
  await reportDiagnostics(diagnostics, { io, flags, stdin: undefined });
  return EXIT.failed;
}

/** Somebody waits at a terminal; a log tells at the end what could not be read. */
export function tellUnanswered(server: string, reason: string, io: Io): void {
  if (!io.stderr.isTerminal || io.onDiagnostics !== undefined) return;
  io.stderr.write(`note: ${escapeText(server)} does not answer (${escapeText(reason)}): trying again\n`);
}
