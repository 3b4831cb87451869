import type { Origin } from '#core/capture/capture.ts';
import type { Instant } from '#core/time/instant.ts';
import { escapeText } from '#render/escape-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { CaptureFlags, ClusterFlags, DecisionFlags, InputFlags, SelectionFlags } from './flags.ts';
import { type Input, NO_INPUT, readInput } from './input.ts';
import type { Io, OpenedStore } from './io.ts';
import { captureProblem, originOf, type Place, placeOf } from './place.ts';
import { narrowedPrune, pruningOf } from './prune.ts';
import { reachOf, selectionOf } from './select.ts';
import { readSettings, type SettingsFlags, type TickSettings } from './settings.ts';
import { nowOf, withStore } from './tick.ts';
import { usageError } from './usage-error.ts';

export type ObjectFlags = InputFlags &
  CaptureFlags &
  ClusterFlags &
  Omit<SelectionFlags, 'selector'> &
  Pick<DecisionFlags, 'state' | 'now'> &
  SettingsFlags;

export interface ObjectsRequest {
  readonly flags: ObjectFlags;
  readonly io: Io;
  /** The API server checks writes and stores none. */
  readonly dryRun?: boolean;
  /** What a prune would remove from the state folder is told. */
  readonly showsPrune?: boolean;
}

/** Where the objects are that a verb looks at, and what holds for it. */
export interface Objects extends TickSettings {
  readonly store: OpenedStore;
  readonly place: Place | { readonly kind: 'capture'; readonly origin: Origin };
  readonly input: Input;
  readonly now: Instant;
}

/** Whether the objects are a cluster's, wherever they are read from. */
export function isOfCluster(place: Objects['place']): boolean {
  return place.kind === 'cluster' || (place.kind === 'capture' && place.origin === 'cluster');
}

type Use = (objects: Objects) => Promise<ExitCode>;

/** What was captured answers as the place did that it comes from, at the time of the capture unless a flag says another. */
async function withCapture(
  { flags, io, file }: ObjectsRequest & { readonly file: string },
  use: Use,
): Promise<ExitCode> {
  const problem = captureProblem(flags);
  if (problem !== undefined) return usageError(io, problem);
  const { openCapture } = await import('./read-capture.ts');
  const opened = await openCapture(file, flags, io);
  if (typeof opened === 'number') return opened;
  const { capture, config, store } = opened;
  const { origin } = capture;
  const read = await readSettings(flags, origin, io, config);
  if (read === undefined) return EXIT.usage;
  const { findings, failedReads } = capture;
  return use({
    ...read,
    store,
    place: { kind: 'capture', origin },
    input: { ...NO_INPUT, diagnostics: findings.input, failedReads },
    now: flags.now ?? capture.now,
  });
}

/** Finds out where the objects are, reads the configuration and the manifests, and opens the store while it is used. */
export async function withObjects(request: ObjectsRequest, use: Use): Promise<ExitCode> {
  const { flags, io, dryRun = false, showsPrune = false } = request;
  if (flags.from !== undefined) return withCapture({ ...request, file: flags.from }, use);
  const found = placeOf(flags);
  if (!found.ok) return usageError(io, escapeText(found.message));
  const { place } = found;
  const { state } = flags;
  const read = await readSettings(flags, originOf(place, state), io);
  if (read === undefined) return EXIT.usage;
  const { config } = read;
  const narrowed = showsPrune ? narrowedPrune(selectionOf(flags, config), read) : undefined;
  if (narrowed !== undefined) return usageError(io, narrowed);
  const prune = pruningOf(showsPrune, true);
  const input = place.kind === 'files' ? await readInput(flags, io, read, state) : NO_INPUT;
  const now = nowOf(flags, io);
  const where = { place, config, reach: reachOf(flags, config), state, now, prune, dryRun };
  return withStore(input, where, io, (store) => use({ ...read, store, place, input, now }));
}
