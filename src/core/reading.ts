import type { ReconcileInput } from '#core/draft.ts';
import type { Decision, ScheduleKind, Settings } from '#core/kind.ts';
import { except, mergedListing } from '#core/merged-listing.ts';
import { homesOf, type NeededRuns } from '#core/needed-runs.ts';
import type { ResourceType } from '#core/object/resource.ts';
import {
  deferredIn,
  type Listing,
  leftOutOf,
  listingOf,
  NOT_IN_THIS_TICK,
  type Observed,
  typeId,
} from '#core/observed.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import type { Driver } from '#core/run/driver.ts';
import type { Entry } from '#core/settle.ts';
import { uniqueTypes } from '#core/types-of.ts';

/** Kinds and drivers that are looked at. */
export type Readers = Pick<ReconcileInput, 'kinds'> & { readonly drivers: readonly Driver[] };

/** A list, of some namespaces or of all. */
export interface WantedList {
  readonly type: ResourceType;
  readonly namespaces: ReadonlySet<string> | 'all';
  /** Orders: what is decided about them hangs on who wrote their status. */
  readonly isOfOrders: boolean;
}

function isAmong(types: readonly ResourceType[], type: ResourceType): boolean {
  return types.some((one) => typeId(one) === typeId(type));
}

/** What says when something is due: read whole, in every tick. Where retention is ours, what decides about it as well. */
export function firstTypes(
  { kinds, drivers }: Readers,
  manages: Settings['retention'] = {},
): readonly ResourceType[] {
  return uniqueTypes([
    ...kinds.flatMap(({ resource, retention }) =>
      retention !== undefined && manages[retention.id] === 'manage'
        ? [resource, retention.resource]
        : [resource],
    ),
    ...drivers.flatMap(({ orders }) => orders),
  ]);
}

/** What the schedules and open orders that are there point to, whole; of what nobody asks for nothing is read. */
export function referredTypes(observed: Observed, { kinds, drivers }: Readers): readonly ResourceType[] {
  const asked = [
    ...kinds
      .filter(({ resource }) => hasObjects(listingOf(observed, resource)))
      .flatMap(({ referents }) => referents.map(({ resource }) => resource)),
    ...drivers
      .filter((driver) => driver.openIn(observed).length > 0)
      .flatMap(({ types, beside }) => types.filter((type) => !isAmong(beside, type))),
  ];
  return uniqueTypes(asked).filter((type) => !observed.has(typeId(type)));
}

function hasObjects(listing: Listing): boolean {
  return listing.state === 'read' && listing.objects.length + (listing.unreadable?.length ?? 0) > 0;
}

function runTypes({ run, workload }: ScheduleKind): readonly ResourceType[] {
  return workload === undefined ? [run] : [run, workload.resource];
}

/** What piles up: read only where somebody needs it. Of some types the first step has left it out. */
function laterTypes(readers: Readers, observed: Observed): readonly ResourceType[] {
  const first = firstTypes(readers);
  const { kinds, drivers } = readers;
  const all = uniqueTypes([...kinds.flatMap(runTypes), ...drivers.flatMap(({ beside }) => beside)]);
  return all.filter((type) => !isAmong(first, type) || leftOutOf(listingOf(observed, type)) !== undefined);
}

/** The namespaces in which objects of a type matter, and the types that say so. */
function askersOf(
  type: ResourceType,
  { kinds, drivers }: Readers,
): {
  readonly kinds: readonly ScheduleKind[];
  readonly drivers: readonly Driver[];
  readonly types: readonly ResourceType[];
} {
  const asking = {
    kinds: kinds.filter((kind) => isAmong(runTypes(kind), type)),
    drivers: drivers.filter(({ beside }) => isAmong(beside, type)),
  };
  return {
    ...asking,
    types: [
      ...asking.kinds.map(({ resource }) => resource),
      ...asking.drivers.flatMap(({ orders }) => orders),
    ],
  };
}

/** The namespaces for which objects of a type may yet be needed. */
function homesFor(type: ResourceType, readers: Readers, observed: Observed): ReadonlySet<string> {
  return new Set(askersOf(type, readers).kinds.flatMap((kind) => [...homesOf(kind, observed)]));
}

/** What is known of a type before any of it is read: nothing, and where nobody can ask for it, why. */
function unreadListing(type: ResourceType, readers: Readers, observed: Observed): Listing {
  const listings = askersOf(type, readers).types.map((one) => listingOf(observed, one));
  const broken = listings.find(({ state }) => state === 'unreadable');
  if (listings.every(({ state }) => state !== 'read')) return broken ?? { state: 'absent' };
  const deferred = homesFor(type, readers, observed);
  return { state: 'read', objects: [], scope: { namespaces: new Set(), reason: NOT_IN_THIS_TICK, deferred } };
}

