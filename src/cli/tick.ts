import type { ChangeSet } from '#core/change/change-set.ts';
import { compareDiagnostics, type Diagnostic } from '#core/diagnostic.ts';
import type { Settings } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT, type ResourceType } from '#core/object/resource.ts';
import { listingOf, type Observed, typeId } from '#core/observed.ts';
import { type Reconciliation, reconcile } from '#core/reconcile.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { loadExtension } from './extension.ts';
import type { SelectionFlags } from './flags.ts';
import { type Input, knownTypes } from './input.ts';
import type { Io, OpenedStore, StoreRequest } from './io.ts';
import { isSelected, isSelective, selectSchedules } from './select.ts';
import { withReasons } from './why-invalid.ts';

/** One decision and what it was made from. */
export interface Tick {
  readonly observed: Observed;
  readonly settings: Settings;
  readonly reconciliation: Reconciliation;
  /** What reading the store gave reason to say. */
  readonly diagnostics: readonly Diagnostic[];
  /** Some list, or some object of the store, could not be read. */
  readonly failedReads: boolean;
}

export function nowOf(flags: { readonly now?: Instant }, io: Io): Instant {
  return flags.now ?? instant(io.clock() / 1000);
}

export type StoreFlags = Pick<StoreRequest, 'state' | 'now' | 'prune'>;

/** Opens the store of a tick and closes it whatever happens. */
export async function withStore<T>(
  input: Input,
  flags: StoreFlags,
  io: Io,
  use: (store: OpenedStore) => Promise<T>,
): Promise<T> {
  const { objects: manifests, paths: sources, complete, unusable } = input;
  const store = await io.openStore({ manifests, sources, complete, unusable, ...flags });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Everything that a tick needs, at once; after it there is no reading until the changes are applied. */
async function observe(store: OpenedStore): Promise<Observed> {
  const types = new Map<string, ResourceType>([...knownTypes(), EVENT].map((type) => [typeId(type), type]));
  const listings = await Promise.all(
    [...types].map(async ([id, type]) => [id, await store.list(type)] as const),
  );
  return new Map(listings);
}

export interface TickRequest {
  readonly settings: Settings;
  readonly selection: SelectionFlags;
  readonly now: Instant;
}

/** Reads the store and decides. */
export async function decideTick(
  store: OpenedStore,
  { settings, selection, now }: TickRequest,
): Promise<Tick> {
  const observed = selectSchedules(await observe(store), KINDS, selection);
  const schedules = KINDS.flatMap(({ resource }) => {
    const listing = listingOf(observed, resource);
    return listing.state === 'read' ? listing.objects : [];
  });
  const extend = await loadExtension(schedules);
  const input = {
    observed,
    kinds: KINDS,
    settings,
    now,
    isSelected: (object: KubeObject) => isSelected(object, selection),
    isPartial: isSelective(selection),
  };
  const reconciliation = reconcile(extend === undefined ? input : { ...input, extend });
  const diagnostics = store.diagnostics();
  const unreadable = reconciliation.changeSet.diagnostics.some(({ code }) => code === 'ListUnreadable');
  const failedReads = unreadable || diagnostics.some(({ severity }) => severity === 'error');
  return { observed, settings, reconciliation, diagnostics, failedReads };
}

/** The change set with everything else that was found on the way, in an order that no order of files changes. */
export function wholeChangeSet({ reconciliation, diagnostics }: Tick, input: Input): ChangeSet {
  const { changeSet } = reconciliation;
  const all = [...input.diagnostics, ...diagnostics, ...changeSet.diagnostics];
  return withReasons({ ...changeSet, diagnostics: all.sort(compareDiagnostics) });
}
