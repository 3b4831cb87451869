import type { Diagnostic } from '#core/diagnostic.ts';
import type { Instant } from '#core/time/instant.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { DecisionFlags, InputFlags, OutputFlags, SelectionFlags } from './flags.ts';
import { hasInput, readInput } from './input.ts';
import type { Io } from './io.ts';
import type { OutcomeFacts } from './outcome.ts';
import { reportDiagnostics } from './report.ts';
import { readSettings, type SettingsFlags } from './settings.ts';
import { noteUnusedState } from './state-folder.ts';
import { decideTick, nowOf, type Tick, wholeChangeSet, withStore } from './tick.ts';
import { missingInput } from './usage-error.ts';

/** A decision that is only looked at. */
export interface Sight extends OutcomeFacts {
  readonly tick: Tick;
  readonly now: Instant;
}

export interface Shown {
  readonly code: ExitCode;
  /** What is to be told beside the data. */
  readonly diagnostics: readonly Diagnostic[];
}

type LookFlags = InputFlags & SelectionFlags & DecisionFlags & OutputFlags & SettingsFlags;

export interface LookRequest {
  readonly verb: string;
  readonly flags: LookFlags;
  readonly io: Io;
}

/** Reads and decides as a tick does, for verbs that show one side of it and write nothing. */
export async function lookAt(
  { verb, flags, io }: LookRequest,
  show: (sight: Sight) => Promise<Shown>,
): Promise<ExitCode> {
  if (!hasInput(flags)) return missingInput(io, verb);
  const settings = await readSettings(flags, flags.state !== undefined, io);
  if (settings === undefined) return EXIT.usage;
  const input = await readInput(flags, io, flags.state);
  const now = nowOf(flags, io);
  return withStore(input, { state: flags.state, now, prune: false }, io, async (store) => {
    const tick = await decideTick(store, { settings, selection: flags, now });
    const changeSet = wholeChangeSet(tick, input);
    const failedReads = input.failedReads || tick.failedReads;
    const { code, diagnostics } = await show({
      tick,
      changeSet,
      diagnostics: changeSet.diagnostics,
      failedReads,
      now,
    });
    await reportDiagnostics(diagnostics, { io, flags, stdin: input.stdin });
    if (code !== EXIT.usage) await noteUnusedState(flags.state, verb, io);
    return code;
  });
}