/** A list of which something was left out: nobody has asked yet for what that is. */
function withHomes(listing: Listing, homes: ReadonlySet<string>): Listing {
  if (listing.state !== 'read' || listing.scope === undefined) return listing;
  const { scope } = listing;
  return { ...listing, scope: { ...scope, deferred: except(homes, scope.namespaces) } };
}

/** The lists of the first step with those of the second, of which nothing is read yet. */
export function withoutLater(observed: Observed, readers: Readers): Observed {
  const unread = laterTypes(readers, observed).map((type): readonly [string, Listing] => {
    const listing = listingOf(observed, type);
    return leftOutOf(listing) === undefined
      ? [typeId(type), unreadListing(type, readers, observed)]
      : [typeId(type), withHomes(listing, homesFor(type, readers, observed))];
  });
  return new Map([...observed, ...unread]);
}

const NO_NAMESPACES: ReadonlySet<string> = new Set();

/** The namespaces that are known already. */
function wholeIn(listing: Listing): ReadonlySet<string> {
  return (listing.state === 'read' ? listing.scope?.namespaces : undefined) ?? NO_NAMESPACES;
}

/** More lists of single namespaces than that are worth one list of all, if they are most of them. */
const MANY = 32;

function collected(namespaces: ReadonlySet<string>, known: number): WantedList['namespaces'] {
  return namespaces.size > MANY && namespaces.size * 2 > known ? 'all' : namespaces;
}

/**
 * The lists of the second step.
 * @param observed as `withoutLater` gives it
 */
export function wantedLists(
  observed: Observed,
  readers: Readers,
  needed: Pick<NeededRuns, 'namespaces'>,
): readonly WantedList[] {
  const first = firstTypes(readers);
  return laterTypes(readers, observed).flatMap((type): WantedList[] => {
    const askers = askersOf(type, readers);
    const asked = new Set([
      ...askers.drivers.flatMap((driver) => driver.openIn(observed)),
      ...askers.kinds.flatMap((kind) => [...(needed.namespaces.get(kind) ?? [])]),
    ]);
    const namespaces = except(asked, wholeIn(listingOf(observed, type)));
    const known = new Set([...namespaces, ...(deferredIn(listingOf(observed, type)) ?? [])]);
    if (namespaces.size === 0) return [];
    return [{ type, namespaces: collected(namespaces, known.size), isOfOrders: isAmong(first, type) }];
  });
}

/** What came of a wanted list, beside the namespaces that nobody asked for. */
export function withWanted(
  observed: Observed,
  { type, namespaces }: Pick<WantedList, 'type' | 'namespaces'>,
  listing: Listing,
): Observed {
  return new Map([...observed, [typeId(type), afterWanted(listingOf(observed, type), namespaces, listing)]]);
}

function afterWanted(before: Listing, namespaces: WantedList['namespaces'], listing: Listing): Listing {
  const deferred = deferredIn(before);
  if (listing.state === 'absent' || namespaces === 'all' || deferred === undefined) return listing;
  if (listing.state === 'unreadable') return { ...listing, deferred: except(deferred, namespaces) };
  return before.state === 'read' ? mergedListing(before, listing, namespaces) : listing;
}

/** Seconds after which an earlier tick has seen a slot, too. */
const FRESH_SECONDS = 60;

type Firing = Extract<Decision, { readonly state: 'fire' }>;

function firingOf({ decision }: Entry): Firing | undefined {
  return decision.state === 'fire' ? decision : undefined;
}

function namespaceOf({ schedule }: Entry): string {
  return schedule.object.metadata.namespace ?? '';
}

/**
 * Where events may be told that were told before. A slot that fires in its first minute is new, and so is whatever is
 * told of it: at worst the name of its event is taken. Of one that is tried again nobody knows what it will come to.
 */
export function eventNamespaces({
  changeSet,
  entries,
  tellsEvents,
}: Pick<Reconciliation, 'changeSet' | 'entries' | 'tellsEvents'>): ReadonlySet<string> {
  if (!tellsEvents) return new Set();
  const firing = [...entries.values()].filter((entry) => firingOf(entry) !== undefined);
  const uids = new Set(firing.map(({ schedule }) => schedule.object.metadata.uid));
  const again = firing.filter((entry) => (firingOf(entry)?.owed.lateSeconds ?? 0) >= FRESH_SECONDS);
  const telling = [...changeSet.schedules.filter(({ uid }) => !uids.has(uid)), ...changeSet.works];
  const places = telling.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.verb === 'event' ? [change.key.namespace] : [])),
  );
  return new Set([...again.map(namespaceOf), ...places]);
}
