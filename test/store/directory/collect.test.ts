import { describe, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { controllerReference } from '#core/object/owner.ts';
import type { DirectoryStore } from '#store/directory/open-directory-store.ts';
import type { MemoryFiles } from '#test/fakes/memory-files.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { inTick, objectPaths, STATE, withMetadata } from '#test/store/directory/support.ts';
import { accepted, JOB, job, listed, preconditionOf } from '#test/store/fixtures.ts';

function controlledBy(object: KubeObject, owner: KubeObject): KubeObject {
  return withMetadata(object, { ownerReferences: [controllerReference(owner)] });
}

async function deleteJob(store: DirectoryStore, name: string): Promise<void> {
  const run = (await listed(store, JOB)).find((object) => object.metadata.name === name);
  if (run === undefined) throw new Error(`there is no ${name}`);
  accepted(await store.delete(JOB, keyOf(run), preconditionOf(run)));
}

function left(disk: MemoryFiles): readonly string[] {
  return objectPaths(disk).map((path) => path.slice(path.lastIndexOf('/') + 1, -'.json'.length));
}

const A = withMetadata(job('harbor', 'a'), { uid: 'uid-a' });
const B = withMetadata(job('harbor', 'b'), { uid: 'uid-b' });

describe('deleting what an object controls', () => {
  test('ends where two objects control each other', async () => {
    const disk = memoryFiles();
    await inTick(disk, [controlledBy(A, B), controlledBy(B, A)], async (store) => {
      await deleteJob(store, 'a');
      expect(await listed(store, JOB)).toEqual([]);
    });
  });

  test('ends where an object controls itself', async () => {
    const disk = memoryFiles();
    await inTick(disk, [controlledBy(A, A)], (store) => deleteJob(store, 'a'));
    await inTick(disk, [], (store) => listed(store, JOB));
    expect(left(disk)).toEqual([]);
  });

  test('does not reach into another namespace', async () => {
    const disk = memoryFiles();
    const elsewhere = controlledBy(job('orchard', 'b'), A);
    await inTick(disk, [A, elsewhere], async (store) => {
      await deleteJob(store, 'a');
      expect((await listed(store, JOB)).map((object) => object.metadata.name)).toEqual(['b']);
    });
  });

  test('does not take an owner that is no controller for one', async () => {
    const disk = memoryFiles();
    const { controller: _controller, ...reference } = controllerReference(A);
    await inTick(disk, [A, withMetadata(B, { ownerReferences: [reference] })], async (store) => {
      await deleteJob(store, 'a');
      expect((await listed(store, JOB)).map((object) => object.metadata.name)).toEqual(['b']);
    });
  });

  test('looks again at an object that was given to somebody else meanwhile', async () => {
    const disk = memoryFiles();
    await inTick(disk, [], async (store) => {
      const a = accepted(await store.create(JOB, job('harbor', 'a')));
      accepted(await store.create(JOB, job('harbor', 'x')));
      const b = accepted(await store.create(JOB, job('harbor', 'b', a)));
      await deleteJob(store, 'x');
      const path = `${STATE}/batch/job/harbor/b.json`;
      const text = (disk.texts().get(path) ?? '').replace(a.metadata.uid ?? '', 'uid-of-somebody');
      await disk.files.remove(path);
      await disk.files.writeNew(path, text, true);
      await deleteJob(store, 'a');
      expect((await listed(store, JOB)).map((object) => object.metadata.uid)).toEqual([b.metadata.uid]);
    });
  });

  test('leaves a tombstone for each that a manifest spells out', async () => {
    const disk = memoryFiles();
    const manifests = [A, controlledBy(B, A)];
    await inTick(disk, manifests, (store) => deleteJob(store, 'a'));
    expect(objectPaths(disk)).toEqual([
      '.deleted/batch/job/harbor/a.json',
      '.deleted/batch/job/harbor/b.json',
    ]);
    expect(await inTick(disk, manifests, (store) => listed(store, JOB))).toEqual([]);
  });

  test('holds on to what an object with finalizers controls, and takes the rest', async () => {
    const disk = memoryFiles();
    await inTick(disk, [], async (store) => {
      const owner = accepted(await store.create(JOB, job('harbor', 'owner')));
      const held = withMetadata(job('harbor', 'held', owner), { finalizers: ['example.com/hold'] });
      const kept = accepted(await store.create(JOB, held));
      accepted(await store.create(JOB, job('harbor', 'below', kept)));
      accepted(await store.create(JOB, job('harbor', 'free', owner)));
      await deleteJob(store, 'owner');
    });
    expect(left(disk)).toEqual(['below', 'held']);
  });
});
