import type { Diagnostic } from '#core/diagnostic.ts';
import type { Instant } from '#core/time/instant.ts';
import { escapeText } from '#render/escape-text.ts';
import { noteEmptyNamespaces } from './empty-namespaces.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { ClusterFlags, DecisionFlags, InputFlags, OutputFlags, SelectionFlags } from './flags.ts';
import { NO_INPUT, readInput } from './input.ts';
import type { Io, OpenedStore } from './io.ts';
import type { OutcomeFacts } from './outcome.ts';
import { placeOf } from './place.ts';
import { reportDiagnostics } from './report.ts';
import { reachOf, selectionOf } from './select.ts';
import { readSettings, type SettingsFlags } from './settings.ts';
import { noteUnusedState } from './state-folder.ts';
import { decideTick, nowOf, type Tick, wholeChangeSet, withStore } from './tick.ts';
import { tellUnreachable } from './unreachable.ts';
import { usageError } from './usage-error.ts';

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

type LookFlags = InputFlags & ClusterFlags & SelectionFlags & DecisionFlags & OutputFlags & SettingsFlags;

export interface LookRequest {
  readonly verb: string;
  readonly flags: LookFlags;
  readonly io: Io;
  /** Writes of `show` are checked by the server and not stored. */
  readonly dryRun?: boolean;
}

/** Reads and decides as a tick does, for verbs that show one side of it. */
export async function lookAt(
  { verb, flags, io, dryRun = false }: LookRequest,
  show: (sight: Sight, store: OpenedStore) => Promise<Shown>,
): Promise<ExitCode> {
  const found = placeOf(flags, verb);
  if (!found.ok) return usageError(io, escapeText(found.message));
  const { place } = found;
  const { state } = flags;
  const read = await readSettings(flags, state !== undefined, io);
  if (read === undefined) return EXIT.usage;
  const { config, kinds } = read;
  const input = place.kind === 'files' ? await readInput(flags, io, kinds, state) : NO_INPUT;
  const now = nowOf(flags, io);
  const request = { ...read, selection: selectionOf(flags, config), now };
  const where = { place, config, reach: reachOf(flags, config), state, now, prune: false, dryRun };
  return withStore(input, where, io, async (store) => {
    const tick = await decideTick(store, request);
    if (place.kind === 'cluster' && tick.unreachable) return tellUnreachable(tick, flags, io);
    const changeSet = wholeChangeSet(tick, input);
    const failedReads = input.failedReads || tick.failedReads;
    const sight = { tick, changeSet, diagnostics: changeSet.diagnostics, failedReads, now };
    const { code, diagnostics } = await show(sight, store);
    await reportDiagnostics(diagnostics, { io, flags, stdin: input.stdin });
    if (!failedReads && code !== EXIT.usage) {
      noteEmptyNamespaces(request.selection, changeSet.schedules, io);
    }
    const isLocal = place.kind === 'files' && code !== EXIT.usage;
    if (isLocal) await noteUnusedState(state, verb, io);
    return code;
  });
}
