import type { Precondition } from '#core/change/change.ts';
import { keyText } from '#core/object/key.ts';
import type { Json, JsonObject, KubeObject, Metadata, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { withSpecField } from '#core/object/spec-field.ts';
import { formatInstant } from '#core/time/instant.ts';
import type { FailureKind, WriteResult } from '#store/port.ts';
import { uidOf } from './admit.ts';
import { type Annotated, annotatedOver, withAnnotations } from './annotations.ts';
import { find, pathOf } from './find-object.ts';
import { nameProblem } from './name-problem.ts';
import { applyOwnedStatus } from './owned-status.ts';
import { noteDependent, removeObject } from './remove-object.ts';
import type { Resolved } from './resolve.ts';
import type { Session } from './session.ts';
import { requireWriter } from './session.ts';
import { isOwnMark, type StateRecord } from './state-object.ts';

function failed(kind: FailureKind, message: string): WriteResult {
  return { ok: false, failure: { kind, message } };
}

/** What a name is taken by; undefined when it is free. A manifest that could not be read may hold it still. */
function takenBy(session: Session, key: ObjectKey, found: Resolved): string | undefined {
  switch (found.state) {
    case 'present':
      return `uid ${found.object.metadata.uid ?? 'unknown'}`;
    case 'damaged':
      return `a state file that cannot be used, ${pathOf(session, key)}: ${found.reason}`;
    case 'hidden':
      return session.complete ? undefined : 'an object whose manifest may be one that cannot be read';
    case 'missing':
      return undefined;
  }
}

/** What the API of a cluster sets itself is not taken from the body. */
function newObject(session: Session, object: KubeObject, key: ObjectKey, version: number): KubeObject {
  const { status: _status, ...rest } = object;
  const { labels, annotations, ownerReferences, finalizers } = object.metadata;
  const creationTimestamp = formatInstant(session.now);
  const metadata: Metadata = {
    name: key.name,
    ...(key.namespace === '' ? {} : { namespace: key.namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(ownerReferences === undefined ? {} : { ownerReferences }),
    ...(finalizers === undefined ? {} : { finalizers }),
    // A name that is used again within a second must not bring back the uid of the object before.
    uid: uidOf(key, creationTimestamp, [String(version)]),
    generation: 1,
    creationTimestamp,
  };
  return { ...rest, metadata };
}

/** POST: refuses names that exist, drops the status, sets what a server sets. */
export async function createObject(
  session: Session,
  type: ResourceType,
  object: KubeObject,
): Promise<WriteResult> {
  const writer = requireWriter(session);
  const problem = nameProblem(type, object);
  if (problem !== undefined) return failed('invalid', problem);
  const namespace = type.namespaced ? object.metadata.namespace || 'default' : '';
  const key: ObjectKey = { group: type.group, kind: type.kind, namespace, name: object.metadata.name };
  const taken = takenBy(session, key, await find(session, key));
  if (taken !== undefined) return failed('exists', `${keyText(key)} exists already (${taken}).`);
  const body = newObject(session, object, key, await writer.nextVersion());
  const [written] = await writer.put([
    { object: { ...body, apiVersion: apiVersionOf(type) }, origin: 'store' },
  ]);
  if (written === undefined) return failed('transient', `${keyText(key)} was not written.`);
  if (session.dependents !== undefined) noteDependent(session.dependents, written);
  return { ok: true, object: written };
}

type Target =
  | { readonly ok: true; readonly found: Extract<Resolved, { state: 'present' }> }
  | { readonly ok: false; readonly result: WriteResult };

/** The object that a write with a precondition means, as it is now. */
async function findTarget(session: Session, key: ObjectKey, precondition: Precondition): Promise<Target> {
  const found = await find(session, key);
  if (found.state === 'damaged') {
    return {
      ok: false,
      result: failed('invalid', `The state file ${pathOf(session, key)} cannot be used: ${found.reason}.`),
    };
  }
  if (found.state !== 'present')
    return { ok: false, result: failed('gone', `${keyText(key)} does not exist any more.`) };
  const { uid, resourceVersion } = found.object.metadata;
  if (uid !== precondition.uid) {
    return {
      ok: false,
      result: failed(
        'conflict',
        `${keyText(key)} is another object now: uid ${uid ?? 'unknown'}, not ${precondition.uid}.`,
      ),
    };
  }
  if (resourceVersion === precondition.resourceVersion) return { ok: true, found };
  const versions = `resourceVersion ${resourceVersion ?? 'unknown'}, not ${precondition.resourceVersion}`;
  return { ok: false, result: failed('conflict', `${keyText(key)} was changed meanwhile: ${versions}.`) };
}

interface StatusFields {
  readonly fields: JsonObject;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Server-side apply to the status (design.md 3.6); one that changes nothing writes nothing. */
export async function applyStatus(
  session: Session,
  key: ObjectKey,
  precondition: Precondition,
  { fields, annotations }: StatusFields,
): Promise<WriteResult> {
  const writer = requireWriter(session);
  const target = await findTarget(session, key, precondition);
  if (!target.ok) return target.result;
  const { object } = target.found;
  const applied = applyOwnedStatus(object, fields, annotations);
  switch (applied.state) {
    case 'conflict':
      return failed(
        'fieldConflict',
        `${applied.field} of ${keyText(key)} is owned by the field manager "${applied.manager}".`,
      );
    case 'unchanged':
      return { ok: true, object };
    case 'applied': {
      const record = { ...target.found, object: applied.object };
      const isAnnotated = applied.object.metadata.annotations !== object.metadata.annotations;
      const annotated = isAnnotated ? annotatedBeside(session, key, record) : record.annotated;
      const [written] = await writer.put([{ ...record, annotated }]);
      return { ok: true, object: written ?? applied.object };
    }
  }
}

/** What is told of annotations that a manifest does not have, so that they outlive its next reading. */
function annotatedBeside(
  session: Session,
  key: ObjectKey,
  { origin, object }: StateRecord,
): Annotated | undefined {
  const declared = session.manifests.at(key)?.object.metadata.annotations;
  return origin === 'manifest' ? annotatedOver(declared, object.metadata.annotations) : undefined;
}

/** JSON Patch of annotations (design.md 3.6); one that changes nothing writes nothing. */
export async function annotateObject(
  session: Session,
  key: ObjectKey,
  precondition: Precondition,
  annotations: Annotated,
): Promise<WriteResult> {
  const writer = requireWriter(session);
  const own = Object.keys(annotations).find(isOwnMark);
  if (own !== undefined) return failed('invalid', `The annotation ${own} is the state folder's own.`);
  const target = await findTarget(session, key, precondition);
  if (!target.ok) return target.result;
  const { found } = target;
  const object = withAnnotations(found.object, annotations);
  if (object === undefined) return { ok: true, object: found.object };
  const annotated = annotatedBeside(session, key, { ...found, object });
  const [written] = await writer.put([{ ...found, object, annotated }]);
  return { ok: true, object: written ?? object };
}

/** Deletes with preconditions and background propagation (design.md 3.7). */
export async function deleteObject(
  session: Session,
  key: ObjectKey,
  precondition: Precondition,
): Promise<WriteResult> {
  requireWriter(session);
  const target = await findTarget(session, key, precondition);
  if (!target.ok) return target.result;
  return { ok: true, object: await removeObject(session, target.found) };
}

/** Takes finalizers off; an object that is being deleted goes with the last of them. */
export async function removeFinalizers(
  session: Session,
  key: ObjectKey,
  precondition: Precondition,
  finalizers: readonly string[],
): Promise<WriteResult> {
  const writer = requireWriter(session);
  const target = await findTarget(session, key, precondition);
  if (!target.ok) return target.result;
  const { found } = target;
  const { metadata } = found.object;
  const standing = metadata.finalizers ?? [];
  const left = standing.filter((one) => !finalizers.includes(one));
  if (left.length === standing.length) return { ok: true, object: found.object };
  const { finalizers: _standing, ...kept } = metadata;
  const object = {
    ...found.object,
    metadata: left.length === 0 ? kept : { ...kept, finalizers: left },
  };
  if (left.length === 0 && metadata.deletionTimestamp !== undefined)
    return { ok: true, object: await removeObject(session, { ...found, object }) };
  const [written] = await writer.put([{ ...found, object }]);
  return { ok: true, object: written ?? object };
}

/** Sets one field of the spec of an object that no manifest spells out: of others the next tick would set it back. */
export async function setSpecField(
  session: Session,
  key: ObjectKey,
  precondition: Precondition,
  { path, value }: { readonly path: readonly string[]; readonly value: Json },
): Promise<WriteResult> {
  const writer = requireWriter(session);
  const target = await findTarget(session, key, precondition);
  if (!target.ok) return target.result;
  const { found } = target;
  const changed = withSpecField(found.object, path, value);
  switch (changed.state) {
    case 'unchanged':
      return { ok: true, object: found.object };
    case 'noHolder':
      return failed('invalid', `${keyText(key)} has no ${changed.holder}.`);
    case 'set': {
      if (found.origin === 'manifest')
        return failed('invalid', `${keyText(key)} is spelled out by a manifest, and so is its spec.`);
      const [written] = await writer.put([{ ...found, object: changed.object }]);
      return { ok: true, object: written ?? changed.object };
    }
  }
}
