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
import { spentOf } from '#core/spent-orders.ts';
import { inLanes } from '#store/in-lanes.ts';
import type { Listing, ListNarrowing, Store } from '#store/port.ts';

function listWanted(store: Store, { type, namespaces, isOfOrders }: WantedList): Promise<Listing> {
  const bounds = namespaces === 'all' ? {} : { namespaces: [...namespaces].sort() };
  return store.list(type, { ...bounds, records: isOfOrders ? 'status' : 'none' });
}

async function withLists(store: Store, before: Observed, wanted: readonly WantedList[]): Promise<Observed> {
  const read = await Promise.all(
    wanted.map(async (list) => ({ list, listing: await listWanted(store, list) })),
  );
  return read.reduce((seen, { list, listing }) => withWanted(seen, list, listing), before);
}

/** Each connection takes a process longer than such a list of an idle tick. */
const LISTS_AT_ONCE = 2;

/** Every one of these lists. */
export async function observeTypes(
  store: Store,
  types: readonly ResourceType[],
  narrowing: (type: ResourceType) => ListNarrowing = () => ({}),
): Promise<Observed> {
  const byId = new Map(types.map((type) => [typeId(type), type]));
  return new Map(
    await inLanes([...byId], LISTS_AT_ONCE, async ([id, type]) => [
      id,
      await store.list(type, narrowing(type)),
    ]),
  );
}

/** A tick asks who wrote a status, and nothing else. */
const STATUS_RECORDS: ListNarrowing = { records: 'status' };

function observeReferred(store: Store, observed: Observed, readers: Readers): Promise<Observed> {
  return observeTypes(store, referredTypes(observed, readers), () => STATUS_RECORDS);
}

/** The first step of reading: schedules and orders that are not spent, then what those that are there point to. */
export async function observeFirst(
  store: Store,
  readers: Readers,
  { retention }: Pick<Settings, 'retention'>,
  besides: readonly ResourceType[] = [],
): Promise<Observed> {
  const types = [...firstTypes(readers, retention), ...besides];
  const first = await observeTypes(store, types, (type) => {
    const without = besides.includes(type) ? undefined : spentOf(type, readers);
    return without === undefined ? STATUS_RECORDS : { ...STATUS_RECORDS, without };
  });
  return new Map([...first, ...(await observeReferred(store, first, readers))]);
}

/**
 * The second step of reading: runs, only where one may matter in this tick. Those that are orders come first, and what
 * orders point to behind them: what carries an order out is never older than the order, else it would seem to be gone.
 * @param input with the lists of the first step
 */
export async function observeNeeded(
  store: Store,
  input: ReconcileInput & Readers,
): Promise<Required<Pick<ReconcileInput, 'observed' | 'quiet'>>> {
  const before = withoutLater(input.observed, input);
  const needed = neededRuns({ ...input, observed: before });
  const wanted = wantedLists(before, input, needed);
  const orders = wanted.filter(({ isOfOrders }) => isOfOrders);
  if (orders.length === 0) return { observed: await withLists(store, before, wanted), quiet: needed.quiet };
  const known = await withLists(store, before, orders);
  const referred = new Map([...known, ...(await observeReferred(store, known, input))]);
  const observed = await withLists(store, referred, wantedLists(referred, input, needed));
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
