import type { Precondition } from '#core/change/change.ts';
import { compareKeys, keyId, keyOf, keyText } from '#core/object/key.ts';
import type { JsonObject, KubeObject, Metadata, ObjectKey, SourcedObject } from '#core/object/object.ts';
import { controllerOf } from '#core/object/owner.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Instant } from '#core/time/instant.ts';
import { formatInstant } from '#core/time/instant.ts';
import { derivedUid } from '#store/directory/derived-uid.ts';
import { nameProblem } from '#store/directory/name-problem.ts';
import { applyOwnedStatus } from '#store/directory/owned-status.ts';
import type { FailureKind, Listing, Store, WriteFailure, WriteResult } from '#store/port.ts';
import { frozenCopy } from '#test/fakes/frozen-copy.ts';

/** What a tick that dies at a write looks like to its caller. */
export class Crash extends Error {}

export interface MemoryWrite {
  readonly verb: 'create' | 'apply' | 'delete';
  readonly key: ObjectKey;
  /** The body of a create, the fields of an apply. */
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

interface World {
  readonly now: Instant;
  readonly entries: Map<string, SourcedObject>;
  readonly listings: Map<string, Listing>;
  readonly faults: Map<number, Fault>;
  readonly writes: MemoryWrite[];
  version: number;
}

const DEFAULT_NOW = 1_767_225_600 as Instant;

function typeId(type: ResourceType): string {
  return `${type.group}/${type.kind}`;
}

function failed(kind: FailureKind, message: string): WriteResult {
  return { ok: false, failure: { kind, message } };
}

function save(world: World, object: KubeObject, placeOf?: SourcedObject['placeOf']): KubeObject {
  world.version += 1;
  const metadata: Metadata = { ...object.metadata, resourceVersion: String(world.version) };
  const saved = frozenCopy({ ...object, metadata });
  const place = placeOf ?? world.entries.get(keyId(keyOf(saved)))?.placeOf;
  world.entries.set(keyId(keyOf(saved)), {
    object: saved,
    ...(place === undefined ? {} : { placeOf: place }),
  });
  return saved;
}

/** What an API server adds to an object that it did not know. */
function seed(world: World, given: KubeObject | SourcedObject): void {
  const isSourced = (value: KubeObject | SourcedObject): value is SourcedObject => 'object' in value;
  const object = isSourced(given) ? given.object : given;
  const creationTimestamp = object.metadata.creationTimestamp ?? formatInstant(world.now);
  const uid = object.metadata.uid ?? derivedUid([keyId(keyOf(object)), creationTimestamp]);
  const generation = object.metadata.generation ?? 1;
  const seeded = { ...object, metadata: { ...object.metadata, uid, generation, creationTimestamp } };
  save(world, seeded, isSourced(given) ? given.placeOf : undefined);
}

/** Objects that were seeded without a namespace are in `default` once their kind is known to have namespaces. */
function settleNamespaces(world: World, type: ResourceType): void {
  for (const [id, { object, placeOf }] of [...world.entries]) {
    const isUnsettled =
      typeId(type) === `${keyOf(object).group}/${object.kind}` && !object.metadata.namespace;
    if (!type.namespaced || !isUnsettled) continue;
    world.entries.delete(id);
    save(world, { ...object, metadata: { ...object.metadata, namespace: 'default' } }, placeOf);
  }
}

function listType(world: World, type: ResourceType): Listing {
  const instead = world.listings.get(typeId(type));
  if (instead !== undefined) return instead;
  settleNamespaces(world, type);
  const objects = [...world.entries.values()]
    .filter(({ object }) => `${keyOf(object).group}/${object.kind}` === typeId(type))
    .sort((a, b) => compareKeys(keyOf(a.object), keyOf(b.object)));
  return { state: 'read', objects };
}

function createObject(world: World, type: ResourceType, body: KubeObject): WriteResult {
  const problem = nameProblem(type, body);
  if (problem !== undefined) return failed('invalid', problem);
  const { status: _status, ...rest } = body;
  const { uid: _uid, managedFields: _fields, deletionTimestamp: _deletion, ...kept } = body.metadata;
  const { namespace: given, ...unscoped } = kept;
  const scoped = type.namespaced ? { ...unscoped, namespace: given || 'default' } : unscoped;
  const creationTimestamp = formatInstant(world.now);
  const object = { ...rest, metadata: { ...scoped, generation: 1, creationTimestamp } };
  const key = keyOf(object);
  if (world.entries.has(keyId(key))) return failed('exists', `${keyText(key)} exists already.`);
  const uid = derivedUid([keyId(key), creationTimestamp, String(world.version)]);
  return { ok: true, object: save(world, { ...object, metadata: { ...object.metadata, uid } }) };
}

function findTarget(world: World, key: ObjectKey, precondition: Precondition): KubeObject | WriteResult {
  const object = world.entries.get(keyId(key))?.object;
  if (object === undefined) return failed('gone', `${keyText(key)} does not exist any more.`);
  const { uid, resourceVersion } = object.metadata;
  if (uid !== precondition.uid) return failed('conflict', `${keyText(key)} is another object now.`);
  if (resourceVersion === precondition.resourceVersion) return object;
  return failed('conflict', `${keyText(key)} was changed meanwhile.`);
}

function isFailure(value: KubeObject | WriteResult): value is WriteResult {
  return 'ok' in value;
}

function applyFields(
  world: World,
  key: ObjectKey,
  precondition: Precondition,
  fields: JsonObject,
): WriteResult {
  const target = findTarget(world, key, precondition);
  if (isFailure(target)) return target;
  const applied = applyOwnedStatus(target, frozenCopy(fields));
  switch (applied.state) {
    case 'conflict':
      return failed('fieldConflict', `${applied.field} of ${keyText(key)} is owned by "${applied.manager}".`);
    case 'unchanged':
      return { ok: true, object: target };
    case 'applied':
      return { ok: true, object: save(world, applied.object) };
  }
}

function removeTree(world: World, object: KubeObject): KubeObject {
  if ((object.metadata.finalizers ?? []).length > 0) {
    if (object.metadata.deletionTimestamp !== undefined) return object;
    const generation = (object.metadata.generation ?? 0) + 1;
    const metadata = { ...object.metadata, generation, deletionTimestamp: formatInstant(world.now) };
    return save(world, { ...object, metadata });
  }
  world.entries.delete(keyId(keyOf(object)));
  for (const { object: other } of [...world.entries.values()]) {
    const sameScope = (object.metadata.namespace ?? other.metadata.namespace) === other.metadata.namespace;
    if (sameScope && controllerOf(other)?.uid === object.metadata.uid) removeTree(world, other);
  }
  return object;
}

function removeObject(world: World, key: ObjectKey, precondition: Precondition): WriteResult {
  const target = findTarget(world, key, precondition);
  return isFailure(target) ? target : { ok: true, object: removeTree(world, target) };
}

/** One write with whatever was arranged for it. */
function attempt(
  world: World,
  write: Omit<MemoryWrite, 'result' | 'changed'>,
  run: () => WriteResult,
): WriteResult {
  const fault = world.faults.get(world.writes.length + 1) ?? {};
  fault.before?.();
  const before = world.version;
  const sizeBefore = world.entries.size;
  if (fault.crash === 'before') {
    world.writes.push({ ...write, changed: false });
    throw new Crash('before the write');
  }
  const done = fault.failure === undefined ? run() : failed(fault.failure.kind, fault.failure.message);
  const changed = world.version !== before || world.entries.size !== sizeBefore;
  const result = fault.lost === true ? failed('transient', 'The connection was reset.') : done;
  world.writes.push({ ...write, result, changed });
  if (fault.crash === 'after') throw new Crash('after the write');
  return result;
}

function addFault(world: World, nth: number, fault: Fault): void {
  world.faults.set(nth, { ...world.faults.get(nth), ...fault });
}

function edit(world: World, key: ObjectKey, change: (object: KubeObject) => KubeObject): void {
  const entry = world.entries.get(keyId(key));
  if (entry === undefined) throw new Error(`there is no ${keyText(key)} to edit`);
  save(world, change(entry.object));
}

type Knobs = Omit<MemoryStore, keyof Store>;

function knobsOf(world: World): Knobs {
  return {
    writes: () => [...world.writes],
    objects: () =>
      [...world.entries.values()].map(({ object }) => object).sort((a, b) => compareKeys(keyOf(a), keyOf(b))),
    failWrite: (nth, failure) => addFault(world, nth, { failure }),
    crashBeforeWrite: (nth) => addFault(world, nth, { crash: 'before' }),
    crashAfterWrite: (nth) => addFault(world, nth, { crash: 'after' }),
    loseReply: (nth) => addFault(world, nth, { lost: true }),
    beforeWrite: (nth, before) => addFault(world, nth, { before }),
    setListing: (type, listing) => {
      if (listing === 'readable') world.listings.delete(typeId(type));
      else world.listings.set(typeId(type), listing);
    },
    put: (object) => seed(world, object),
    edit: (key, change) => edit(world, key, change),
    remove: (key) => {
      world.entries.delete(keyId(key));
    },
  };
}

/** A store without any disk or server, for tests; it passes the same contract as the others. */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const now = options.now ?? DEFAULT_NOW;
  const world: World = {
    now,
    entries: new Map(),
    listings: new Map(),
    faults: new Map(),
    writes: [],
    version: 100,
  };
  for (const object of options.objects ?? []) seed(world, object);
  return {
    ...knobsOf(world),
    description: 'memory',
    prepare: async () => ({ ok: true, diagnostics: [] }),
    list: async (type) => listType(world, type),
    get: async (type, key) => {
      settleNamespaces(world, type);
      const object = world.entries.get(keyId(key))?.object;
      return object === undefined ? { state: 'missing' } : { state: 'found', object };
    },
    create: async (type, body) => {
      settleNamespaces(world, type);
      return attempt(world, { verb: 'create', key: keyOf(body), body }, () =>
        createObject(world, type, body),
      );
    },
    applyStatus: async (_type, key, precondition, body) =>
      attempt(world, { verb: 'apply', key, body, precondition }, () =>
        applyFields(world, key, precondition, body),
      ),
    delete: async (_type, key, precondition) =>
      attempt(world, { verb: 'delete', key, precondition }, () => removeObject(world, key, precondition)),
    close: async () => undefined,
  };
}
