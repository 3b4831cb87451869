import type { Precondition } from '#core/change/change.ts';
import type { ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import type { FailureKind, WriteResult } from '#store/port.ts';
import { getObject } from './get-object.ts';
import { readObject } from './read-object.ts';
import { resourcePath } from './resource-path.ts';
import type { Session } from './session.ts';
import { patchFailure } from './write-failure.ts';

interface FinalizerWrite {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly precondition: Precondition;
  readonly finalizers: readonly string[];
}

function failed(kind: FailureKind, message: string): WriteResult {
  return { ok: false, failure: { kind, message } };
}

/**
 * JSON Patch with tests on uid and resourceVersion (design.md 3.6). The list is set to what is left of the one that was
 * read, which the tests make sure is still the one that stands.
 */
export async function removeFinalizers(session: Session, write: FinalizerWrite): Promise<WriteResult> {
  const { type, key, precondition, finalizers } = write;
  const { namespace, name } = key;
  const seen = session.lastSeen(type, key);
  const read =
    seen?.metadata.resourceVersion === precondition.resourceVersion
      ? { state: 'found' as const, object: seen }
      : await getObject(session, type, key);
  if (read.state === 'failed') return failed('transient', read.message);
  if (read.state === 'missing') return failed('gone', `${key.kind} ${name} does not exist any more`);
  const { metadata } = read.object;
  if (metadata.uid !== precondition.uid || metadata.resourceVersion !== precondition.resourceVersion)
    return failed('conflict', `${key.kind} ${name} changed since it was read`);
  const standing = metadata.finalizers ?? [];
  const left = standing.filter((one) => !finalizers.includes(one));
  if (left.length === standing.length) return { ok: true, object: read.object };
  const answer = await session.client.send({
    method: 'PATCH',
    path: resourcePath(type, { namespace, name }, { fieldManager: FIELD_MANAGER, dryRun: session.dryRun }),
    contentType: 'application/json-patch+json',
    body: JSON.stringify([
      { op: 'test', path: '/metadata/uid', value: precondition.uid },
      { op: 'test', path: '/metadata/resourceVersion', value: precondition.resourceVersion },
      { op: 'replace', path: '/metadata/finalizers', value: left },
    ]),
  });
  if (answer.state === 'ok') {
    // An object that went with its last finalizer is answered as it was.
    return { ok: true, object: readObject(answer.body, type) ?? read.object };
  }
  const again = answer.mayHaveArrived ? await getObject(session, type, key) : undefined;
  if (again?.state === 'missing') return { ok: true, object: read.object };
  return { ok: false, failure: patchFailure(answer) };
}
