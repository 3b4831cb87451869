import type { KubeObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import type { DirectoryOptions, DirectoryStore } from '#store/directory/open-directory-store.ts';
import { openDirectoryStore } from '#store/directory/open-directory-store.ts';
import type { Store } from '#store/port.ts';
import type { MemoryFiles } from '#test/fakes/memory-files.ts';
import { CRON_JOB, cronJob, listed } from '#test/store/fixtures.ts';

export const STATE = '/var/state';
export const NOW = instant(1_780_000_000);

let processes = 0;

/** A store on a disk in memory, opened by a process of its own; not prepared. */
export function openOn(
  disk: MemoryFiles,
  manifests: readonly KubeObject[],
  options: Partial<DirectoryOptions> = {},
): Promise<DirectoryStore> {
  processes += 1;
  return openDirectoryStore({
    manifests: manifests.map((object) => ({ object })),
    complete: true,
    state: STATE,
    now: NOW,
    holder: `machine ${processes} test`,
    clock: () => NOW * 1000,
    files: disk.files,
    isDead: () => false,
    ...options,
  });
}

export async function openPrepared(
  disk: MemoryFiles,
  manifests: readonly KubeObject[],
  options: Partial<DirectoryOptions> = {},
): Promise<DirectoryStore> {
  const store = await openOn(disk, manifests, options);
  const prepared = await store.prepare();
  if (!prepared.ok) throw new Error(prepared.diagnostic.what);
  return store;
}

/** Runs something in a tick of its own, from prepare to close. */
export async function inTick<T>(
  disk: MemoryFiles,
  manifests: readonly KubeObject[],
  run: (store: DirectoryStore) => Promise<T>,
  options: Partial<DirectoryOptions> = {},
): Promise<T> {
  const store = await openPrepared(disk, manifests, options);
  try {
    return await run(store);
  } finally {
    await store.close();
  }
}

export function withMetadata(object: KubeObject, more: Partial<KubeObject['metadata']>): KubeObject {
  return { ...object, metadata: { ...object.metadata, ...more } };
}

export function nightly(schedule = '0 3 * * *'): KubeObject {
  return cronJob('harbor', 'nightly', { spec: { schedule } });
}

/** Paths of a disk below the state folder, without what every used folder has. */
export function objectPaths(disk: MemoryFiles): readonly string[] {
  const paths = [...disk.texts().keys()].map((path) => path.slice(STATE.length + 1));
  return paths.filter((path) => path !== 'meta.json' && path !== 'lock').sort();
}

/** The one object of a kind; throws when there are several, or none. */
export async function only(store: Store, type = CRON_JOB): Promise<KubeObject> {
  const [object, ...others] = await listed(store, type);
  if (object === undefined || others.length > 0) throw new Error(`${others.length + 1} objects or none`);
  return object;
}
