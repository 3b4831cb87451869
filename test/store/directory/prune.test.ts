import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { DirectoryOptions, DirectoryStore } from '#store/directory/open-directory-store.ts';
import type { MemoryFiles } from '#test/fakes/memory-files.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { inTick, nightly, objectPaths, openOn, withMetadata } from '#test/store/directory/support.ts';
import { accepted, CRON_JOB, cronJob, JOB, job, listed } from '#test/store/fixtures.ts';

const WEEKLY = cronJob('harbor', 'weekly');
const PRUNE = { isDry: false, isUnfinished: ({ metadata }: KubeObject) => metadata.name.endsWith('-run') };
const DRY = { ...PRUNE, isDry: true };

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
  await inTick(disk, manifests, (store) => listed(store, CRON_JOB), { prune: PRUNE, ...more });
  return objectPaths(disk).map((path) =>
    path.replace('batch/', '').replace('/harbor', '').replace('.json', ''),
  );
}

async function told(store: DirectoryStore): Promise<readonly Diagnostic[]> {
  await listed(store, CRON_JOB);
  return store.diagnostics();
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

  test('keeps everything while not one manifest was read, and says so', async () => {
    const disk = await used();
    expect(await prune(disk, [])).toEqual(ALL);
    const notes = await inTick(disk, [], told, { prune: PRUNE });
    expect(notes).toMatchObject([
      {
        code: 'ManifestGone',
        severity: 'note',
        fix: 'nothing was pruned, because not one manifest was read',
      },
    ]);
  });

  test('tells each object that went, with what it controlled, and what it left for want of a manifest', async () => {
    expect(await inTick(await used(), [WEEKLY], told, { prune: PRUNE })).toEqual([
      {
        code: 'Pruned',
        severity: 'note',
        object: { group: 'batch', kind: 'CronJob', namespace: 'harbor', name: 'nightly' },
        what: 'CronJob harbor/nightly was removed from the state, with 2 objects that it controlled: Job harbor/nightly-child, Job harbor/nightly-run (unfinished)',
        why: 'its manifest is gone, and --prune was asked for',
      },
    ]);
    expect(await inTick(await used(), [WEEKLY], told, { prune: PRUNE, complete: false })).toMatchObject([
      { code: 'ManifestGone', fix: 'nothing was pruned, because some manifest could not be read' },
    ]);
  });

  test('tells in the order of names, whatever order the files have', async () => {
    const disk = memoryFiles();
    const manifests = ['c', 'a', 'b'].map((name) => cronJob('harbor', name));
    await inTick(disk, manifests, (store) => listed(store, CRON_JOB));
    const reversed = async (path: string): ReturnType<typeof disk.files.list> =>
      [...(await disk.files.list(path))].reverse();
    const notes = await inTick(disk, [WEEKLY], told, {
      prune: PRUNE,
      files: { ...disk.files, list: reversed },
    });
    expect(notes.map(({ what }) => what)).toEqual(
      ['a', 'b', 'c'].map((name) => `CronJob harbor/${name} was removed from the state`),
    );
  });

  test('tells what a schedule controlled once, also where its run was a manifest itself', async () => {
    const disk = memoryFiles();
    const owner = withMetadata(nightly(), { uid: 'uid-1' });
    await inTick(disk, [owner, job('harbor', 'run', owner), WEEKLY], (store) => listed(store, JOB));
    await inTick(disk, [owner, job('harbor', 'run', owner), WEEKLY], (store) => listed(store, CRON_JOB));
    const notes = await inTick(disk, [WEEKLY], told, { prune: PRUNE });
    expect(notes.map(({ what }) => what)).toEqual([
      'CronJob harbor/nightly was removed from the state, with one object that it controlled: Job harbor/run',
    ]);
  });

  test('names all of many that went along', async () => {
    const disk = memoryFiles();
    await inTick(disk, [nightly(), WEEKLY], async (store) => {
      const owner = (await listed(store, CRON_JOB))[0];
      for (let run = 10; run < 23; run += 1)
        accepted(await store.create(JOB, job('harbor', `r${run}`, owner)));
    });
    const [note] = await inTick(disk, [WEEKLY], told, { prune: PRUNE });
    const names = Array.from({ length: 13 }, (_, run) => `Job harbor/r${run + 10}`);
    expect(note?.what).toMatch(new RegExp(`13 objects that it controlled: ${names.join(', ')}$`));
  });

  test('tells what is gone when the disk fails in the middle', async () => {
    const disk = await used();
    const store = await openOn(disk, [WEEKLY], {
      prune: PRUNE,
      files: {
        ...disk.files,
        remove: async (path) => {
          if (path.endsWith('/nightly.json')) throw Object.assign(new Error('no'), { code: 'EIO' });
          await disk.files.remove(path);
        },
      },
    });
    expect(await store.prepare()).toMatchObject({ ok: false, diagnostic: { code: 'StateUnusable' } });
    expect(store.diagnostics()).toMatchObject([
      {
        code: 'Pruned',
        what: 'the removal of CronJob harbor/nightly broke off, with 2 objects that it controlled: Job harbor/nightly-child, Job harbor/nightly-run (unfinished)',
      },
    ]);
  });

  test('only told, names the same, changes nothing, and lists are read without it', async () => {
    const disk = await used();
    const before = disk.texts();
    const store = await openOn(disk, [WEEKLY], { prune: DRY });
    expect((await listed(store, CRON_JOB)).map(({ metadata }) => metadata.name)).toEqual(['weekly']);
    expect((await listed(store, JOB)).map(({ metadata }) => metadata.name)).toEqual([
      'of-nobody',
      'weekly-child',
      'weekly-run',
    ]);
    expect(store.diagnostics()).toEqual([
      {
        code: 'Prunable',
        severity: 'note',
        object: { group: 'batch', kind: 'CronJob', namespace: 'harbor', name: 'nightly' },
        what: 'CronJob harbor/nightly would be removed from the state, with 2 objects that it controls: Job harbor/nightly-child, Job harbor/nightly-run (unfinished)',
        why: 'its manifest is gone, and --prune was asked for',
      },
    ]);
    await store.close();
    expect(disk.texts()).toEqual(before);
  });

  test.each([
    ['not one manifest was read', [], true],
    ['some manifest could not be read', [WEEKLY], false],
  ])('only told, says why nothing would go: %s', async (why, manifests, complete) => {
    const store = await openOn(await used(), manifests, { prune: DRY, complete });
    await listed(store, CRON_JOB);
    expect(store.diagnostics()).toMatchObject([
      { code: 'ManifestGone', fix: `nothing would be pruned, because ${why}` },
    ]);
  });

  test('only told, says what finalizers would keep', async () => {
    const disk = await used({ finalizers: ['example.com/hold'] });
    const before = disk.texts();
    const store = await openOn(disk, [WEEKLY], { prune: DRY });
    expect(store.diagnostics().map(({ what }) => what)).toEqual([
      'CronJob harbor/nightly would be marked as deleted and stay in the state until its finalizers are gone: example.com/hold',
    ]);
    expect(disk.texts()).toEqual(before);
  });

  test('is off unless it is asked for', async () => {
    expect(await prune(await used(), [WEEKLY], { prune: undefined })).toEqual(ALL);
  });

  test('knows a manifest without namespace before its kind was listed', async () => {
    const disk = memoryFiles();
    const { namespace: _namespace, ...metadata } = nightly().metadata;
    await inTick(disk, [{ ...nightly(), metadata }], (store) => listed(store, CRON_JOB));
    const notes = await inTick(disk, [{ ...nightly(), metadata }], told, { prune: PRUNE });
    expect(notes).toEqual([]);
    expect(objectPaths(disk)).toEqual(['batch/cronjob/default/nightly.json']);
  });

  test('marks an object with finalizers, once, and keeps what it controls', async () => {
    const disk = await used({ finalizers: ['example.com/hold'] });
    expect(await prune(disk, [WEEKLY])).toEqual(ALL);
    const before = disk.texts();
    expect([...before.values()].filter((text) => text.includes('deletionTimestamp'))).toHaveLength(1);
    expect(await inTick(disk, [WEEKLY], told, { prune: PRUNE })).toMatchObject([
      {
        code: 'Pruned',
        what: 'CronJob harbor/nightly is marked as deleted and stays in the state until its finalizers are gone: example.com/hold',
      },
    ]);
    expect(disk.texts()).toEqual(before);
  });
});
