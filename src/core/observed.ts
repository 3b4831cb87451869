import type { FieldValue } from '#core/object/field-value.ts';
import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import { EVENT, type ResourceType } from '#core/object/resource.ts';

/** An object as far as it is known, with why the rest is not. */
export interface UnreadableObject {
  readonly source: SourcedObject;
  readonly reason: string;
}

/** The namespaces that were read whole, and why no other was. */
export interface Scope {
  readonly namespaces: ReadonlySet<string>;
  readonly reason: string;
  /** Among the others those that this tick had no need to look at: nothing is known of them, and nothing is wrong. */
  readonly deferred?: ReadonlySet<string>;
  /** Of the others the objects that have this were left out, and no more: what is there of them is not all of them. */
  readonly without?: FieldValue;
}

/** Why a list cannot be read, in words that fit every list that it befalls: so that it is told once. */
export interface ListFault {
  /** Follows `jobs, snapshots could not be read: `. */
  readonly reason: string;
  /** Told instead, without the lists, where not one could be read. */
  readonly server?: string;
  readonly fix?: string;
  /** A right is missing. */
  readonly denied?: boolean;
}

/** Absent (the API does not serve the kind), unreadable and empty are three states (design.md 3.2). */
export type Listing =
  | {
      readonly state: 'read';
      readonly objects: readonly SourcedObject[];
      /** Namespaces of which some object could not be read, each with the reason: what is missing there is not absent. */
      readonly incomplete?: ReadonlyMap<string, string>;
      /** Where not every namespace was looked at: those that were. */
      readonly scope?: Scope;
      /** Objects that exist, but of which not enough is known to decide anything. */
      readonly unreadable?: readonly UnreadableObject[];
    }
  | { readonly state: 'absent' }
  | {
      readonly state: 'unreadable';
      readonly reason: string;
      readonly fault?: ListFault;
      /** As of `Scope`: namespaces of which nothing was asked. */
      readonly deferred?: ReadonlySet<string>;
    };

/** Everything that one tick read, by `typeId`. */
export type Observed = ReadonlyMap<string, Listing>;

const ABSENT: Listing = { state: 'absent' };

/** Why the objects of a namespace are not all known; undefined where they are. */
export function gapIn(
  { incomplete, scope }: Extract<Listing, { state: 'read' }>,
  namespace: string,
): string | undefined {
  const reason = incomplete?.get(namespace);
  if (reason !== undefined || scope === undefined || namespace === '') return reason;
  return scope.namespaces.has(namespace) ? undefined : scope.reason;
}

/** Whether a tick left out the objects of this namespace: they are neither absent nor unreadable. */
export function isDeferred(listing: Listing, namespace: string): boolean {
  return deferredIn(listing)?.has(namespace) === true;
}

/** The namespaces of which nothing was asked, where some were left out. */
export function deferredIn(listing: Listing): ReadonlySet<string> | undefined {
  switch (listing.state) {
    case 'read':
      return listing.scope?.deferred;
    case 'unreadable':
      return listing.deferred;
    case 'absent':
      return undefined;
  }
}

/** What was left out of some namespaces, where the rest of them was read. */
export function leftOutOf(listing: Listing): FieldValue | undefined {
  return listing.state === 'read' ? listing.scope?.without : undefined;
}

/** Why a schedule, or an order, whose namespace was left out is not decided by what stands there. */
export const NOT_IN_THIS_TICK = 'not read in this tick';

export function typeId(type: Pick<ResourceType, 'group' | 'kind'>): string {
  return `${type.group}/${type.kind}`;
}

export function listingOf(observed: Observed, type: ResourceType): Listing {
  return observed.get(typeId(type)) ?? ABSENT;
}

/** The objects of these namespaces alone, as if nothing else had been read. */
export function within(listing: Listing, namespaces: readonly string[] | undefined): Listing {
  if (listing.state !== 'read' || namespaces === undefined) return listing;
  const known = listing.scope?.namespaces;
  const read = new Set(namespaces.filter((one) => known?.has(one) !== false));
  const left = withObjects(listing, ({ metadata }) => read.has(metadata.namespace ?? ''));
  return { ...left, scope: { namespaces: read, reason: listing.scope?.reason ?? NOT_IN_THIS_TICK } };
}

function withObjects(
  listing: Extract<Listing, { state: 'read' }>,
  isWanted: (object: KubeObject) => boolean,
): Extract<Listing, { state: 'read' }> {
  const unreadable = listing.unreadable?.filter(({ source }) => isWanted(source.object));
  return {
    ...listing,
    objects: listing.objects.filter(({ object }) => isWanted(object)),
    ...(unreadable === undefined ? {} : { unreadable }),
  };
}

/** Without the objects that are not wanted; why others are missing stays as it is. */
export function narrowed(listing: Listing, isWanted: (object: KubeObject) => boolean): Listing {
  return listing.state === 'read' ? withObjects(listing, isWanted) : listing;
}

/** `namespace/name` of every event that exists, so that a transition is told once. */
export function knownEvents(observed: Observed): ReadonlySet<string> {
  const listing = listingOf(observed, EVENT);
  if (listing.state !== 'read') return new Set();
  return new Set(
    listing.objects.map(({ object }) => `${object.metadata.namespace ?? ''}/${object.metadata.name}`),
  );
}
