import { type Diagnostic, isError } from '#core/diagnostic.ts';
import type { Shard } from '#core/shard.ts';
import type { Instant } from '#core/time/instant.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { LookFlags } from './flags.ts';
import { followUp } from './follow-up.ts';
import type { Input } from './input.ts';
import type { Io, OpenedStore } from './io.ts';
import { noteNothingSelected } from './nothing-selected.ts';
import type { OutcomeFacts } from './outcome.ts';
import { reportDiagnostics } from './report.ts';
import { selectionOf } from './select.ts';
import type { SettingsFlags } from './settings.ts';
import { noteUnusedState } from './state-folder.ts';
import {
  decideTick,
  type Reading,
  type Tick,
  type TickRequest,
  unreachableDiagnostics,
  wholeChangeSet,
} from './tick.ts';
import { tellUnreachable } from './unreachable.ts';
import { isOfCluster, type Objects, withObjects } from './with-objects.ts';

/** A decision that is only looked at. */
export interface Sight extends OutcomeFacts {
  readonly tick: Tick;
  /** What the manifests hold, where there are some. */
  readonly input: Input;
  readonly now: Instant;
}

export interface Shown {
  readonly code: ExitCode;
  /** What is to be told beside the data. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface LookRequest {
  readonly flags: LookFlags & SettingsFlags;
  readonly io: Io;
  /** Writes of `show` are checked by the server and not stored. */
  readonly dryRun?: boolean;
  /** Runs are read as a tick reads them: only where they may matter in it. */
  readonly asATick?: boolean;
  /** As of `ObjectsRequest`. */
  readonly showsPrune?: boolean;
  /** Which part of the schedules is decided about. */
  readonly shard?: Shard | undefined;
  /**
   * Whether `show` writes what follows from the decision: the store is prepared before it is read. Files are looked at
   * before that, so that no state folder is made where nothing is written.
   */
  readonly writes?: (sight: Sight) => boolean | Promise<boolean>;
}

/** What was captured of a cluster is decided as it was there. */
function readingOf(place: Objects['place'], asATick: boolean): Reading {
  return asATick && isOfCluster(place) ? 'needed' : 'whole';
}

/** A verb that is asked about one object keeps quiet about others, but not about that its answer is only a part. */
function notePart(
  { code, diagnostics }: Shown,
  failedReads: boolean,
  { flags, io }: Pick<LookRequest, 'flags' | 'io'>,
): void {
  if (code !== EXIT.partly || !failedReads || diagnostics.some(isError)) return;
  io.stderr.write(`note: not everything could be read: ${followUp(['plan'], flags)} tells what\n`);
}

/** A decision about what the store holds now. */
async function sightOf({ store, input, now }: Objects, request: TickRequest): Promise<Sight> {
  const tick = await decideTick(store, request);
  const changeSet = wholeChangeSet(tick, input);
  const failedReads = input.failedReads || tick.failedReads;
  return { tick, input, changeSet, diagnostics: changeSet.diagnostics, failedReads, now };
}

/** Reads and decides as a tick does, for verbs that show one side of it. */
export async function lookAt(
  { flags, io, dryRun = false, shard, writes, asATick = false, showsPrune = false }: LookRequest,
  show: (sight: Sight, store: OpenedStore) => Promise<Shown>,
): Promise<ExitCode> {
  const { state } = flags;
  return withObjects({ flags, io, dryRun, showsPrune }, async (objects) => {
    const { store, place, input, now, ...read } = objects;
    const reading = readingOf(place, asATick);
    const request = { ...read, selection: selectionOf(flags, read.config), now, reading, shard };
    let sight = await sightOf(objects, request);
    if (isOfCluster(place) && sight.tick.unreachable)
      return tellUnreachable(unreachableDiagnostics(sight.tick), flags, io);
    // A cluster needs no preparation.
    if (place.kind === 'files' && (await writes?.(sight)) === true) {
      const preparation = await store.prepare();
      if (!preparation.ok) {
        const found = [...input.diagnostics, preparation.diagnostic];
        await reportDiagnostics(found, { io, flags, stdin: input.stdin });
        return EXIT.failed;
      }
      sight = await sightOf(objects, request);
    }
    const { changeSet, failedReads } = sight;
    const { code, diagnostics } = await show(sight, store);
    const elsewhere = place.kind === 'capture';
    await reportDiagnostics(diagnostics, { io, flags, stdin: input.stdin, elsewhere });
    notePart({ code, diagnostics }, failedReads, { flags, io });
    if (!failedReads && code !== EXIT.usage && shard === undefined) {
      noteNothingSelected(request.selection, { ...changeSet, leftOut: sight.tick.leftOut }, io);
    }
    const isLocal = place.kind === 'files' && code !== EXIT.usage;
    if (isLocal) await noteUnusedState(state, io);
    return code;
  });
}
