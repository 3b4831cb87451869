import type { ReconcileInput } from '#core/draft.ts';
import type { Settings } from '#core/kind.ts';
import { neededRuns } from '#core/needed-runs.ts';
import { EVENT, type ResourceType } from '#core/object/resource.ts';
import { type Observed, typeId } from '#core/observed.ts';
import {
  eventNamespaces,
  firstTypes,
  type Readers,
  referredTypes,
  type WantedList,
  wantedLists,
  withoutLater,
  withWanted,
} from '#core/reading.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import { inLanes } from '#store/in-lanes.ts';
import type { Listing, ListNarrowing, Store } from '#store/port.ts';

function listWanted(store: Store, { type, namespaces }: WantedList): Promise<Listing> {
  const bounds = namespaces === 'all' ? {} : { namespaces: [...namespaces].sort() };
  return store.list(type, { ...bounds, records: 'none' });
}

/** Each connection takes a process longer than such a list of an idle tick. */
const LISTS_AT_ONCE = 2;

/** Every one of these lists. */
export async function observeTypes(
  store: Store,
  types: readonly ResourceType[],
  narrowing?: ListNarrowing,
): Promise<Observed> {
  const byId = new Map(types.map((type) => [typeId(type), type]));
  return new Map(
    await inLanes([...byId], LISTS_AT_ONCE, async ([id, type]) => [id, await store.list(type, narrowing)]),
  );
}

/** A tick asks who wrote a status, and nothing else. */
const STATUS_RECORDS: ListNarrowing = { records: 'status' };

/** The first step of reading: schedules and orders, then what those that are there point to. */
export async function observeFirst(
  store: Store,
  readers: Readers,
  { retention }: Pick<Settings, 'retention'>,
  besides: readonly ResourceType[] = [],
): Promise<Observed> {
  const types = [...firstTypes(readers, retention), ...besides];
  const first = await observeTypes(store, types, STATUS_RECORDS);
  return new Map([...first, ...(await observeTypes(store, referredTypes(first, readers), STATUS_RECORDS))]);
}

/**
 * The second step of reading: runs, only where one may matter in this tick.
 * @param input with the lists of the first step
 */
export async function observeNeeded(
  store: Store,
  input: ReconcileInput & Readers,
): Promise<Required<Pick<ReconcileInput, 'observed' | 'quiet'>>> {
  const before = withoutLater(input.observed, input);
  const needed = neededRuns({ ...input, observed: before });
  const wanted = wantedLists(before, input, needed);
  const read = await Promise.all(
    wanted.map(async (list) => ({ list, listing: await listWanted(store, list) })),
  );
  const observed = read.reduce((seen, { list, listing }) => withWanted(seen, list, listing), before);
  return { observed, quiet: needed.quiet };
}

/** The third step: events, where one is about to be told. @returns undefined where none is */
export async function observeEvents(
  store: Store,
  observed: Observed,
  reconciliation: Reconciliation,
): Promise<Observed | undefined> {
  const namespaces = eventNamespaces(reconciliation);
  if (namespaces.size === 0) return undefined;
  const listing = await store.list(EVENT, { namespaces: [...namespaces].sort() });
  return new Map([...observed, [typeId(EVENT), listing]]);
}
