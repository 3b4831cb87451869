import { OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import { isObject, sameValue } from '#core/object/canonical.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { FIELD_MANAGER } from '#core/writer.ts';
import type { WriteResult } from '#store/port.ts';
import type { Attempted } from './client.ts';
import { getObject } from './get-object.ts';
import { resourcePath } from './resource-path.ts';
import type { Session } from './session.ts';
import { writeFailure } from './write-failure.ts';
import { writtenObject } from './written-object.ts';

const MARKS = [SLOT_ANNOTATION, OWNER_UID_ANNOTATION];

/** What a server sets itself is not sent: it refuses some of it. */
function bodyOf(object: KubeObject): string {
  const { name, namespace, labels, annotations, ownerReferences, finalizers } = object.metadata;
  const metadata = { name, namespace, labels, annotations, ownerReferences, finalizers };
  return JSON.stringify({ ...object, metadata });
}

/** All of what was sent stands there; a server fills in more. */
function holds(live: unknown, sent: unknown): boolean {
  if (Array.isArray(sent))
    return (
      Array.isArray(live) &&
      live.length === sent.length &&
      sent.every((item, index) => holds(live[index], item))
    );
  if (!isObject(sent)) return sameValue(live, sent);
  return isObject(live) && Object.keys(sent).every((key) => holds(live[key], sent[key]));
}

/**
 * The same object: it has what only one slot of one schedule, or one order, has, and is to do the same. Two runs of one
 * slot differ in nothing but what they are to do; what a driver makes is of an order and of no slot.
 */
function isSame(live: KubeObject, wanted: KubeObject): boolean {
  const marks = wanted.metadata.annotations;
  return (
    live.metadata.deletionTimestamp === undefined &&
    marks?.[OWNER_UID_ANNOTATION] !== undefined &&
    MARKS.every((mark) => live.metadata.annotations?.[mark] === marks[mark]) &&
    holds(live.spec, wanted.spec)
  );
}

/** An earlier try went through and its reply was lost: the name that is taken is our own. */
async function ownEarlierTry(
  session: Session,
  type: ResourceType,
  object: KubeObject,
  answer: Attempted,
): Promise<KubeObject | undefined> {
  const lost = answer.state === 'refused' && answer.reason === 'AlreadyExists' && answer.mayHaveArrived;
  if (!lost) return undefined;
  const { namespace = '', name } = object.metadata;
  const read = await getObject(session, type, { group: type.group, kind: type.kind, namespace, name });
  return read.state === 'found' && isSame(read.object, object) ? read.object : undefined;
}

/** POST: never alters an object that has the name. */
export async function createObject(
  session: Session,
  type: ResourceType,
  object: KubeObject,
): Promise<WriteResult> {
  const { client, dryRun, fieldValidation } = session;
  const namespace = type.namespaced ? object.metadata.namespace || 'default' : '';
  const query = { fieldManager: FIELD_MANAGER, fieldValidation, dryRun };
  const path = resourcePath(type, { namespace }, query);
  const answer = await client.send({ method: 'POST', path, body: bodyOf(object) });
  if (answer.state === 'ok') return writtenObject(answer.body, type, dryRun === undefined);
  const earlier = await ownEarlierTry(session, type, object, answer);
  if (earlier !== undefined) return { ok: true, object: earlier };
  return { ok: false, failure: writeFailure(answer) };
}
