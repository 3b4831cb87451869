import { compareKeys, keyId, keyOf } from '#core/object/key.ts';
import type { KubeObject, ObjectKey, SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { UnreadableObject } from '#core/observed.ts';
import type { Listing } from '#store/port.ts';
import { declaredUid } from './admit.ts';
import { isHarmlessToMiss } from './damage-advice.ts';
import { type Incomplete, noteDamage, noteUnread, noteUnusable } from './incomplete.ts';
import { type Entries, type Entry, readEntries } from './read-entries.ts';
import type { Resolved } from './resolve.ts';
import { isBuried, isLeftover, resolve } from './resolve.ts';
import type { Session } from './session.ts';
import { stateText } from './state-object.ts';
import { kindFolder } from './state-path.ts';
import { isRecordedField, shownFile, statePlace } from './state-place.ts';
import { StoreFailure } from './store-failure.ts';

interface Present {
  readonly entry: Entry;
  readonly found: Extract<Resolved, { state: 'present' }>;
}

interface Sorted {
  readonly present: readonly Present[];
  /** Recorded, but their manifest is gone. */
  readonly gone: readonly ObjectKey[];
  readonly incomplete: Incomplete;
  /** Spelled out by a manifest, while what was recorded of them cannot be read. */
  readonly unreadable: readonly UnreadableObject[];
}

/** What a manifest alone tells of an object, in the namespace that it has by default. */
function declaredOnly({ source, known }: Entry, reason: string): readonly UnreadableObject[] {
  if (source === undefined || known.declared === undefined || !isHarmlessToMiss(known)) return [];
  const { object } = source;
  const { namespace } = known.declared.key;
  const metadata = namespace === '' ? object.metadata : { ...object.metadata, namespace };
  return [{ source: { ...source, object: { ...object, metadata } }, reason }];
}

/** Gone once a prune that is only told were done. */
function isPrunable({ prunable }: Session, object: KubeObject): boolean {
  return prunable.size > 0 && prunable.has(keyId(keyOf(object)));
}

function sortOut(session: Session, type: ResourceType, { entries, unread }: Entries): Sorted {
  const present: Present[] = [];
  const gone: ObjectKey[] = [];
  const incomplete: Incomplete = new Map();
  const unreadable: UnreadableObject[] = [];
  for (const folder of unread) noteUnread(session, type, folder, incomplete);
  for (const entry of entries) {
    const found = resolve(entry.known, session.now);
    if (found.state === 'present' && !isPrunable(session, found.object)) present.push({ entry, found });
    if (found.state === 'hidden') gone.push(keyOf(found.object));
    if (found.state !== 'damaged') continue;
    noteDamage(session, type, { entry, found }, incomplete);
    unreadable.push(...declaredOnly(entry, `its state file cannot be used: ${found.reason}`));
  }
  noteUnusable(session, type, incomplete);
  return { present, gone, incomplete, unreadable };
}

/** Records what Git changed, and finishes deletions that a crash cut short. Nothing to do means nothing written. */
async function settle(
  session: Session,
  entries: readonly Entry[],
  present: readonly Present[],
): Promise<ReadonlyMap<string, KubeObject>> {
  const { writer } = session;
  if (writer === undefined) return new Map();
  const pending = present.filter(({ found }) => found.pending);
  const leftovers = entries.filter((entry) => isLeftover(entry.known)).map((entry) => entry.path);
  const obsolete = entries
    .filter(
      ({ known }) =>
        known.tombstone !== undefined &&
        !isBuried(known) &&
        (known.declared !== undefined || session.complete),
    )
    .map((entry) => entry.path);
  await writer.drop(leftovers);
  await writer.unbury(obsolete);
  const written = await writer.put(pending.map(({ found }) => found));
  return new Map(
    pending.flatMap(({ entry }, index) => {
      const object = written[index];
      return object === undefined ? [] : [[entry.path, { ...object }] as const];
    }),
  );
}

type PlaceOf = NonNullable<SourcedObject['placeOf']>;

/** Spec and labels stand in the manifest, what was recorded in the state file, as it is after `settle`. */
function placesOf(
  session: Session,
  { entry, found }: Present,
  written: KubeObject | undefined,
): PlaceOf | undefined {
  const { stored } = entry.known;
  const declared = entry.source?.placeOf;
  if (stored.state !== 'stored' || !found.recorded) return declared;
  const { record } = stored;
  const file = shownFile(session, entry.path);
  const text = (): string => (written === undefined ? stored.text : stateText({ ...found, object: written }));
  if (found.origin === 'store') return (path) => statePlace(file, text(), path);
  if (declared === undefined) return undefined;
  return (path) =>
    isRecordedField({ ...record, annotated: found.annotated }, path)
      ? statePlace(file, text(), path)
      : declared(path);
}

function toSourced(session: Session, present: Present, written: KubeObject | undefined): SourcedObject {
  const placeOf = placesOf(session, present, written);
  return {
    object: written ?? present.found.object,
    ...(placeOf === undefined ? {} : { placeOf }),
    ...(written === undefined && isProvisional(session, present) ? { provisional: true } : {}),
    ...(isUndated(present) ? { assumedCreation: true } : {}),
  };
}

/** Git says no time of creation, now or when the object was first seen. */
function isUndated({ entry: { known } }: Present): boolean {
  return known.declared !== undefined && known.declared.manifest.metadata.creationTimestamp === undefined;
}

/** Whether the object will have another uid once it is admitted, here or by the API of a cluster. */
function isProvisional({ place }: Session, { entry, found }: Present): boolean {
  const { declared } = entry.known;
  if (declared === undefined || found.recorded) return false;
  const { manifest, key } = declared;
  return place === undefined ? manifest.metadata.uid === undefined : declaredUid(manifest, key) === undefined;
}

/**
 * All objects of a kind, sorted, with the namespaces of which some are not known. A prepared store records first what
 * their manifests changed.
 */
export async function listKind(session: Session, type: ResourceType): Promise<Listing> {
  session.listed.set(kindFolder(type.group, type.kind), type);
  if (session.refusal !== undefined) return { state: 'unreadable', reason: session.refusal.what };
  try {
    const read = await readEntries(session, type);
    const { present, gone, incomplete, unreadable } = sortOut(session, type, read);
    session.gone.set(kindFolder(type.group, type.kind), gone);
    const written = await session.inTurn(() => settle(session, read.entries, present));
    const objects = present.map((item) => toSourced(session, item, written.get(item.entry.path)));
    objects.sort((a, b) => compareKeys(keyOf(a.object), keyOf(b.object)));
    return {
      state: 'read',
      objects,
      ...(incomplete.size === 0 ? {} : { incomplete }),
      ...(unreadable.length === 0 ? {} : { unreadable }),
    };
  } catch (error) {
    if (error instanceof StoreFailure) return { state: 'unreadable', reason: error.message };
    throw error;
  }
}
