import type { ReconcileInput } from '#core/draft.ts';
import { neededRuns } from '#core/needed-runs.ts';
import { EVENT } from '#core/object/resource.ts';
import { type Observed, typeId } from '#core/observed.ts';
import {
  eventNamespaces,
  type Readers,
  type WantedList,
  wantedLists,
  withoutLater,
  withWanted,
} from '#core/reading.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import type { Listing, Store } from '#store/port.ts';

function listWanted(store: Store, { type, namespaces }: WantedList): Promise<Listing> {
  const bounds = namespaces === 'all' ? {} : { namespaces: [...namespaces].sort() };
  return store.list(type, { ...bounds, records: 'none' });
}

/** What a tick decides from. */
export type Needed = Pick<ReconcileInput, 'observed' | 'quiet'>;

/**
 * The second step of reading: runs, only where one may matter in this tick.
 * @param input with the lists of the first step
 */
export async function observeNeeded(
  store: Store,
  input: ReconcileInput & Readers,
): Promise<Required<Needed>> {
  const before = withoutLater(input.observed, input);
  const needed = neededRuns({ ...input, observed: before });
  const wanted = wantedLists(before, input, needed);
  const listings = await Promise.all(wanted.map((list) => listWanted(store, list)));
  const observed = wanted.reduce<Observed>((seen, list, index) => {
    const listing = listings[index];
    return listing === undefined ? seen : withWanted(seen, list, listing);
  }, before);
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
