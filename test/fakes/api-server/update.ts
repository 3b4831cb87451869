import { isObject, sameValue } from '#core/object/canonical.ts';
import type { KubeObject, Metadata } from '#core/object/object.ts';
import { type Answer, conflict, invalid, MODIFIED, Refused } from '#test/fakes/api-server/answer.ts';
import { checkFields, objectOf } from '#test/fakes/api-server/body.ts';
import { recordUpdate, stampEntries, withEntries } from '#test/fakes/api-server/managed-fields.ts';
import {
  admit,
  type Call,
  findObject,
  hasStatusSubresource,
  isBuiltIn,
  type Scene,
} from '#test/fakes/api-server/scene.ts';
import { removeTree, save } from '#test/fakes/memory-world.ts';

function statusOf({ status }: KubeObject): Partial<KubeObject> {
  return status === undefined ? {} : { status };
}

/** What an endpoint lets through of an object that somebody sends to it. */
function reachable({ kind, onStatus }: Call, before: KubeObject, sent: KubeObject): KubeObject {
  const { status: _status, ...rest } = sent;
  if (!onStatus) return hasStatusSubresource(kind) ? { ...rest, ...statusOf(before) } : sent;
  if (!isBuiltIn(kind.type)) return { ...withoutStatus(before), ...statusOf(sent) };
  const spec = before.spec === undefined ? {} : { spec: before.spec };
  return { ...rest, ...spec, ...statusOf(sent) };
}

function withoutStatus({ status: _status, ...rest }: KubeObject): KubeObject {
  return rest;
}

function present<T extends object>(value: T | undefined): boolean {
  return value !== undefined && Object.keys(value).length > 0;
}

/** Empty maps and lists of metadata are as if they were not there; what only the server sets stays. */
function settledMetadata(before: Metadata, sent: Metadata, generation: number): Metadata {
  const { labels, annotations, ownerReferences, finalizers } = sent;
  const { managedFields, name, namespace, uid, creationTimestamp, deletionTimestamp } = before;
  const all = { name, namespace, uid, generation, creationTimestamp, deletionTimestamp, managedFields };
  const own = { labels, annotations, ownerReferences, finalizers };
  const kept = [
    ...Object.entries(all).filter(([, value]) => value !== undefined),
    ...Object.entries(own).filter(([, value]) => present(value)),
  ];
  return { ...Object.fromEntries(kept), name };
}

/** Everything but metadata and, where it has a place of its own, status. */
function wantedPart({ kind }: Call, object: KubeObject): unknown {
  const { metadata: _metadata, ...rest } = object;
  return hasStatusSubresource(kind) ? withoutStatus({ ...rest, metadata: { name: '' } }) : rest;
}

function checkIdentity({ kind: { type } }: Call, before: KubeObject, sent: KubeObject): void {
  const { name, uid, resourceVersion } = before.metadata;
  const { resourceVersion: version = '', uid: sentUid = '' } = sent.metadata;
  if (version !== '' && version !== resourceVersion) throw new Refused(conflict(type, name, MODIFIED));
  if (sentUid !== '' && sentUid !== uid) {
    const problem = `Invalid value: "${sentUid}": field is immutable`;
    throw new Refused(invalid(type, name, 'metadata.uid', problem));
  }
}

/** One empty entry takes all of them away. */
function clearsEntries({ metadata: { managedFields } }: KubeObject): boolean {
  return sameValue(managedFields, [{}]);
}

/**
 * Writes what an Update came to; one that changes nothing leaves the version.
 * @param sent the whole object as the writer wants it
 */
export function commitUpdate(scene: Scene, call: Call, before: KubeObject, sent: KubeObject): Answer {
  // A status endpoint of a definition takes nothing of the metadata but the version (its own strategy).
  const identity =
    call.onStatus && !isBuiltIn(call.kind.type)
      ? { ...sent, metadata: { ...sent.metadata, uid: before.metadata.uid ?? '' } }
      : sent;
  checkIdentity(call, before, identity);
  const { object: known, warnings } = checkFields(call, reachable(call, before, sent));
  const isNew = !sameValue(wantedPart(call, before), wantedPart(call, known));
  const generation = (before.metadata.generation ?? 0) + (isNew ? 1 : 0);
  const metadata = settledMetadata(before.metadata, known.metadata, generation);
  const after: KubeObject = { ...known, metadata };
  const { resourceVersion: _version, ...unversioned } = before.metadata;
  if (clearsEntries(sent)) {
    admit(scene, call, after);
    return { code: 200, body: save(scene.world, withEntries(after, [])), warnings };
  }
  if (sameValue({ ...before, metadata: unversioned }, after)) return { code: 200, body: before, warnings };
  admit(scene, call, after);
  const hand = { manager: call.manager, ...(call.onStatus ? { subresource: 'status' as const } : {}) };
  const { managedFields = [] } = before.metadata;
  const recorded = stampEntries(managedFields, recordUpdate(before, after, hand), scene.world.now);
  if (recorded.metadata.deletionTimestamp !== undefined && !present(recorded.metadata.finalizers)) {
    removeTree(scene.world, recorded);
    return { code: 200, body: recorded, warnings };
  }
  return { code: 200, body: save(scene.world, recorded), warnings };
}

/** PUT: the whole object. */
export function replaceObject(scene: Scene, call: Call): Answer {
  const before = findObject(scene, call);
  const { metadata, ...rest } = objectOf(call);
  const { type } = call.kind;
  if ((metadata.resourceVersion ?? '') === '' && !isBuiltIn(type)) {
    const problem = 'Invalid value: 0: must be specified for an update';
    const byPlural = { ...type, kind: type.plural };
    throw new Refused(invalid(byPlural, metadata.name, 'metadata.resourceVersion', problem));
  }
  return commitUpdate(scene, call, before, withEntries({ ...rest, metadata }, []));
}

/** RFC 7386. */
export function mergePatched(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const entries = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) entries.delete(name);
    else entries.set(name, mergePatched(entries.get(name), value));
  }
  return Object.fromEntries(entries);
}
