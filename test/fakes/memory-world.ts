import type { Precondition } from '#core/change/change.ts';
import { keyId, keyOf, keyText } from '#core/object/key.ts';
import type {
  Json,
  JsonObject,
  KubeObject,
  Metadata,
  ObjectKey,
  SourcedObject,
} from '#core/object/object.ts';
import { controllerOf } from '#core/object/owner.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { withSpecField } from '#core/object/spec-field.ts';
import type { Instant } from '#core/time/instant.ts';
import { formatInstant } from '#core/time/instant.ts';
import { withAnnotations } from '#store/directory/annotations.ts';
import { derivedUid } from '#store/directory/derived-uid.ts';
import { nameProblem } from '#store/directory/name-problem.ts';
import { applyOwnedStatus } from '#store/directory/owned-status.ts';
import type { FailureKind, WriteResult } from '#store/port.ts';
import { frozenCopy } from '#test/fakes/frozen-copy.ts';

/** The objects of an API server, and what it does to them. */
export interface World {
  readonly now: Instant;
  readonly entries: Map<string, SourcedObject>;
  version: number;
}

export function typeId(type: Pick<ResourceType, 'group' | 'kind'>): string {
  return `${type.group}/${type.kind}`;
}

export function failed(kind: FailureKind, message: string): WriteResult {
  return { ok: false, failure: { kind, message } };
}

export function save(world: World, object: KubeObject, placeOf?: SourcedObject['placeOf']): KubeObject {
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
export function seed(world: World, given: KubeObject | SourcedObject): void {
  const isSourced = (value: KubeObject | SourcedObject): value is SourcedObject => 'object' in value;
  const object = isSourced(given) ? given.object : given;
  const creationTimestamp = object.metadata.creationTimestamp ?? formatInstant(world.now);
  const uid = object.metadata.uid ?? derivedUid([keyId(keyOf(object)), creationTimestamp]);
  const generation = object.metadata.generation ?? 1;
  const seeded = { ...object, metadata: { ...object.metadata, uid, generation, creationTimestamp } };
  save(world, seeded, isSourced(given) ? given.placeOf : undefined);
}

/** Objects that were seeded without a namespace are in `default` once their kind is known to have namespaces. */
export function settleNamespaces(
  world: World,
  type: Pick<ResourceType, 'group' | 'kind' | 'namespaced'>,
): void {
  for (const [id, { object, placeOf }] of [...world.entries]) {
    const isUnsettled =
      typeId(type) === `${keyOf(object).group}/${object.kind}` && !object.metadata.namespace;
    if (!type.namespaced || !isUnsettled) continue;
    world.entries.delete(id);
    save(world, { ...object, metadata: { ...object.metadata, namespace: 'default' } }, placeOf);
  }
}

/** A body as it stands once the server has taken it in; not saved yet. */
export function newObject(world: World, type: ResourceType, body: KubeObject): KubeObject {
  const { status: _status, ...rest } = body;
  const { uid: _uid, managedFields: _fields, deletionTimestamp: _deletion, ...kept } = body.metadata;
  const { namespace: given, ...unscoped } = kept;
  const scoped = type.namespaced ? { ...unscoped, namespace: given || 'default' } : unscoped;
  const creationTimestamp = formatInstant(world.now);
  const object = { ...rest, metadata: { ...scoped, generation: 1, creationTimestamp } };
  const uid = derivedUid([keyId(keyOf(object)), creationTimestamp, String(world.version)]);
  return { ...object, metadata: { ...object.metadata, uid } };
}

export function createObject(world: World, type: ResourceType, body: KubeObject): WriteResult {
  const problem = nameProblem(type, body);
  if (problem !== undefined) return failed('invalid', problem);
  const object = newObject(world, type, body);
  const key = keyOf(object);
  if (world.entries.has(keyId(key))) return failed('exists', `${keyText(key)} exists already.`);
  return { ok: true, object: save(world, object) };
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

export function applyFields(
  world: World,
  key: ObjectKey,
  precondition: Precondition,
  fields: JsonObject,
  annotations?: Readonly<Record<string, string>>,
): WriteResult {
  const target = findTarget(world, key, precondition);
  if (isFailure(target)) return target;
  const applied = applyOwnedStatus(target, frozenCopy(fields), annotations);
  switch (applied.state) {
    case 'conflict':
      return failed('fieldConflict', `${applied.field} of ${keyText(key)} is owned by "${applied.manager}".`);
    case 'unchanged':
      return { ok: true, object: target };
    case 'applied':
      return { ok: true, object: save(world, applied.object) };
  }
}

export function annotateObject(
  world: World,
  key: ObjectKey,
  precondition: Precondition,
  annotations: Readonly<Record<string, string | null>>,
): WriteResult {
  const target = findTarget(world, key, precondition);
  if (isFailure(target)) return target;
  const annotated = withAnnotations(target, annotations);
  return { ok: true, object: annotated === undefined ? target : save(world, annotated) };
}

export function removeFinalizers(
  world: World,
  key: ObjectKey,
  precondition: Precondition,
  finalizers: readonly string[],
): WriteResult {
  const target = findTarget(world, key, precondition);
  if (isFailure(target)) return target;
  const standing = target.metadata.finalizers ?? [];
  const left = standing.filter((one) => !finalizers.includes(one));
  if (left.length === standing.length) return { ok: true, object: target };
  const { finalizers: _standing, ...kept } = target.metadata;
  const object = { ...target, metadata: left.length === 0 ? kept : { ...kept, finalizers: left } };
  if (left.length === 0 && kept.deletionTimestamp !== undefined)
    return { ok: true, object: removeTree(world, object) };
  return { ok: true, object: save(world, object) };
}

export function setSpecField(
  world: World,
  key: ObjectKey,
  precondition: Precondition,
  { path, value }: { readonly path: readonly string[]; readonly value: Json },
): WriteResult {
  const target = findTarget(world, key, precondition);
  if (isFailure(target)) return target;
  const changed = withSpecField(target, path, value);
  switch (changed.state) {
    case 'unchanged':
      return { ok: true, object: target };
    case 'noHolder':
      return failed('invalid', `${keyText(key)} has no ${changed.holder}.`);
    case 'set':
      return { ok: true, object: save(world, changed.object) };
  }
}

/** With everything that it controls; an object with finalizers is only marked. */
export function removeTree(world: World, object: KubeObject): KubeObject {
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

export function removeObject(world: World, key: ObjectKey, precondition: Precondition): WriteResult {
  const target = findTarget(world, key, precondition);
  return isFailure(target) ? target : { ok: true, object: removeTree(world, target) };
}
