import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import { lockHolder } from '#store/directory/holder.ts';
import { metaText } from '#store/directory/meta.ts';
import type { DirectoryStore } from '#store/directory/open-directory-store.ts';
import { openDirectoryStore } from '#store/directory/open-directory-store.ts';
import { stateText } from '#store/directory/state-object.ts';
import { objectPath } from '#store/directory/state-path.ts';
import type { Seed, World } from '#test/store/contract/harness.ts';
import { describeStoreContract } from '#test/store/contract.ts';
import { seededObject } from '#test/store/seeded-object.ts';

const NOW = instant(1_780_000_000);

async function openPrepared(state: string, manifests: readonly KubeObject[]): Promise<DirectoryStore> {
  const store = await openDirectoryStore({
    manifests: manifests.map((object) => ({ object })),
    complete: true,
    state,
    now: NOW,
    holder: lockHolder(),
    clock: Date.now,
  });
  const prepared = await store.prepare();
  if (!prepared.ok) throw new Error(prepared.diagnostic.what);
  return store;
}

/** Changes the metadata of a state file behind the back of the store. */
async function editFile(
  state: string,
  key: ObjectKey,
  change: Readonly<Record<string, string>>,
): Promise<void> {
  const path = join(state, objectPath(key));
  const object: KubeObject = JSON.parse(await readFile(path, 'utf8'));
  const metadata = { ...object.metadata, ...change };
  await writeFile(path, JSON.stringify({ ...object, metadata }));
}

async function directoryWorld(state: string, manifests: readonly KubeObject[]): Promise<World> {
  let store = await openPrepared(state, manifests);
  return {
    store,
    nextTick: async () => {
      await store.close();
      store = await openPrepared(state, manifests);
      return store;
    },
    touch: (_type, key) => editFile(state, key, { resourceVersion: '900000' }),
    replace: (_type, key) => editFile(state, key, { resourceVersion: '900001', uid: 'uid-of-the-namesake' }),
    end: async () => {
      await store.close();
      await rm(state, { recursive: true, force: true });
    },
  };
}

async function newState(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'minutehand-')), 'state');
}

describeStoreContract('directory, objects from manifests', {
  namespace: 'harbor',
  knowsKinds: false,
  eventually: (check) => check(),
  world: async (seeds: readonly Seed[]) => directoryWorld(await newState(), seeds.map(seededObject)),
});

async function seedState(state: string, objects: readonly KubeObject[]): Promise<void> {
  for (const [index, object] of objects.entries()) {
    const path = join(state, objectPath(keyOf(object)));
    const metadata = {
      ...object.metadata,
      uid: `uid-${index}`,
      resourceVersion: String(index + 1),
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    };
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, stateText({ object: { ...object, metadata }, origin: 'store' }));
  }
  await mkdir(state, { recursive: true });
  await writeFile(join(state, 'meta.json'), metaText(objects.length));
}

describeStoreContract('directory, objects in the state folder only', {
  namespace: 'harbor',
  knowsKinds: false,
  eventually: (check) => check(),
  world: async (seeds: readonly Seed[]) => {
    const state = await newState();
    await seedState(state, seeds.map(seededObject));
    return directoryWorld(state, []);
  },
});
