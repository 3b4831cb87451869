import { keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { type Listing, typeId } from '#core/observed.ts';

/**
 * What was listed, found by key, of some namespaces beside what was known of others. A type is indexed when something of
 * it is first written: most ticks write nothing.
 */
export interface LastSeen {
  readonly note: (type: ResourceType, listing: Listing) => void;
  readonly find: (type: ResourceType, key: ObjectKey) => KubeObject | undefined;
}

export function lastSeen(): LastSeen {
  const listings = new Map<string, readonly Listing[]>();
  const indexes = new Map<string, ReadonlyMap<string, KubeObject>>();
  function indexOf(id: string): ReadonlyMap<string, KubeObject> {
    const known = indexes.get(id);
    if (known !== undefined) return known;
    const objects = (listings.get(id) ?? []).flatMap((one) => (one.state === 'read' ? one.objects : []));
    const index = new Map(objects.map(({ object }) => [keyId(keyOf(object)), object]));
    indexes.set(id, index);
    return index;
  }
  return {
    note: (type, listing) => {
      const isPart = listing.state === 'read' && listing.scope !== undefined;
      const before = isPart ? (listings.get(typeId(type)) ?? []) : [];
      listings.set(typeId(type), [...before, listing]);
      indexes.delete(typeId(type));
    },
    find: (type, key) => indexOf(typeId(type)).get(keyId(key)),
  };
}
