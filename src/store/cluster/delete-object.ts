import type { Precondition } from '#core/change/change.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import type { WriteResult } from '#store/port.ts';
import type { Attempted } from './client.ts';
import { getObject } from './get-object.ts';
import { readObject } from './read-object.ts';
import { resourcePath } from './resource-path.ts';
import type { Session } from './session.ts';
import { writeFailure } from './write-failure.ts';

/** An earlier try went through and its reply was lost: the object is gone, or is on its way out. */
async function ownEarlierTry(
  session: Session,
  type: ResourceType,
  key: ObjectKey,
  uid: string,
  answer: Attempted,
): Promise<boolean> {
  if (answer.state !== 'refused' || !answer.mayHaveArrived) return false;
  if (answer.status === 404) return true;
  if (answer.status !== 409) return false;
  const read = await getObject(session, type, key);
  if (read.state !== 'found') return read.state === 'missing';
  return read.object.metadata.uid !== uid || read.object.metadata.deletionTimestamp !== undefined;
}

/** With preconditions (design.md 3.7): what changed since it was read survives. */
export async function deleteObject(
  session: Session,
  type: ResourceType,
  key: ObjectKey,
  precondition: Precondition,
  propagation: 'Background' | 'Foreground' = 'Background',
): Promise<WriteResult> {
  const { client, dryRun } = session;
  const { namespace, name } = key;
  const answer = await client.send({
    method: 'DELETE',
    path: resourcePath(type, { namespace, name }, { dryRun }),
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: precondition,
      propagationPolicy: propagation,
      // Beside a body the query is not even looked at: it is there for whoever reads the log of the server.
      ...(dryRun === undefined ? {} : { dryRun: [dryRun] }),
    }),
  });
  const deleted: KubeObject = {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata: { name, ...(namespace === '' ? {} : { namespace }), ...precondition },
  };
  // A finalizer keeps the object: it is answered as it is now.
  if (answer.state === 'ok') return { ok: true, object: readObject(answer.body, type) ?? deleted };
  if (await ownEarlierTry(session, type, key, precondition.uid, answer)) return { ok: true, object: deleted };
  return { ok: false, failure: writeFailure(answer) };
}
