import { EXIT, type ExitCode } from './exit-code.ts';
import type { OutputFlags } from './flags.ts';
import type { Io } from './io.ts';
import { reportDiagnostics } from './report.ts';
import type { Tick } from './tick.ts';

/** Not one list of a cluster could be read: there is nothing to show, and no reason to say it for each schedule. */
export async function tellUnreachable(
  { reconciliation, diagnostics }: Tick,
  flags: Pick<OutputFlags, 'no-color'>,
  io: Io,
): Promise<ExitCode> {
  const found = [...diagnostics, ...reconciliation.changeSet.diagnostics];
  await reportDiagnostics(found, { io, flags, stdin: undefined });
  return EXIT.failed;
}
