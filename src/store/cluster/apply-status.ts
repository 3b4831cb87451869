import type { Precondition } from '#core/change/change.ts';
import { isObject, sameValue } from '#core/object/canonical.ts';
import type { JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import type { WriteResult } from '#store/port.ts';
import type { Attempted } from './client.ts';
import { getObject } from './get-object.ts';
import { resourcePath } from './resource-path.ts';
import type { Session } from './session.ts';
import { isRefusedForGood, undeclaredFields, withoutUndeclared } from './undeclared.ts';
import { writeFailure } from './write-failure.ts';
import { writtenObject } from './written-object.ts';

interface StatusWrite {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly precondition: Precondition;
  readonly fields: JsonObject;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

function send({ client, dryRun }: Session, write: StatusWrite): Promise<Attempted> {
  const { type, key, precondition, fields, annotations } = write;
  const { namespace, name } = key;
  const metadata = {
    name,
    ...(namespace === '' ? {} : { namespace }),
    ...precondition,
    ...(annotations === undefined ? {} : { annotations }),
  };
  return client.send({
    method: 'PATCH',
    path: resourcePath(
      type,
      { namespace, name, subresource: 'status' },
      // Another manager's field is refused, never taken (design.md 3.6).
      { fieldManager: FIELD_MANAGER, force: 'false', dryRun },
    ),
    contentType: 'application/apply-patch+yaml',
    body: JSON.stringify({ apiVersion: apiVersionOf(type), kind: type.kind, metadata, status: fields }),
  });
}

/** An earlier try went through and its reply was lost: the version is stale by our own write. */
async function ownEarlierTry(
  session: Session,
  { type, key, precondition, fields }: StatusWrite,
  answer: Attempted,
): Promise<KubeObject | undefined> {
  const lost = answer.state === 'refused' && answer.status === 409 && answer.mayHaveArrived;
  if (!lost) return undefined;
  const read = await getObject(session, type, key);
  if (read.state !== 'found' || read.object.metadata.uid !== precondition.uid) return undefined;
  const status = isObject(read.object.status) ? read.object.status : {};
  const stands = Object.keys(fields).every((field) => sameValue(status[field], fields[field]));
  return stands ? read.object : undefined;
}

/**
 * Server-side apply of the whole set of our fields, with uid and resourceVersion (design.md 3.6). Fields that the
 * definition of the type does not declare are left out, told once, and stop no other.
 */
export async function applyStatus(session: Session, wanted: StatusWrite): Promise<WriteResult> {
  const { type, key } = wanted;
  const standing = await isRefusedForGood(session, type, key, wanted.fields);
  if (standing !== undefined) return { ok: true, object: standing };
  let fields = withoutUndeclared(session, type, wanted.fields);
  // Each round leaves out what the last one was refused for.
  for (;;) {
    const write = { ...wanted, fields };
    const answer = await send(session, write);
    if (answer.state === 'ok') return writtenObject(answer.body, type);
    for (const path of undeclaredFields(answer)) session.noteUndeclared(type, path);
    fields = withoutUndeclared(session, type, wanted.fields);
    if (!sameValue(fields, write.fields)) continue;
    const earlier = await ownEarlierTry(session, write, answer);
    if (earlier !== undefined) return { ok: true, object: earlier };
    return { ok: false, failure: writeFailure(answer) };
  }
}
