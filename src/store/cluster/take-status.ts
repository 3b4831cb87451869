import { isObject } from '#core/object/canonical.ts';
import type { KubeObject, ManagedFieldsEntry } from '#core/object/object.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { FIELD_MANAGER, isOurs } from '#core/writer.ts';
import type { WriteResult } from '#store/port.ts';
import { getObject } from './get-object.ts';
import { sendPatch } from './patch-object.ts';
import { asMeant, type Meant } from './read-meant.ts';
import { resourcePath } from './resource-path.ts';
import type { Session } from './session.ts';
import { patchFailure, writeFailure } from './write-failure.ts';
import { writtenObject } from './written-object.ts';

interface TakeOver extends Meant {
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
  if (answer.state !== 'ok') return { ok: false, failure: writeFailure(answer) };
  return writtenObject(answer.body, type);
}

/** Whoever owned the fields before owns only the rest of what they wrote. */
async function removeOthers(
  session: Session,
  joined: KubeObject,
  resourceVersion: string,
  { type, key, precondition, fields }: TakeOver,
): Promise<WriteResult> {
  const { managedFields = [] } = joined.metadata;
  const value = managedFields.flatMap((entry) => withoutFields(entry, fields) ?? []);
  const operation = { op: 'replace', path: '/metadata/managedFields', value } as const;
  const answer = await sendPatch(
    session,
    { type, key, precondition: { uid: precondition.uid, resourceVersion } },
    [operation],
  );
  if (answer.state !== 'ok') return { ok: false, failure: patchFailure(answer) };
  return writtenObject(answer.body, type);
}

/**
 * Makes status fields ours alone, once and by force, at the version that is meant (design.md 3.8). Force takes a field
 * from another manager only where the values differ, so the record of who wrote what is changed after it. Between the
 * two steps a field has several owners, and the object is observed as before.
 */
export async function takeStatus(session: Session, wanted: TakeOver): Promise<WriteResult> {
  const { type, key } = wanted;
  // Whoever took part since is to be seen: what was listed is not enough.
  const read = asMeant(await getObject(session, type, key), wanted);
  if (!read.ok) return read;
  const { resourceVersion } = wanted.precondition;
  const joined = await join(session, read.object, wanted);
  if (!joined.ok) return joined;
  const version = session.dryRun === undefined ? joined.object.metadata.resourceVersion : resourceVersion;
  return removeOthers(session, joined.object, version ?? resourceVersion, wanted);
}
