import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import type { DirectoryOptions } from '#store/directory/open-directory-store.ts';
import type { MemoryFiles } from '#test/fakes/memory-files.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { inTick, nightly, objectPaths, withMetadata } from '#test/store/directory/support.ts';
import { accepted, CRON_JOB, cronJob, JOB, job, listed } from '#test/store/fixtures.ts';

const WEEKLY = cronJob('harbor', 'weekly');

/** Two schedules from Git with a run each, and a run of nobody. */
async function used(more: Partial<KubeObject['metadata']> = {}): Promise<MemoryFiles> {
  const disk = memoryFiles();
  await inTick(disk, [withMetadata(nightly(), more), WEEKLY], async (store) => {
    for (const schedule of await listed(store, CRON_JOB)) {
      const run = accepted(await store.create(JOB, job('harbor', `${schedule.metadata.name}-run`, schedule)));
      accepted(await store.create(JOB, job('harbor', `${schedule.metadata.name}-child`, run)));
    }
    accepted(await store.create(JOB, job('harbor', 'of-nobody')));
  });
  return disk;
}

async function prune(
  disk: MemoryFiles,
  manifests: readonly KubeObject[],
  more: Partial<DirectoryOptions> = {},
): Promise<readonly string[]> {
  await inTick(disk, manifests, (store) => listed(store, CRON_JOB), { prune: true, ...more });
  return objectPaths(disk).map((path) =>
    path.replace('batch/', '').replace('/harbor', '').replace('.json', ''),
  );
}

const ALL = [
  'cronjob/nightly',
  'cronjob/weekly',
  'job/nightly-child',
  'job/nightly-run',
  'job/of-nobody',
  'job/weekly-child',
  'job/weekly-run',
];

describe('prune', () => {
  test('removes objects whose manifest is gone, with all that they control, and nothing else', async () => {
    expect(await prune(await used(), [WEEKLY])).toEqual([
      'cronjob/weekly',
      'job/of-nobody',
      'job/weekly-child',
      'job/weekly-run',
    ]);
  });

  test('keeps everything while all manifests are there', async () => {
    expect(await prune(await used(), [nightly(), WEEKLY])).toEqual(ALL);
  });

  test('keeps everything while some manifest cannot be read', async () => {
    expect(await prune(await used(), [WEEKLY], { complete: false })).toEqual(ALL);
  });

  test('is off unless it is asked for', async () => {
    expect(await prune(await used(), [WEEKLY], { prune: false })).toEqual(ALL);
  });

  test('knows a manifest without namespace before its kind was listed', async () => {
    const disk = memoryFiles();
    const { namespace: _namespace, ...metadata } = nightly().metadata;
    await inTick(disk, [{ ...nightly(), metadata }], (store) => listed(store, CRON_JOB));
    await inTick(disk, [{ ...nightly(), metadata }], async () => undefined, { prune: true });
    expect(objectPaths(disk)).toEqual(['batch/cronjob/default/nightly.json']);
  });

  test('marks an object with finalizers, once, and keeps what it controls', async () => {
    const disk = await used({ finalizers: ['example.com/hold'] });
    expect(await prune(disk, [WEEKLY])).toEqual(ALL);
    const before = disk.texts();
    expect([...before.values()].filter((text) => text.includes('deletionTimestamp'))).toHaveLength(1);
    await prune(disk, [WEEKLY]);
    expect(disk.texts()).toEqual(before);
  });
});
