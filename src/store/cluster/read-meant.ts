import type { Precondition } from '#core/change/change.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { FailureKind, ReadResult, WriteFailure } from '#store/port.ts';
import { getObject } from './get-object.ts';
import type { Session } from './session.ts';

/** Which version of which object a write means. */
export interface Meant {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly precondition: Precondition;
}

type MeantObject =
  | { readonly ok: true; readonly object: KubeObject }
  | { readonly ok: false; readonly failure: WriteFailure };

function failed(kind: FailureKind, message: string): MeantObject {
  return { ok: false, failure: { kind, message } };
}

/** What was read, if it is the version that is meant. */
export function asMeant(read: ReadResult, { key, precondition }: Meant): MeantObject {
  const what = `${key.kind} ${key.name}`;
  if (read.state === 'failed') return failed('transient', read.message);
  if (read.state === 'missing') return failed('gone', `${what} does not exist any more`);
  const { uid, resourceVersion } = read.object.metadata;
  const isMeant = uid === precondition.uid && resourceVersion === precondition.resourceVersion;
  return isMeant
    ? { ok: true, object: read.object }
    : failed('conflict', `${what} changed since it was read`);
}

/** The object at the version that is meant: as it was listed, else as it is now. A patch of JSON is made for one. */
export async function readMeant(session: Session, meant: Meant): Promise<MeantObject> {
  const { type, key, precondition } = meant;
  const seen = session.lastSeen(type, key);
  const isSeen = seen?.metadata.resourceVersion === precondition.resourceVersion;
  return asMeant(isSeen ? { state: 'found', object: seen } : await getObject(session, type, key), meant);
}
