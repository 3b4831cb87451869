import { join } from 'node:path';
import type { Diagnostic } from '#core/diagnostic.ts';
import { compareKeys, keyOf, keyText } from '#core/object/key.ts';
import type { KubeObject, ObjectKey, SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Listing } from '#store/port.ts';
import { mapBounded } from './bounded.ts';
import { damageAdvice, isHarmlessToMiss } from './damage-advice.ts';
import type { Known, Resolved, Tombstone } from './resolve.ts';
import { isBuried, isLeftover, resolve } from './resolve.ts';
import type { Session } from './session.ts';
import { stateText } from './state-object.ts';
import { kindFolder, objectPath, TOMBSTONES } from './state-path.ts';
import { isRecordedField, shownFile, statePlace } from './state-place.ts';
import { StoreFailure } from './store-failure.ts';

interface Entry {
  readonly path: string;
  readonly source: SourcedObject | undefined;
  readonly known: Known;
}

interface Present {
  readonly entry: Entry;
  readonly found: Extract<Resolved, { state: 'present' }>;
}

async function readTombstones(session: Session, folder: string): Promise<ReadonlyMap<string, Tombstone>> {
  const buried = await session.reader.pathsOfKind(`${TOMBSTONES}/${folder}`);
  const paths = buried.map((path) => path.slice(TOMBSTONES.length + 1));
  const read = await mapBounded(paths, 16, (path) => session.reader.tombstone(path));
  return new Map(paths.flatMap((path, index) => [[path, read[index] ?? { uid: undefined }] as const]));
}

async function readEntries(session: Session, type: ResourceType): Promise<readonly Entry[]> {
  const folder = kindFolder(type.group, type.kind);
  const [paths, tombstones] = await Promise.all([
    session.reader.pathsOfKind(folder),
    readTombstones(session, folder),
  ]);
  const stored = await session.reader.storedAt(paths);
  const declared = new Map<string, { readonly key: ObjectKey; readonly source: SourcedObject }>();
  for (const item of session.manifests.ofType(type)) {
    const path = objectPath(item.key);
    if (!declared.has(path)) declared.set(path, item);
  }
  const all = new Set([...declared.keys(), ...stored.keys(), ...tombstones.keys()]);
  return [...all].map((path) => {
    const item = declared.get(path);
    const known: Known = {
      declared: item === undefined ? undefined : { key: item.key, manifest: item.source.object },
      stored: stored.get(path) ?? { state: 'missing' },
      tombstone: tombstones.get(path),
    };
    return { path, source: item?.source, known };
  });
}

function damage(session: Session, path: string, reason: string): string {
  return `The state file ${join(session.place?.root ?? '', path)} cannot be used: ${reason}.`;
}

function damageDiagnostic(session: Session, entry: Entry, reason: string): Diagnostic {
  const key = entry.known.declared?.key;
  return {
    code: 'StateDamaged',
    severity: 'error',
    ...(key === undefined ? {} : { object: key }),
    place: { file: shownFile(session, entry.path), line: 1, column: 1 },
    what: damage(session, entry.path, reason),
    why: `What was recorded of ${key === undefined ? 'the object' : keyText(key)} is not known, so nothing is done for it.`,
    fix: damageAdvice(entry.path, entry.known),
  };
}

interface Sorted {
  readonly present: readonly Present[];
  /** Recorded, but their manifest is gone. */
  readonly gone: readonly ObjectKey[];
}

function sortOut(session: Session, entries: readonly Entry[]): Sorted {
  const present: Present[] = [];
  const gone: ObjectKey[] = [];
  for (const entry of entries) {
    const found = resolve(entry.known, session.now);
    if (found.state === 'present') present.push({ entry, found });
    if (found.state === 'hidden') gone.push(keyOf(found.object));
    if (found.state !== 'damaged') continue;
    if (!isHarmlessToMiss(entry.known)) {
      const advice = damageAdvice(entry.path, entry.known);
      throw new StoreFailure('transient', damage(session, entry.path, found.reason), advice);
    }
    session.report(damageDiagnostic(session, entry, found.reason));
  }
  return { present, gone };
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
  const written = await writer.put(
    pending.map(({ found }) => ({ object: found.object, origin: found.origin })),
  );
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
  const text = (): string =>
    written === undefined ? stored.text : stateText({ object: written, origin: found.origin });
  if (found.origin === 'store') return (path) => statePlace(file, text(), path);
  if (declared === undefined) return undefined;
  return (path) => (isRecordedField(record.object, path) ? statePlace(file, text(), path) : declared(path));
}

function toSourced(session: Session, present: Present, written: KubeObject | undefined): SourcedObject {
  const placeOf = placesOf(session, present, written);
  return { object: written ?? present.found.object, ...(placeOf === undefined ? {} : { placeOf }) };
}

/** All objects of a kind, sorted. A prepared store records first what their manifests changed. */
export async function listKind(session: Session, type: ResourceType): Promise<Listing> {
  session.listed.set(kindFolder(type.group, type.kind), type);
  if (session.refusal !== undefined) return { state: 'unreadable', reason: session.refusal.what };
  try {
    const entries = await readEntries(session, type);
    const { present, gone } = sortOut(session, entries);
    session.gone.set(kindFolder(type.group, type.kind), gone);
    const written = await session.inTurn(() => settle(session, entries, present));
    const objects = present.map((item) => toSourced(session, item, written.get(item.entry.path)));
    return { state: 'read', objects: objects.sort((a, b) => compareKeys(keyOf(a.object), keyOf(b.object))) };
  } catch (error) {
    if (error instanceof StoreFailure) return { state: 'unreadable', reason: error.message };
    throw error;
  }
}
