import { join } from 'node:path';
import type { Diagnostic } from '#core/diagnostic.ts';
import { compareKeys, keyOf, keyText } from '#core/object/key.ts';
import type { KubeObject, ObjectKey, SourcedObject } from '#core/object/object.ts';
import { controllerOf } from '#core/object/owner.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Listing } from '#store/port.ts';
import { mapBounded } from './bounded.ts';
import type { Known, Resolved, Tombstone } from './resolve.ts';
import { isBuried, isLeftover, resolve } from './resolve.ts';
import type { Session } from './session.ts';
import { kindFolder, objectPath, TOMBSTONES } from './state-path.ts';
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

const REPAIR =
  'Restore the file from a backup, or remove it: the object then starts anew, without its status.';

/**
 * An object that Git holds and that nobody controls is a schedule or something that one points to: it alone is left
 * out. Anything else may be a run, and a list of runs that is short by one could start a run twice.
 */
function isHarmlessToMiss(known: Known): boolean {
  return known.declared !== undefined && controllerOf(known.declared.manifest) === undefined;
}

function damageDiagnostic(session: Session, entry: Entry, reason: string): Diagnostic {
  const key = entry.known.declared?.key;
  const place = entry.source?.placeOf?.(['metadata', 'name']);
  return {
    code: 'StateDamaged',
    severity: 'error',
    ...(key === undefined ? {} : { object: key }),
    ...(place === undefined ? {} : { place }),
    what: damage(session, entry.path, reason),
    why: `What was recorded of ${key === undefined ? 'the object' : keyText(key)} is not known, so nothing is done for it.`,
    fix: REPAIR,
  };
}

function presentOf(session: Session, entries: readonly Entry[]): Present[] {
  const present: Present[] = [];
  for (const entry of entries) {
    const found = resolve(entry.known, session.now);
    if (found.state === 'present') present.push({ entry, found });
    if (found.state !== 'damaged') continue;
    if (!isHarmlessToMiss(entry.known))
      throw new StoreFailure('transient', damage(session, entry.path, found.reason), REPAIR);
    session.report(damageDiagnostic(session, entry, found.reason));
  }
  return present;
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

function toSourced({ entry, found }: Present, written: KubeObject | undefined): SourcedObject {
  const placeOf = entry.source?.placeOf;
  return {
    object: written ?? found.object,
    ...(placeOf === undefined || found.origin === 'store' ? {} : { placeOf }),
  };
}

/** All objects of a kind, sorted. A prepared store records first what their manifests changed. */
export async function listKind(session: Session, type: ResourceType): Promise<Listing> {
  session.listed.set(kindFolder(type.group, type.kind), type);
  if (session.refusal !== undefined) return { state: 'unreadable', reason: session.refusal.what };
  try {
    const entries = await readEntries(session, type);
    const present = presentOf(session, entries);
    const written = await session.inTurn(() => settle(session, entries, present));
    const objects = present.map((item) => toSourced(item, written.get(item.entry.path)));
    return { state: 'read', objects: objects.sort((a, b) => compareKeys(keyOf(a.object), keyOf(b.object))) };
  } catch (error) {
    if (error instanceof StoreFailure) return { state: 'unreadable', reason: error.message };
    throw error;
  }
}
