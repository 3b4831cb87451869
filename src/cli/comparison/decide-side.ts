import type { DiffFlags } from '#cli/command/diff.ts';
import type { ExitCode } from '#cli/exit-code.ts';
import { type Input, NO_INPUT } from '#cli/input.ts';
import type { Io, OpenedStore } from '#cli/io.ts';
import { observeTypes } from '#cli/observe-needed.ts';
import { clusterFlagsOf } from '#cli/place.ts';
import { reachOf, selectionOf } from '#cli/select.ts';
import type { TickSettings } from '#cli/settings.ts';
import { decideTick, type Tick, withStore } from '#cli/tick.ts';
import { tellUnreachable } from '#cli/unreachable.ts';
import type { SourcedObject } from '#core/object/object.ts';
import { type Listing, type Observed, typeId } from '#core/observed.ts';
import type { Instant } from '#core/time/instant.ts';
import { typesOf } from '#core/types-of.ts';
import { unreadLists } from '#core/unread-lists.ts';
import { idOf } from './world.ts';

/** What holds for both sides. */
export interface DiffRequest {
  readonly flags: DiffFlags;
  readonly io: Io;
  readonly read: TickSettings;
  readonly now: Instant;
}

export function observeStore(store: OpenedStore, { read }: Pick<DiffRequest, 'read'>): Promise<Observed> {
  return observeTypes(store, typesOf(read.kinds, read.drivers));
}

/** Everything that lives, or how it ended that it cannot be told. */
export function readLive({ flags, io, read, now }: DiffRequest): Promise<Observed | ExitCode> {
  const { config, kinds, drivers } = read;
  const place = { kind: 'cluster', flags: clusterFlagsOf(flags) } as const;
  const where = { place, config, reach: reachOf(flags, config), state: undefined, now, prune: undefined };
  return withStore(NO_INPUT, where, io, async (store) => {
    const observed = await observeStore(store, { read });
    const isDown = [...observed.values()].every(({ state }) => state === 'unreadable');
    if (!isDown) return observed;
    return tellUnreachable([...store.diagnostics(), ...unreadLists(observed, kinds, drivers)], flags, io);
  });
}

/** Of an object that was captured without a time of creation nobody knows its age; the store takes it for a told one. */
function withAges(listing: Listing, live: Listing | undefined): Listing {
  if (listing.state !== 'read' || live?.state !== 'read') return listing;
  const assumed = new Set(live.objects.filter((one) => one.assumedCreation === true).map(idOf));
  if (assumed.size === 0) return listing;
  const objects = listing.objects.map((one) =>
    assumed.has(idOf(one)) ? { ...one, assumedCreation: true as const } : one,
  );
  return { ...listing, objects };
}

/** Decides over manifests as a tick would; lists that could not be read of what lives stay unreadable. */
export async function decide(
  manifests: readonly SourcedObject[],
  input: Input,
  live: Observed | undefined,
  { flags, io, read, now }: DiffRequest,
): Promise<Tick> {
  const { paths: sources, complete, unusable } = input;
  const { state } = flags;
  const store = await io.openStore({ manifests, sources, complete, unusable, state, now, prune: undefined });
  const over: OpenedStore =
    live === undefined
      ? store
      : {
          ...store,
          list: async (type) => {
            const listing = live.get(typeId(type));
            if (listing !== undefined && listing.state !== 'read') return listing;
            return withAges(await store.list(type), listing);
          },
        };
  try {
    // What a Plan starts is no part of the comparison, but the classes that it names are.
    const besides = typesOf([], read.drivers);
    const request = { ...read, drivers: [], besides, selection: selectionOf(flags, read.config), now };
    return await decideTick(over, request);
  } finally {
    await store.close();
  }
}
