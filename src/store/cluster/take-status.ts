import type { Precondition } from '#core/change/change.ts';
import { isObject } from '#core/object/canonical.ts';
import type { KubeObject, ManagedFieldsEntry, ObjectKey } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import { FIELD_MANAGER, isOurs } from '#core/writer.ts';
import type { WriteResult } from '#store/port.ts';
import type { Attempted } from './client.ts';
import { getObject } from './get-object.ts';
import { readObject } from './read-object.ts';
import { resourcePath } from './resource-path.ts';
import type { Session } from './session.ts';
import { patchFailure, writeFailure } from './write-failure.ts';

interface TakeOver {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly precondition: Precondition;
  /** Of the status. */
  readonly fields: readonly string[];
}

/** What an entry of another manager owns beside these fields; undefined where that is nothing. */
function withoutFields(entry: ManagedFieldsEntry, fields: readonly string[]): ManagedFieldsEntry | undefined {
  const { fieldsV1 } = entry;
  const marks = fieldsV1?.['f:status'];
  if (fieldsV1 === undefined || !isObject(marks) || isOurs(entry)) return entry;
  const kept = Object.entries(marks).filter(
    ([mark]) => mark !== '.' && !fields.some((field) => mark === `f:${field}`),
  );
  const { 'f:status': _status, ...others } = fieldsV1;
  const left = kept.length === 0 ? others : { ...others, 'f:status': Object.fromEntries(kept) };
  return Object.keys(left).length === 0 ? undefined : { ...entry, fieldsV1: left };
}

function resultOf(answer: Attempted, type: ResourceType, failureOf: typeof writeFailure): WriteResult {
  if (answer.state !== 'ok') return { ok: false, failure: failureOf(answer) };
  const object = readObject(answer.body, type);
  return object === undefined
    ? { ok: false, failure: { kind: 'transient', message: 'the server answered with no object' } }
    : { ok: true, object };
}

/** Server-side apply by force: with the values that stand there it only adds us to their owners. */
async function join(
  session: Session,
  live: KubeObject,
  { type, key, fields }: TakeOver,
): Promise<WriteResult> {
  const { namespace, name } = key;
  const { uid, resourceVersion } = live.metadata;
  const status = isObject(live.status) ? live.status : {};
  const standing = fields.flatMap((field) => {
    const value = status[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  const answer = await session.client.send({
    method: 'PATCH',
    path: resourcePath(
      type,
      { namespace, name, subresource: 'status' },
      { fieldManager: FIELD_MANAGER, force: 'true', dryRun: session.dryRun },
    ),
    contentType: 'application/apply-patch+yaml',
    body: JSON.stringify({
      apiVersion: apiVersionOf(type),
      kind: type.kind,
      metadata: { name, ...(namespace === '' ? {} : { namespace }), uid, resourceVersion },
      status: Object.fromEntries(standing),
    }),
  });
  return resultOf(answer, type, writeFailure);
}

/** Whoever owned the fields before owns only the rest of what they wrote. */
async function removeOthers(
  session: Session,
  joined: KubeObject,
  resourceVersion: string,
  { type, key, fields }: TakeOver,
): Promise<WriteResult> {
  const { namespace, name } = key;
  const { uid, managedFields = [] } = joined.metadata;
  const value = managedFields.flatMap((entry) => withoutFields(entry, fields) ?? []);
  const answer = await session.client.send({
    method: 'PATCH',
    path: resourcePath(type, { namespace, name }, { fieldManager: FIELD_MANAGER, dryRun: session.dryRun }),
    contentType: 'application/json-patch+json',
    body: JSON.stringify([
      { op: 'test', path: '/metadata/uid', value: uid },
      { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
      { op: 'replace', path: '/metadata/managedFields', value },
    ]),
  });
  return resultOf(answer, type, patchFailure);
}

/**
 * Makes status fields ours alone, once and by force, at the version that is meant (design.md 3.8). Force takes a field
 * from another manager only where the values differ, so the record of who wrote what is changed after it. Between the
 * two steps a field has several owners, and the object is observed as before.
 */
export async function takeStatus(session: Session, wanted: TakeOver): Promise<WriteResult> {
  const { type, key, precondition } = wanted;
  const read = await getObject(session, type, key);
  if (read.state === 'failed') return { ok: false, failure: { kind: 'transient', message: read.message } };
  const what = `${key.kind} ${key.name}`;
  if (read.state === 'missing')
    return { ok: false, failure: { kind: 'gone', message: `${what} does not exist any more` } };
  const { uid, resourceVersion } = read.object.metadata;
  if (uid !== precondition.uid || resourceVersion !== precondition.resourceVersion)
    return { ok: false, failure: { kind: 'conflict', message: `${what} changed since it was read` } };
  const joined = await join(session, read.object, wanted);
  if (!joined.ok) return joined;
  const version = session.dryRun === undefined ? joined.object.metadata.resourceVersion : resourceVersion;
  return removeOthers(session, joined.object, version ?? resourceVersion, wanted);
}
