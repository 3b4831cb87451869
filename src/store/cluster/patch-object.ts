import type { KubeObject } from '#core/object/object.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import type { WriteResult } from '#store/port.ts';
import type { Attempted } from './client.ts';
import { getObject } from './get-object.ts';
import type { Meant } from './read-meant.ts';
import { resourcePath } from './resource-path.ts';
import type { Session } from './session.ts';
import { patchFailure } from './write-failure.ts';
import { writtenObject } from './written-object.ts';

/** RFC 6902. */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

/** JSON Patch of one version of one object: tests on uid and resourceVersion come first (design.md 3.6). */
export function sendPatch(
  { client, dryRun }: Session,
  { type, key, precondition }: Meant,
  operations: readonly PatchOperation[],
): Promise<Attempted> {
  const { namespace, name } = key;
  return client.send({
    method: 'PATCH',
    path: resourcePath(type, { namespace, name }, { fieldManager: FIELD_MANAGER, dryRun }),
    contentType: 'application/json-patch+json',
    body: JSON.stringify([
      { op: 'test', path: '/metadata/uid', value: precondition.uid },
      { op: 'test', path: '/metadata/resourceVersion', value: precondition.resourceVersion },
      ...operations,
    ]),
  });
}

/** The same to its end. @param stands whether the object has all that the patch asks for */
export async function patchObject(
  session: Session,
  meant: Meant,
  operations: readonly PatchOperation[],
  stands: (live: KubeObject) => boolean,
): Promise<WriteResult> {
  const { type, key, precondition } = meant;
  const answer = await sendPatch(session, meant, operations);
  if (answer.state === 'ok') return writtenObject(answer.body, type);
  // An earlier try went through and its reply was lost.
  const again = answer.mayHaveArrived ? await getObject(session, type, key) : undefined;
  if (again?.state === 'found' && again.object.metadata.uid === precondition.uid && stands(again.object))
    return { ok: true, object: again.object };
  return { ok: false, failure: patchFailure(answer) };
}
