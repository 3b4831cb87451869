import { keyOf } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { controllerOf } from '#core/object/owner.ts';
import { EVENT } from '#core/object/resource.ts';
import { formatInstant } from '#core/time/instant.ts';
import { resolve } from './resolve.ts';
import type { Session } from './session.ts';
import { readKnown, requireWriter } from './session.ts';
import type { StateRecord } from './state-object.ts';
import { kindFolder, objectPath } from './state-path.ts';

const EVENTS = kindFolder(EVENT.group, EVENT.kind);

/** Every recorded object but events, which control nothing and are not controlled. Damaged files are passed over. */
export async function readRecords(session: Session): Promise<readonly StateRecord[]> {
  const kinds = (await session.reader.kinds()).filter((folder) => folder !== EVENTS);
  const paths = (await Promise.all(kinds.map((folder) => session.reader.pathsOfKind(folder)))).flat();
  const stored = await session.reader.storedAt(paths);
  return [...stored.values()].flatMap((file) => (file.state === 'stored' ? [file.record] : []));
}

export function noteDependent(dependents: Map<string, ObjectKey[]>, object: KubeObject): void {
  const uid = controllerOf(object)?.uid;
  if (uid === undefined) return;
  const keys = dependents.get(uid);
  if (keys === undefined) dependents.set(uid, [keyOf(object)]);
  else keys.push(keyOf(object));
}

async function dependentsOf(session: Session, owner: KubeObject): Promise<readonly ObjectKey[]> {
  if (session.dependents === undefined) {
    const dependents = new Map<string, ObjectKey[]>();
    for (const { object } of await readRecords(session)) noteDependent(dependents, object);
    session.dependents = dependents;
  }
  return session.dependents.get(owner.metadata.uid ?? '') ?? [];
}

/** The API keeps an object with finalizers until they are gone; marking it counts as a change of what is wanted. */
async function markDeleted(session: Session, record: StateRecord): Promise<KubeObject> {
  const { object } = record;
  if (object.metadata.deletionTimestamp !== undefined) return object;
  const { generation } = object.metadata;
  const metadata = {
    ...object.metadata,
    deletionTimestamp: formatInstant(session.now),
    ...(generation === undefined ? {} : { generation: generation + 1 }),
  };
  const [written] = await requireWriter(session).put([{ ...record, object: { ...object, metadata } }]);
  return written ?? object;
}

/** How far a removal has come. */
interface Removal {
  /** Uids that were met: a circle of owners ends. */
  readonly seen: Set<string>;
  readonly removed: KubeObject[];
  /** Nothing is written. */
  readonly isDry: boolean;
}

async function removeDependents(session: Session, owner: KubeObject, removal: Removal): Promise<void> {
  for (const key of await dependentsOf(session, owner)) {
    // An owner in a namespace controls objects of that namespace only.
    if (owner.metadata.namespace !== undefined && owner.metadata.namespace !== key.namespace) continue;
    const found = resolve(await readKnown(session, key), session.now);
    if (found.state !== 'present' && found.state !== 'hidden') continue;
    if (controllerOf(found.object)?.uid !== owner.metadata.uid) continue;
    await removeTree(session, found, removal);
  }
}

async function removeTree(session: Session, record: StateRecord, removal: Removal): Promise<KubeObject> {
  const { object } = record;
  const uid = object.metadata.uid ?? '';
  if (removal.seen.has(uid)) return object;
  removal.seen.add(uid);
  if ((object.metadata.finalizers ?? []).length > 0)
    return removal.isDry ? object : markDeleted(session, record);
  await removeDependents(session, object, removal);
  if (!removal.isDry) await drop(session, record);
  removal.removed.push(object);
  return object;
}

async function drop(session: Session, { object, origin }: StateRecord): Promise<void> {
  const writer = requireWriter(session);
  const path = objectPath(keyOf(object));
  if (origin === 'manifest' && session.manifests.at(keyOf(object)) !== undefined)
    await writer.bury(path, object.metadata.uid ?? '');
  await writer.drop([path]);
}

/**
 * Deletes an object with everything that it controls, what it controls first: a crash leaves the owner, and with it
 * the reason to delete again. An object that a manifest spells out gets a tombstone. Returns the object as it was
 * last, which still exists if it has finalizers.
 * @param removed gets every object that is gone, as it goes
 */
export async function removeObject(
  session: Session,
  record: StateRecord,
  { removed = [], isDry = false }: { readonly removed?: KubeObject[]; readonly isDry?: boolean } = {},
): Promise<KubeObject> {
  return removeTree(session, record, { seen: new Set(), removed, isDry });
}
