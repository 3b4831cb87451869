import { join } from 'node:path';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { mapBounded } from './bounded.ts';
import { sha256 } from './digest.ts';
import { codeOf } from './file-error.ts';
import type { LockPlace } from './lock.ts';
import { holdsLock } from './lock.ts';
import { META, metaText, versionNumber } from './meta.ts';
import type { StateRecord } from './state-object.ts';
import { stateText } from './state-object.ts';
import { folderOf, objectPath, temporaryName, tombstonePath } from './state-path.ts';
import { tombstoneText } from './state-reader.ts';
import { onFile, StoreFailure } from './store-failure.ts';

/** Versions taken from `meta.json` at a time, so that most writes are of one file only. */
const VERSION_BLOCK = 100;
const WRITES_IN_FLIGHT = 8;
/** Files between two looks at the lock. */
const BATCH = 200;

/** Writes of the state folder, each atomic and durable. Throws `StoreFailure`; after one the old state stands. */
export interface StateWriter {
  /** Writes objects under new resource versions, in this order, and returns them with these. */
  readonly put: (records: readonly StateRecord[]) => Promise<readonly KubeObject[]>;
  /** Removes files of objects; one that is gone already is no failure. */
  readonly drop: (paths: readonly string[]) => Promise<void>;
  /** Writes the tombstone of an object. */
  readonly bury: (path: string, uid: string) => Promise<void>;
  readonly unbury: (paths: readonly string[]) => Promise<void>;
  /** A number that no object ever had or will have as its resource version. */
  readonly nextVersion: () => Promise<number>;
  readonly hasWritten: () => boolean;
  /** A number that moves on by one from one tick that writes to the next. */
  readonly turn: () => number;
}

interface WriterState {
  readonly lock: LockPlace;
  readonly digest: string;
  readonly folders: Set<string>;
  last: number;
  limit: number;
  temporaries: number;
  written: boolean;
}

async function guard(state: WriterState): Promise<void> {
  const { root } = state.lock;
  const held = await onFile(join(root, 'lock'), 'write', () => holdsLock(state.lock));
  if (!held)
    throw new StoreFailure(
      'lost',
      `The lock of ${root} is no longer ours: this tick took too long, or somebody removed it.`,
    );
}

async function makeFolder(state: WriterState, path: string): Promise<void> {
  if (path === '' || path === '.' || state.folders.has(path)) return;
  const parent = path.includes('/') ? folderOf(path) : '.';
  await makeFolder(state, parent);
  const { files, root } = state.lock;
  await onFile(join(root, path), 'write', async () => {
    try {
      await files.makeFolder(join(root, path));
      await files.syncFolder(join(root, parent));
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  });
  state.folders.add(path);
}

async function removeQuietly(state: WriterState, path: string): Promise<void> {
  try {
    await state.lock.files.remove(path);
  } catch (error) {
    // The next tick removes what could not be removed now.
    if (codeOf(error) === undefined) throw error;
  }
}

function temporaryIn(state: WriterState, folder: string): string {
  state.temporaries += 1;
  return join(state.lock.root, folder, temporaryName(state.digest, state.temporaries));
}

interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** All temporary files first, then all renames, then one sync per folder: few waits for the disk. */
async function replaceFiles(state: WriterState, targets: readonly TextFile[]): Promise<void> {
  const { files, root } = state.lock;
  const staged = targets.map(({ path, text }) => {
    const folder = path.includes('/') ? folderOf(path) : '.';
    return { path, text, folder, temporary: temporaryIn(state, folder) };
  });
  for (const folder of new Set(staged.map((file) => file.folder))) await makeFolder(state, folder);
  const failures = await mapBounded(staged, WRITES_IN_FLIGHT, (file) =>
    onFile(join(root, file.path), 'write', () => files.writeNew(file.temporary, file.text, true)).then(
      () => undefined,
      (error: unknown) => ({ error }),
    ),
  );
  const failed = failures.find((failure) => failure !== undefined);
  if (failed !== undefined) {
    for (const file of staged) await removeQuietly(state, file.temporary);
    throw failed.error;
  }
  for (const file of staged) {
    await onFile(join(root, file.path), 'write', () => files.rename(file.temporary, join(root, file.path)));
  }
  for (const folder of new Set(staged.map((file) => file.folder))) {
    await onFile(join(root, folder), 'write', () => files.syncFolder(join(root, folder)));
  }
}

/** The counter on the disk is always ahead of every object, also after a crash between the two files. */
async function takeVersion(state: WriterState, after: number): Promise<number> {
  const next = Math.max(state.last, after) + 1;
  if (next > state.limit) {
    const limit = next + VERSION_BLOCK - 1;
    await replaceFiles(state, [{ path: META, text: metaText(limit) }]);
    state.limit = limit;
  }
  state.last = next;
  return next;
}

function withVersion(object: KubeObject, version: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

async function putBatch(state: WriterState, records: readonly StateRecord[]): Promise<readonly KubeObject[]> {
  const versioned: StateRecord[] = [];
  for (const record of records) {
    const version = await takeVersion(state, versionNumber(record.object.metadata.resourceVersion));
    versioned.push({ ...record, object: withVersion(record.object, version) });
  }
  await replaceFiles(
    state,
    versioned.map((record) => ({ path: objectPath(keyOf(record.object)), text: stateText(record) })),
  );
  state.written = true;
  return versioned.map((record) => record.object);
}

async function removeFiles(state: WriterState, paths: readonly string[]): Promise<void> {
  const { files, root } = state.lock;
  const folders = new Set<string>();
  for (const path of paths) {
    await onFile(join(root, path), 'remove', async () => {
      try {
        await files.remove(join(root, path));
        folders.add(folderOf(path));
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
      }
    });
  }
  for (const folder of folders)
    await onFile(join(root, folder), 'remove', () => files.syncFolder(join(root, folder)));
  state.written = true;
}

async function inBatches<T>(
  state: WriterState,
  items: readonly T[],
  run: (batch: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += BATCH) {
    await guard(state);
    await run(items.slice(at, at + BATCH));
  }
}

/** @param last the highest resource version that may be in use */
export function stateWriter(lock: LockPlace, last: number): StateWriter {
  const digest = sha256(lock.holder);
  const state: WriterState = {
    lock,
    digest,
    folders: new Set(),
    last,
    limit: last,
    temporaries: 0,
    written: false,
  };
  return {
    put: async (records) => {
      const written: KubeObject[] = [];
      await inBatches(state, records, async (batch) => {
        written.push(...(await putBatch(state, batch)));
      });
      return written;
    },
    drop: (paths) => inBatches(state, paths, (batch) => removeFiles(state, batch)),
    bury: (path, uid) =>
      inBatches(state, [{ path: tombstonePath(path), text: tombstoneText(uid) }], (batch) =>
        replaceFiles(state, batch),
      ),
    unbury: (paths) => inBatches(state, paths.map(tombstonePath), (batch) => removeFiles(state, batch)),
    nextVersion: async () => {
      await guard(state);
      return takeVersion(state, 0);
    },
    hasWritten: () => state.written,
    turn: () => Math.floor(state.limit / VERSION_BLOCK),
  };
}
