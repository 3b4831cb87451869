import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { type Listing, typeId } from '#core/observed.ts';

/** What was listed, found by key. A type is indexed when something of it is first written: most ticks write nothing. */
export interface LastSeen {
  readonly note: (type: ResourceType, listing: Listing) => void;
  readonly find: (type: ResourceType, key: ObjectKey) => KubeObject | undefined;
}

export function lastSeen(): LastSeen {
  const listings = new Map<string, Listing>();
  const indexes = new Map<string, ReadonlyMap<string, KubeObject>>();
  function indexOf(id: string): ReadonlyMap<string, KubeObject> {
    const known = indexes.get(id);
    if (known !== undefined) return known;
    const listing = listings.get(id);
    const objects = listing?.state === 'read' ? listing.objects : [];
    const index = new Map(objects.map(({ object }) => [keyId(keyOf(object)), object]));
    indexes.set(id, index);
    return index;
  }
  return {
    note: (type, listing) => {
      listings.set(typeId(type), listing);
      indexes.delete(typeId(type));
    },
    find: (type, key) => indexOf(typeId(type)).get(keyId(key)),
  };
}
