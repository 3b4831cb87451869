import { describe, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import type { DirectoryStore } from '#store/directory/open-directory-store.ts';
import type { MemoryFiles } from '#test/fakes/memory-files.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { inTick, NOW, objectPaths, openOn, STATE, withMetadata } from '#test/store/directory/support.ts';
import { accepted, JOB, job, listed, preconditionOf } from '#test/store/fixtures.ts';

const RUN = job('harbor', 'run');
const TOMB = '.deleted/batch/job/harbor/run.json';
const FILE = 'batch/job/harbor/run.json';

async function deleteRun(store: DirectoryStore): Promise<KubeObject> {
  const [run] = await listed(store, JOB);
  if (run === undefined) throw new Error('there is no run');
  return accepted(await store.delete(JOB, keyOf(run), preconditionOf(run)));
}

async function names(
  disk: MemoryFiles,
  manifests: readonly KubeObject[],
  complete = true,
): Promise<readonly string[]> {
  const objects = await inTick(disk, manifests, (store) => listed(store, JOB), {
    complete,
    now: instant(NOW + 60),
  });
  return objects.map((object) => object.metadata.name);
}

async function buried(manifest = RUN): Promise<MemoryFiles> {
  const disk = memoryFiles();
  await inTick(disk, [manifest], deleteRun);
  return disk;
}

describe('a run that a manifest spells out', () => {
  test('stays deleted', async () => {
    const disk = await buried();
    expect(objectPaths(disk)).toEqual([TOMB]);
    expect(await names(disk, [RUN])).toEqual([]);
    expect(await names(disk, [RUN])).toEqual([]);
    expect(objectPaths(disk)).toEqual([TOMB]);
  });

  test('stays deleted when its manifest spells out its uid', async () => {
    const disk = await buried(withMetadata(RUN, { uid: 'uid-1' }));
    expect(await names(disk, [withMetadata(RUN, { uid: 'uid-1' })])).toEqual([]);
  });

  test.each([
    ['another uid', withMetadata(RUN, { uid: 'uid-2' })],
    ['another creation time', withMetadata(RUN, { creationTimestamp: '2026-07-01T00:00:00Z' })],
  ])('is another one with %s, and its tombstone goes', async (_case, manifest) => {
    const disk = await buried();
    expect(await names(disk, [manifest])).toEqual(['run']);
    expect(objectPaths(disk)).toEqual([FILE]);
  });

  test('has no tombstone left once its manifest is gone, so that it may come back', async () => {
    const disk = await buried();
    expect(await names(disk, [])).toEqual([]);
    expect(objectPaths(disk)).toEqual([]);
    expect(await names(disk, [RUN])).toEqual(['run']);
  });

  test('keeps its tombstone while some manifest cannot be read', async () => {
    const disk = await buried();
    await names(disk, [], false);
    expect(objectPaths(disk)).toEqual([TOMB]);
  });

  test('leaves its name to a new run, whose deletion does not bring the old one back', async () => {
    const disk = await buried();
    await inTick(disk, [RUN], async (store) => accepted(await store.create(JOB, RUN)));
    expect(await names(disk, [RUN])).toEqual(['run']);
    await inTick(disk, [RUN], deleteRun);
    expect(await names(disk, [RUN])).toEqual([]);
  });

  test.each([true, false])(
    'stays deleted when a crash left its file beside the tombstone (complete: %s)',
    async (complete) => {
      const disk = memoryFiles();
      await inTick(disk, [RUN], (store) => listed(store, JOB));
      const text = disk.texts().get(`${STATE}/${FILE}`) ?? '';
      await inTick(disk, [RUN], deleteRun);
      await disk.files.writeNew(`${STATE}/${FILE}`, text, true);
      const store = await openOn(disk, [RUN], { complete });
      expect(await store.get(JOB, keyOf(RUN))).toEqual({ state: 'missing' });
      expect(await listed(store, JOB)).toEqual([]);
      expect(await names(disk, [RUN], complete)).toEqual([]);
      expect(objectPaths(disk)).toEqual([TOMB]);
    },
  );

  test('stays deleted when the tombstone cannot be read', async () => {
    const disk = await buried();
    await disk.files.remove(`${STATE}/${TOMB}`);
    await disk.files.writeNew(`${STATE}/${TOMB}`, '{"uid":', true);
    expect(await names(disk, [withMetadata(RUN, { uid: 'uid-2' })])).toEqual([]);
  });
});

describe('a run that only the state folder holds', () => {
  test('leaves no tombstone', async () => {
    const disk = memoryFiles();
    await inTick(disk, [], async (store) => accepted(await store.create(JOB, RUN)));
    await inTick(disk, [], deleteRun);
    expect(objectPaths(disk)).toEqual([]);
  });
});
