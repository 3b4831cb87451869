import type { ObjectKey, SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { mapBounded } from './bounded.ts';
import type { Known, Tombstone } from './resolve.ts';
import type { Session } from './session.ts';
import type { Stored } from './state-object.ts';
import { folderOf, kindFolder, objectPath, TOMBSTONES, tombstonePath } from './state-path.ts';
import type { NamespaceFolder } from './state-reader.ts';
import { StoreFailure } from './store-failure.ts';

/** Everything that is known under one key of a kind. */
export interface Entry {
  readonly path: string;
  readonly source: SourcedObject | undefined;
  readonly known: Known;
}

/** A folder of a namespace that could not be read, so that nobody knows what it holds. */
export interface UnreadFolder {
  /** Relative to the state folder. */
  readonly folder: string;
  readonly reason: string;
}

export interface Entries {
  readonly entries: readonly Entry[];
  readonly unread: readonly UnreadFolder[];
}

type Damaged = Extract<Stored, { state: 'damaged' }>;

interface Tombstones {
  readonly read: ReadonlyMap<string, Tombstone>;
  /** By the path of the object: its tombstone is there and says nothing. */
  readonly damaged: ReadonlyMap<string, Damaged>;
  readonly folders: readonly NamespaceFolder[];
}

async function readTombstones(session: Session, folder: string): Promise<Tombstones> {
  const folders = await session.reader.namespacesOfKind(`${TOMBSTONES}/${folder}`);
  const paths = folders.flatMap((one) => one.paths).map((path) => path.slice(TOMBSTONES.length + 1));
  const read = new Map<string, Tombstone>();
  const damaged = new Map<string, Damaged>();
  await mapBounded(paths, 16, async (path) => {
    try {
      read.set(path, (await session.reader.tombstone(path)) ?? { uid: undefined });
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      const reason = error.reason;
      damaged.set(path, { state: 'damaged', reason, file: tombstonePath(path) });
    }
  });
  return { read, damaged, folders };
}

function declaredOf(
  session: Session,
  type: ResourceType,
): ReadonlyMap<string, { readonly key: ObjectKey; readonly source: SourcedObject }> {
  const declared = new Map<string, { readonly key: ObjectKey; readonly source: SourcedObject }>();
  for (const item of session.manifests.ofType(type)) {
    const path = objectPath(item.key);
    if (!declared.has(path)) declared.set(path, item);
  }
  return declared;
}

/** What is recorded of the objects of a kind, with what Git says of them; a fault stays with what it is a fault of. */
export async function readEntries(session: Session, type: ResourceType): Promise<Entries> {
  const folder = kindFolder(type.group, type.kind);
  const [folders, tombstones] = await Promise.all([
    session.reader.namespacesOfKind(folder),
    readTombstones(session, folder),
  ]);
  const unread = [...folders, ...tombstones.folders].flatMap((one): readonly UnreadFolder[] =>
    one.fault === undefined ? [] : [{ folder: one.folder, reason: one.fault }],
  );
  const reasons = new Map(unread.map((one) => [one.folder.replace(`${TOMBSTONES}/`, ''), one.reason]));
  const stored = await session.reader.storedAt(folders.flatMap((one) => one.paths));
  const declared = declaredOf(session, type);
  const all = new Set([
    ...declared.keys(),
    ...stored.keys(),
    ...tombstones.read.keys(),
    ...tombstones.damaged.keys(),
  ]);
  const storedAt = (path: string): Stored => {
    const reason = reasons.get(folderOf(path));
    if (reason !== undefined) return { state: 'damaged', reason };
    return tombstones.damaged.get(path) ?? stored.get(path) ?? { state: 'missing' };
  };
  const entries = [...all].map((path): Entry => {
    const item = declared.get(path);
    const known: Known = {
      declared: item === undefined ? undefined : { key: item.key, manifest: item.source.object },
      stored: storedAt(path),
      tombstone: tombstones.read.get(path),
    };
    return { path, source: item?.source, known };
  });
  return { entries, unread };
}
