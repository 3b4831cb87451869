import { join } from 'node:path';
import { isObject } from '#core/object/canonical.ts';
import { compareText } from '#core/object/key.ts';
import { mapBounded } from './bounded.ts';
import { codeOf } from './file-error.ts';
import type { Tombstone } from './resolve.ts';
import type { FolderEntry, StateFiles } from './state-files.ts';
import type { Stored } from './state-object.ts';
import { parseState, storedFromError } from './state-object.ts';
import { isObjectFile, isObjectFolder, namespaceOfFolder, tombstonePath } from './state-path.ts';
import { onFile, StoreFailure } from './store-failure.ts';

/** Enough to keep a disk busy, far from any limit of open files. */
const READS_IN_FLIGHT = 16;

/** What a kind has in one namespace. */
export interface NamespaceFolder {
  /** Relative to the state folder. */
  readonly folder: string;
  /** Whatever bears the name of an object file, a regular file or not; sorted. */
  readonly paths: readonly string[];
  /** Why nobody knows what is in it. */
  readonly fault?: string;
}

/** Reads of the state folder; paths are relative to it. Without a folder everything is missing. */
export interface StateReader {
  readonly stored: (path: string) => Promise<Stored>;
  readonly tombstone: (path: string) => Promise<Tombstone | undefined>;
  readonly namespacesOfKind: (folder: string) => Promise<readonly NamespaceFolder[]>;
  /** Paths of all object files of a kind, sorted; rejects when some folder of it cannot be read. */
  readonly pathsOfKind: (folder: string) => Promise<readonly string[]>;
  /** Folders `<group>/<kind>` that there are, sorted. */
  readonly kinds: () => Promise<readonly string[]>;
  readonly storedAt: (paths: readonly string[]) => Promise<ReadonlyMap<string, Stored>>;
}

function parseTombstone(text: string): Tombstone {
  try {
    const value: unknown = JSON.parse(text);
    return { uid: isObject(value) && typeof value.uid === 'string' ? value.uid : undefined };
  } catch {
    return { uid: undefined };
  }
}

export function tombstoneText(uid: string): string {
  return `${JSON.stringify({ uid }, undefined, 2)}\n`;
}

async function entriesOf(files: StateFiles, path: string): Promise<readonly FolderEntry[]> {
  try {
    const entries = await files.list(path);
    return [...entries].sort((a, b) => compareText(a.name, b.name));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function foldersOf(files: StateFiles, root: string, path: string): Promise<readonly string[]> {
  const entries = await onFile(join(root, path), 'read', () => entriesOf(files, join(root, path)));
  return entries.filter((entry) => entry.folder && isObjectFolder(entry.name)).map((entry) => entry.name);
}

async function objectFilesOf(files: StateFiles, root: string, path: string): Promise<readonly string[]> {
  const entries = await onFile(join(root, path), 'read', () => entriesOf(files, join(root, path)));
  // A folder, too: something stands there, and taking it for nothing would start a run twice.
  return entries.filter((entry) => isObjectFile(entry.name)).map((entry) => `${path}/${entry.name}`);
}

/** The name of a namespace (RFC 1123 label), or the folder of cluster-scoped objects. */
function mayBeNamespace(name: string): boolean {
  const namespace = namespaceOfFolder(name);
  return namespace !== undefined && /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)?$/.test(namespace);
}

async function readNamespace(
  files: StateFiles,
  root: string,
  folder: string,
  entry: FolderEntry,
): Promise<NamespaceFolder | undefined> {
  if (!entry.folder) {
    const fault = 'it is no folder';
    return mayBeNamespace(entry.name) ? { folder, paths: [], fault } : undefined;
  }
  if (!isObjectFolder(entry.name)) return undefined;
  try {
    return { folder, paths: await objectFilesOf(files, root, folder) };
  } catch (error) {
    if (error instanceof StoreFailure) return { folder, paths: [], fault: error.reason };
    throw error;
  }
}

async function readNamespaces(
  files: StateFiles,
  root: string,
  kind: string,
): Promise<readonly NamespaceFolder[]> {
  const entries = await onFile(join(root, kind), 'read', () => entriesOf(files, join(root, kind)));
  const read = await mapBounded(entries, READS_IN_FLIGHT, (entry) =>
    readNamespace(files, root, `${kind}/${entry.name}`, entry),
  );
  return read.flatMap((folder) => folder ?? []);
}

async function readStored(files: StateFiles, root: string, path: string): Promise<Stored> {
  try {
    return parseState(await files.read(join(root, path)), path);
  } catch (error) {
    return storedFromError(error);
  }
}

/** One that makes no sense still says that somebody deleted the object; one that cannot be read says nothing. */
async function readTombstone(files: StateFiles, root: string, path: string): Promise<Tombstone | undefined> {
  const file = join(root, tombstonePath(path));
  return onFile(file, 'read', async () => {
    try {
      return parseTombstone(await files.read(file));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      if (codeOf(error) === 'EILSEQ') return { uid: undefined };
      throw error;
    }
  });
}

async function listKinds(files: StateFiles, root: string): Promise<readonly string[]> {
  const groups = await foldersOf(files, root, '.');
  const kinds = await mapBounded(groups, READS_IN_FLIGHT, async (group) =>
    (await foldersOf(files, root, group)).map((kind) => `${group}/${kind}`),
  );
  return kinds.flat();
}

const NOTHING: StateReader = {
  stored: async () => ({ state: 'missing' }),
  tombstone: async () => undefined,
  namespacesOfKind: async () => [],
  pathsOfKind: async () => [],
  kinds: async () => [],
  storedAt: async () => new Map(),
};

export function stateReader(files: StateFiles, root: string | undefined): StateReader {
  if (root === undefined) return NOTHING;
  return {
    stored: (path) => readStored(files, root, path),
    tombstone: (path) => readTombstone(files, root, path),
    namespacesOfKind: (folder) => readNamespaces(files, root, folder),
    pathsOfKind: async (folder) => {
      const namespaces = await foldersOf(files, root, folder);
      return (
        await mapBounded(namespaces, READS_IN_FLIGHT, (name) =>
          objectFilesOf(files, root, `${folder}/${name}`),
        )
      ).flat();
    },
    kinds: () => listKinds(files, root),
    storedAt: async (paths) => {
      const read = await mapBounded(paths, READS_IN_FLIGHT, (path) => readStored(files, root, path));
      return new Map(paths.map((path, index) => [path, read[index] ?? { state: 'missing' }]));
    },
  };
}
