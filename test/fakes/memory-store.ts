import type { Precondition } from '#core/change/change.ts';
import { type FieldValue, hasFieldValue } from '#core/object/field-value.ts';
import { compareKeys, keyId, keyOf, keyText } from '#core/object/key.ts';
import type { JsonObject, KubeObject, ObjectKey, SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { NOT_IN_THIS_TICK, within } from '#core/observed.ts';
import type { LabelledReference, LiveObject, LiveReference } from '#core/run/driver.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Listing, Store, WriteFailure, WriteResult } from '#store/port.ts';
import {
  annotateObject,
  applyFields,
  createObject,
  failed,
  removeFinalizers,
  removeObject,
  save,
  seed,
  setSpecField,
  settleNamespaces,
  typeId,
  type World,
} from '#test/fakes/memory-world.ts';

/** What a tick that dies at a write looks like to its caller. */
export class Crash extends Error {}

export interface MemoryWrite {
  readonly verb: 'create' | 'apply' | 'annotate' | 'release' | 'spec' | 'delete';
  readonly key: ObjectKey;
  /** The body of a create, the fields of an apply, the annotations of an annotate. */
  readonly body?: KubeObject | JsonObject;
  readonly precondition?: Precondition;
  /** Absent when the write crashed before it was done. */
  readonly result?: WriteResult;
  /** Whether anything is different afterwards. */
  readonly changed: boolean;
}

export interface MemoryStoreOptions {
  readonly objects?: readonly (KubeObject | SourcedObject)[];
  /** Creation time of what nobody dated; 2026-01-01T00:00:00Z when absent. */
  readonly now?: Instant;
  /** 1 when absent. */
  readonly writesAtOnce?: number;
}

/** Writes are counted from 1, whatever became of them. */
export interface MemoryStore extends Store {
  readonly writes: () => readonly MemoryWrite[];
  /** Every object, sorted. */
  readonly objects: () => readonly KubeObject[];
  /** The nth write is answered so and not done. */
  readonly failWrite: (nth: number, failure: WriteFailure) => void;
  /** The tick dies instead of the nth write. */
  readonly crashBeforeWrite: (nth: number) => void;
  /** The nth write is done, then the tick dies. */
  readonly crashAfterWrite: (nth: number) => void;
  /** The nth write is done, but its answer is a transient failure. */
  readonly loseReply: (nth: number) => void;
  /** Somebody else acts just before the nth write. */
  readonly beforeWrite: (nth: number, act: () => void) => void;
  readonly setListing: (
    type: ResourceType,
    listing: Exclude<Listing, { state: 'read' }> | 'readable',
  ) => void;
  /** From outside: an object is put as it is, under a new resource version. */
  readonly put: (object: KubeObject) => void;
  /** From outside: an object is changed. Throws when there is none. */
  readonly edit: (key: ObjectKey, change: (object: KubeObject) => KubeObject) => void;
  /** From outside: an object vanishes, without any precondition. */
  readonly remove: (key: ObjectKey) => void;
}

interface Fault {
  readonly before?: () => void;
  readonly failure?: WriteFailure;
  readonly crash?: 'before' | 'after';
  readonly lost?: boolean;
}

/** With what a test arranged, and what was asked of it. */
interface Scene extends World {
  readonly listings: Map<string, Listing>;
  readonly faults: Map<number, Fault>;
  readonly writes: MemoryWrite[];
}

const DEFAULT_NOW = 1_767_225_600 as Instant;

function listType(scene: Scene, type: ResourceType): Listing {
  const instead = scene.listings.get(typeId(type));
  if (instead !== undefined) return instead;
  settleNamespaces(scene, type);
  const objects = [...scene.entries.values()]
    .filter(({ object }) => `${keyOf(object).group}/${object.kind}` === typeId(type))
    .sort((a, b) => compareKeys(keyOf(a.object), keyOf(b.object)));
  return { state: 'read', objects };
}

/** As a server does that can select by any field. */
function leavingOut(listing: Listing, without: FieldValue | undefined): Listing {
  if (listing.state !== 'read' || without === undefined) return listing;
  const objects = listing.objects.filter(({ object }) => !hasFieldValue(object, without));
  return { ...listing, objects, scope: { namespaces: new Set(), reason: NOT_IN_THIS_TICK, without } };
}

/** Whoever refers to an object of a namespace knows that its kind has them. */
function findLive(scene: Scene, { group, kind, namespace, name }: LiveReference): LiveObject {
  if (namespace === 'default') settleNamespaces(scene, { group, kind, namespaced: true });
  const object = scene.entries.get(keyId({ group, kind, namespace, name }))?.object;
  return object === undefined ? { state: 'missing' } : { state: 'found', object };
}

function listLabelled(scene: Scene, { type, namespace, labels }: LabelledReference): Listing {
  const listing = listType(scene, type);
  if (listing.state !== 'read') return listing;
  const pairs = Object.entries(labels);
  const objects = listing.objects.filter(
    ({ object: { metadata } }) =>
      (namespace === '' || metadata.namespace === namespace) &&
      pairs.every(([label, value]) => metadata.labels?.[label] === value),
  );
  return { ...listing, objects };
}

/** One write with whatever was arranged for it. */
function attempt(
  scene: Scene,
  write: Omit<MemoryWrite, 'result' | 'changed'>,
  run: () => WriteResult,
): WriteResult {
  const fault = scene.faults.get(scene.writes.length + 1) ?? {};
  fault.before?.();
  const before = scene.version;
  const sizeBefore = scene.entries.size;
  if (fault.crash === 'before') {
    scene.writes.push({ ...write, changed: false });
    throw new Crash('before the write');
  }
  const done = fault.failure === undefined ? run() : failed(fault.failure.kind, fault.failure.message);
  const changed = scene.version !== before || scene.entries.size !== sizeBefore;
  const result = fault.lost === true ? failed('transient', 'The connection was reset.') : done;
  scene.writes.push({ ...write, result, changed });
  if (fault.crash === 'after') throw new Crash('after the write');
  return result;
}

function addFault(scene: Scene, nth: number, fault: Fault): void {
  scene.faults.set(nth, { ...scene.faults.get(nth), ...fault });
}

function edit(scene: Scene, key: ObjectKey, change: (object: KubeObject) => KubeObject): void {
  const entry = scene.entries.get(keyId(key));
  if (entry === undefined) throw new Error(`there is no ${keyText(key)} to edit`);
  save(scene, change(entry.object));
}

type Knobs = Omit<MemoryStore, keyof Store>;

function knobsOf(scene: Scene): Knobs {
  return {
    writes: () => [...scene.writes],
    objects: () =>
      [...scene.entries.values()].map(({ object }) => object).sort((a, b) => compareKeys(keyOf(a), keyOf(b))),
    failWrite: (nth, failure) => addFault(scene, nth, { failure }),
    crashBeforeWrite: (nth) => addFault(scene, nth, { crash: 'before' }),
    crashAfterWrite: (nth) => addFault(scene, nth, { crash: 'after' }),
    loseReply: (nth) => addFault(scene, nth, { lost: true }),
    beforeWrite: (nth, before) => addFault(scene, nth, { before }),
    setListing: (type, listing) => {
      if (listing === 'readable') scene.listings.delete(typeId(type));
      else scene.listings.set(typeId(type), listing);
    },
    put: (object) => seed(scene, object),
    edit: (key, change) => edit(scene, key, change),
    remove: (key) => {
      scene.entries.delete(keyId(key));
    },
  };
}

/** A store without any disk or server, for tests; it passes the same contract as the others. */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const now = options.now ?? DEFAULT_NOW;
  const scene: Scene = {
    now,
    entries: new Map(),
    listings: new Map(),
    faults: new Map(),
    writes: [],
    version: 100,
  };
  for (const object of options.objects ?? []) seed(scene, object);
  return {
    ...knobsOf(scene),
    description: 'memory',
    writesAtOnce: options.writesAtOnce ?? 1,
    prepare: async () => ({ ok: true, diagnostics: [] }),
    list: async (type, narrowing) => {
      const listing = listType(scene, type);
      if (!type.namespaced) return listing;
      const { namespaces, without } = narrowing ?? {};
      return namespaces === undefined ? leavingOut(listing, without) : within(listing, namespaces);
    },
    get: async (type, key) => {
      settleNamespaces(scene, type);
      const object = scene.entries.get(keyId(key))?.object;
      return object === undefined ? { state: 'missing' } : { state: 'found', object };
    },
    find: async (reference) => findLive(scene, reference),
    listLabelled: async (reference) => listLabelled(scene, reference),
    create: async (type, body) => {
      settleNamespaces(scene, type);
      return attempt(scene, { verb: 'create', key: keyOf(body), body }, () =>
        createObject(scene, type, body),
      );
    },
    applyStatus: async (_type, key, precondition, body, annotations) =>
      attempt(scene, { verb: 'apply', key, body, precondition }, () =>
        applyFields(scene, key, precondition, body, annotations),
      ),
    annotate: async (_type, key, precondition, body) =>
      attempt(scene, { verb: 'annotate', key, body, precondition }, () =>
        annotateObject(scene, key, precondition, body),
      ),
    removeFinalizers: async (_type, key, precondition, finalizers) =>
      attempt(scene, { verb: 'release', key, precondition }, () =>
        removeFinalizers(scene, key, precondition, finalizers),
      ),
    setSpecField: async (_type, key, precondition, path, value) =>
      attempt(scene, { verb: 'spec', key, precondition }, () =>
        setSpecField(scene, key, precondition, { path, value }),
      ),
    delete: async (_type, key, precondition) =>
      attempt(scene, { verb: 'delete', key, precondition }, () => removeObject(scene, key, precondition)),
    close: async () => undefined,
  };
}
