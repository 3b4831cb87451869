import type { Instant } from '#core/time/instant.ts';
import { escapeText } from '#render/escape-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { ClusterFlags, DecisionFlags, InputFlags, SelectionFlags } from './flags.ts';
import { type Input, NO_INPUT, readInput } from './input.ts';
import type { Io, OpenedStore } from './io.ts';
import { type Place, placeOf } from './place.ts';
import { reachOf } from './select.ts';
import { readSettings, type SettingsFlags, type TickSettings } from './settings.ts';
import { nowOf, withStore } from './tick.ts';
import { usageError } from './usage-error.ts';

export type ObjectFlags = InputFlags &
  ClusterFlags &
  Omit<SelectionFlags, 'selector'> &
  Pick<DecisionFlags, 'state' | 'now'> &
  SettingsFlags;

export interface ObjectsRequest {
  readonly verb: string;
  readonly flags: ObjectFlags;
  readonly io: Io;
  /** The API server checks writes and stores none. */
  readonly dryRun?: boolean;
}

/** Where the objects are that a verb looks at, and what holds for it. */
export interface Objects extends TickSettings {
  readonly store: OpenedStore;
  readonly place: Place;
  readonly input: Input;
  readonly now: Instant;
}

/** Finds out where the objects are, reads the configuration and the manifests, and opens the store while it is used. */
export async function withObjects(
  { verb, flags, io, dryRun = false }: ObjectsRequest,
  use: (objects: Objects) => Promise<ExitCode>,
): Promise<ExitCode> {
  const found = placeOf(flags, verb);
  if (!found.ok) return usageError(io, escapeText(found.message));
  const { place } = found;
  const { state } = flags;
  const read = await readSettings(
    flags,
    { ownState: state !== undefined, isCluster: place.kind === 'cluster' },
    io,
  );
  if (read === undefined) return EXIT.usage;
  const { config } = read;
  const input = place.kind === 'files' ? await readInput(flags, io, read, state) : NO_INPUT;
  const now = nowOf(flags, io);
  const where = { place, config, reach: reachOf(flags, config), state, now, prune: false, dryRun };
  return withStore(input, where, io, (store) => use({ ...read, store, place, input, now }));
}
