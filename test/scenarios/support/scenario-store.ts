import { obsoleteVersion } from '#cli/obsolete-version.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import { isObject } from '#core/object/canonical.ts';
import { keyOf, keyText } from '#core/object/key.ts';
import type { Json, JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import { EVENT, type ResourceType } from '#core/object/resource.ts';
import { type Listing, type Observed, typeId } from '#core/observed.ts';
import { typesOf } from '#core/types-of.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import type { Store, WriteResult } from '#store/port.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';
import { isKubeObject } from './kube-object.ts';
import type { TickPlan } from './scenario.ts';

/** Everything that a tick reads. */
export const TYPES: readonly ResourceType[] = [
  ...new Map([...typesOf(KINDS, DRIVERS), EVENT].map((type) => [typeId(type), type])).values(),
];

/** A merge patch as the API knows it: null removes a member. */
function merged(value: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: Record<string, Json> = { ...(isObject(value) ? value : {}) };
  for (const [name, member] of Object.entries(patch)) {
    if (member === null) delete result[name];
    else result[name] = merged(result[name], member);
  }
  return result;
}

function patched(object: KubeObject | undefined, patch: JsonObject): KubeObject {
  const result = merged(object === undefined ? undefined : JSON.parse(JSON.stringify(object)), patch);
  if (!isKubeObject(result)) throw new Error('an edit has to leave a whole object');
  return result;
}

function edited(objects: readonly KubeObject[], edit: TickPlan['edit']): readonly KubeObject[] {
  const left = new Map(Object.entries(edit));
  const kept = objects.flatMap((object) => {
    const name = keyText(keyOf(object));
    const patch = left.get(name);
    left.delete(name);
    if (patch === undefined) return [object];
    return patch === null ? [] : [patched(object, patch)];
  });
  const added = [...left.values()].flatMap((patch) => (patch === null ? [] : [patched(undefined, patch)]));
  return [...kept, ...added];
}

/** What an older definition keeps of a status. */
function declared(type: ResourceType, fields: JsonObject, undeclared: TickPlan['undeclared']): JsonObject {
  const dropped = undeclared[type.plural] ?? [];
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !dropped.includes(field)));
}

/** Objects that nobody dated are told as that, for as long as the store lives. */
function marked(listing: Listing, undated: ReadonlySet<string>): Listing {
  if (listing.state !== 'read') return listing;
  const objects = listing.objects.map((source) =>
    undated.has(keyText(keyOf(source.object))) ? { ...source, assumedCreation: true as const } : source,
  );
  return { ...listing, objects };
}

/** The objects as they stand when the tick starts. */
export function openStore(objects: readonly KubeObject[], tick: TickPlan): MemoryStore {
  const given = edited(objects, tick.edit);
  const undated = new Set(
    given
      .filter(({ metadata }) => metadata.creationTimestamp === undefined)
      .map((object) => keyText(keyOf(object))),
  );
  const memory = memoryStore({ objects: given, now: tick.now });
  const store: MemoryStore = {
    ...memory,
    list: async (type, narrowing) => marked(await memory.list(type, narrowing), undated),
    applyStatus: (type, key, precondition, fields, annotations) =>
      memory.applyStatus(type, key, precondition, declared(type, fields, tick.undeclared), annotations),
  };
  for (const type of TYPES) {
    const reason = tick.unreadable[type.plural];
    if (reason !== undefined && reason !== null) store.setListing(type, { state: 'unreadable', reason });
  }
  return store;
}

/** What others do to the objects while a tick is at work. */
export function disturb(store: Pick<MemoryStore, 'objects' | 'put'>, edit: TickPlan['edit']): void {
  if (Object.keys(edit).length === 0) return;
  const before = store.objects();
  for (const object of edited(before, edit)) if (!before.includes(object)) store.put(object);
}

/** What a tick reads; objects in a version that is not served are set aside, as the command line does. */
export async function readAll(
  store: Store,
): Promise<{ readonly observed: Observed; readonly obsolete: readonly Diagnostic[] }> {
  const observed = new Map<string, Listing>();
  const obsolete: Diagnostic[] = [];
  for (const type of TYPES) {
    const listing = await store.list(type);
    if (listing.state !== 'read') {
      observed.set(typeId(type), listing);
      continue;
    }
    const objects = listing.objects.filter((source) => {
      const found = obsoleteVersion(source, TYPES);
      if (found !== undefined) obsolete.push(found);
      return found === undefined;
    });
    observed.set(typeId(type), { state: 'read', objects });
  }
  return { observed, obsolete };
}

/** The same list in another order. */
export function reordered(observed: Observed): Observed {
  return new Map(
    [...observed].map(([id, listing]) => [
      id,
      listing.state === 'read' ? { ...listing, objects: listing.objects.toReversed() } : listing,
    ]),
  );
}

/** The store with the answers that the scenario plans; what it does not name goes through. */
export function refusing(store: Store, refuse: TickPlan['refuse']): Store {
  function answer(verb: string, key: ObjectKey, write: () => Promise<WriteResult>): Promise<WriteResult> {
    const failure = refuse[`${verb} ${key.name}`];
    return failure === undefined ? write() : Promise.resolve({ ok: false, failure });
  }
  return {
    description: store.description,
    writesAtOnce: store.writesAtOnce,
    prepare: () => store.prepare(),
    list: (type, narrowing) => store.list(type, narrowing),
    listLabelled: (reference) => store.listLabelled(reference),
    find: (reference) => {
      const failure = refuse[`find ${reference.name}`];
      if (failure === undefined) return store.find(reference);
      return Promise.resolve({ state: 'failed', reason: failure.message });
    },
    get: (type, key) => store.get(type, key),
    close: () => store.close(),
    create: (type, object) => answer('create', keyOf(object), () => store.create(type, object)),
    applyStatus: (type, key, precondition, fields, annotations) =>
      answer('status', key, () => store.applyStatus(type, key, precondition, fields, annotations)),
    annotate: (type, key, precondition, annotations) =>
      answer('annotate', key, () => store.annotate(type, key, precondition, annotations)),
    removeFinalizers: (type, key, precondition, finalizers) =>
      answer('release', key, () => store.removeFinalizers(type, key, precondition, finalizers)),
    setSpecField: (type, key, precondition, path, value) =>
      answer('spec', key, () => store.setSpecField(type, key, precondition, path, value)),
    delete: (type, key, precondition, propagation) =>
      answer('delete', key, () => store.delete(type, key, precondition, propagation)),
  };
}
