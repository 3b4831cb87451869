import type { KubeObject } from '#core/object/object.ts';
import type { WriteResult } from '#store/port.ts';
import type { Attempted } from './client.ts';
import { getObject } from './get-object.ts';
import { type PatchOperation, sendPatch } from './patch-object.ts';
import { type Meant, readMeant } from './read-meant.ts';
import { readObject } from './read-object.ts';
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

/** What is left of the list that was read: the tests of the patch say that this one still stands. */
function operation(live: KubeObject, finalizers: readonly string[]): PatchOperation {
  const left = standing(live).filter((one) => !finalizers.includes(one));
  return { op: 'replace', path: '/metadata/finalizers', value: left };
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

/** A patch that takes nothing off is not sent. */
export async function removeFinalizers(session: Session, write: FinalizerWrite): Promise<WriteResult> {
  const { type, finalizers } = write;
  const read = await readMeant(session, write);
  if (!read.ok) return read;
  const { object: before } = read;
  if (!holdsAny(before, finalizers)) return { ok: true, object: before };
  const answer = await sendPatch(session, write, [operation(before, finalizers)]);
  // An object that goes with its last finalizer is answered as it was, by some servers as a mere success.
  if (answer.state === 'ok') return { ok: true, object: readObject(answer.body, type) ?? before };
  const earlier = await ownEarlierTry(session, write, before, answer);
  return earlier === undefined ? { ok: false, failure: patchFailure(answer) } : { ok: true, object: earlier };
}
