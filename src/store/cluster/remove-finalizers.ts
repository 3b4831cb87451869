import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import type { WriteResult } from '#store/port.ts';
import type { Attempted } from './client.ts';
import { getObject } from './get-object.ts';
import { type Meant, readMeant } from './read-meant.ts';
import { readObject } from './read-object.ts';
import { resourcePath } from './resource-path.ts';
import type { Session } from './session.ts';
import { patchFailure } from './write-failure.ts';

interface FinalizerWrite extends Meant {
  readonly finalizers: readonly string[];
}

function standing(live: KubeObject): readonly string[] {
  return live.metadata.finalizers ?? [];
}

function holdsAny(live: KubeObject, finalizers: readonly string[]): boolean {
  return standing(live).some((one) => finalizers.includes(one));
}

/** The list is set to what is left of the one that was read: the tests say that this one still stands. */
function operations(live: KubeObject, { precondition, finalizers }: FinalizerWrite): readonly JsonObject[] {
  const left = standing(live).filter((one) => !finalizers.includes(one));
  return [
    { op: 'test', path: '/metadata/uid', value: precondition.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: precondition.resourceVersion },
    { op: 'replace', path: '/metadata/finalizers', value: left },
  ];
}

/** An earlier try went through and its reply was lost: the object went with its last finalizer, or is rid of these. */
async function ownEarlierTry(
  session: Session,
  { type, key, precondition, finalizers }: FinalizerWrite,
  before: KubeObject,
  answer: Attempted,
): Promise<KubeObject | undefined> {
  if (!answer.mayHaveArrived) return undefined;
  const read = await getObject(session, type, key);
  if (read.state === 'missing') return before;
  if (read.state === 'failed' || read.object.metadata.uid !== precondition.uid) return undefined;
  return holdsAny(read.object, finalizers) ? undefined : read.object;
}

/** JSON Patch with tests on uid and resourceVersion (design.md 3.6). One that takes nothing off is not sent. */
export async function removeFinalizers(session: Session, write: FinalizerWrite): Promise<WriteResult> {
  const { type, key, finalizers } = write;
  const { namespace, name } = key;
  const read = await readMeant(session, write);
  if (!read.ok) return read;
  const { object: before } = read;
  if (!holdsAny(before, finalizers)) return { ok: true, object: before };
  const query = { fieldManager: FIELD_MANAGER, dryRun: session.dryRun };
  const answer = await session.client.send({
    method: 'PATCH',
    path: resourcePath(type, { namespace, name }, query),
    contentType: 'application/json-patch+json',
    body: JSON.stringify(operations(before, write)),
  });
  // An object that goes with its last finalizer is answered as it was, by some servers as a mere success.
  if (answer.state === 'ok') return { ok: true, object: readObject(answer.body, type) ?? before };
  const earlier = await ownEarlierTry(session, write, before, answer);
  return earlier === undefined ? { ok: false, failure: patchFailure(answer) } : { ok: true, object: earlier };
}
