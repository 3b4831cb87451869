import { keyOf } from '#core/object/key.ts';
import type { KubeObject, SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { gapIn, type Listing, type Observed, typeId } from '#core/observed.ts';

/** Missing and unreadable are two states (design.md 3.2). */
export type Referent =
  | { readonly state: 'found'; readonly object: KubeObject }
  | { readonly state: 'missing' }
  | { readonly state: 'unreadable'; readonly reason: string };

export type Referred =
  | { readonly state: 'read'; readonly objects: readonly KubeObject[] }
  | { readonly state: 'unreadable'; readonly reason: string };

/** The objects that schedules point to, as this tick read them. The namespace of cluster-scoped types is empty. */
export interface Referents {
  readonly find: (type: ResourceType, namespace: string, name: string) => Referent;
  /** All of one namespace, in the order in which they were read. */
  readonly inNamespace: (type: ResourceType, namespace: string) => Referred;
}

interface TypeIndex {
  readonly byName: ReadonlyMap<string, KubeObject>;
  readonly byNamespace: ReadonlyMap<string, readonly KubeObject[]>;
  readonly unreadable: ReadonlyMap<string, string>;
  readonly gapIn: (namespace: string) => string | undefined;
}

const NONE: readonly KubeObject[] = [];

function nameId(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function indexOf(listing: Listing & { readonly state: 'read' }): TypeIndex {
  const byName = new Map<string, KubeObject>();
  const byNamespace = new Map<string, KubeObject[]>();
  for (const { object } of listing.objects) {
    const { namespace = '', name } = object.metadata;
    byName.set(nameId(namespace, name), object);
    const siblings = byNamespace.get(namespace);
    if (siblings === undefined) byNamespace.set(namespace, [object]);
    else siblings.push(object);
  }
  const unreadable = new Map(
    (listing.unreadable ?? []).map(({ source, reason }) => {
      const { namespace, name } = keyOf(source.object);
      return [nameId(namespace, name), reason];
    }),
  );
  return { byName, byNamespace, unreadable, gapIn: (namespace) => gapIn(listing, namespace) };
}

/** What was not asked for, as beside manifests, is empty. */
const NOTHING: Listing = { state: 'read', objects: [] };

/** A type that is not served may have objects all the same, in a version of another time. */
function indexOrReason({ plural }: ResourceType, listing: Listing): TypeIndex | string {
  switch (listing.state) {
    case 'read':
      return indexOf(listing);
    case 'absent':
      return `${plural} are not served here`;
    case 'unreadable':
      return listing.reason;
  }
}

/** Each type is indexed once, when it is first asked for. */
export function referentsOf(observed: Observed): Referents {
  const indexes = new Map<string, TypeIndex | string>();
  function indexFor(type: ResourceType): TypeIndex | string {
    const id = typeId(type);
    const known = indexes.get(id);
    if (known !== undefined) return known;
    const index = indexOrReason(type, observed.get(id) ?? NOTHING);
    indexes.set(id, index);
    return index;
  }
  return {
    find: (type, namespace, name) => {
      const index = indexFor(type);
      if (typeof index === 'string') return { state: 'unreadable', reason: index };
      const id = nameId(namespace, name);
      const spoiled = index.unreadable.get(id);
      if (spoiled !== undefined) return { state: 'unreadable', reason: spoiled };
      const object = index.byName.get(id);
      if (object !== undefined) return { state: 'found', object };
      const reason = index.gapIn(namespace);
      return reason === undefined ? { state: 'missing' } : { state: 'unreadable', reason };
    },
    inNamespace: (type, namespace) => {
      const index = indexFor(type);
      if (typeof index === 'string') return { state: 'unreadable', reason: index };
      const reason = index.gapIn(namespace);
      if (reason !== undefined) return { state: 'unreadable', reason };
      return { state: 'read', objects: index.byNamespace.get(namespace) ?? NONE };
    },
  };
}

/** What manifests alone hold, as if nothing else existed. */
export function observedOf(sources: readonly SourcedObject[]): Observed {
  const byType = new Map<string, SourcedObject[]>();
  for (const source of sources) {
    const id = typeId(keyOf(source.object));
    const siblings = byType.get(id);
    if (siblings === undefined) byType.set(id, [source]);
    else siblings.push(source);
  }
  return new Map([...byType].map(([id, objects]) => [id, { state: 'read', objects }]));
}
