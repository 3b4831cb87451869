import { describe, expect, test } from 'vitest';
import type { MemoryFiles } from '#test/fakes/memory-files.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { inTick, nightly, openOn, STATE } from '#test/store/directory/support.ts';
import { accepted, CRON_JOB, JOB, job, listed } from '#test/store/fixtures.ts';

async function makeFolder(disk: MemoryFiles, path: string): Promise<void> {
  if (path === '') return;
  await makeFolder(disk, path.slice(0, path.lastIndexOf('/')));
  await disk.files.makeFolder(path).catch(() => undefined);
}

/** A disk whose state folder holds these files, and these folders where a name ends in a slash. */
async function diskWith(...names: readonly string[]): Promise<MemoryFiles> {
  const disk = memoryFiles();
  for (const name of names) {
    const path = `${STATE}/${name}`;
    await makeFolder(disk, path.slice(0, path.lastIndexOf('/')));
    if (!name.endsWith('/')) await disk.files.writeNew(path, '{}', true);
  }
  return disk;
}

describe('a folder without meta.json', () => {
  test.each([
    ['a file', ['README.md'], 'README.md'],
    ['a manifest', ['a.yaml'], 'a.yaml'],
    ['a hidden file', ['.gitignore'], '.gitignore'],
    ['a repository', ['.git/', 'src/'], '.git'],
    ['an empty folder', ['src/'], 'src'],
    ['a folder with a file at its top', ['src/main.ts'], 'src/main.ts'],
    ['a tree that is too deep', ['a/b/c/d/e.json'], 'a/b/c/d'],
    ['files as deep as ours that are none', ['apps/web/prod/deploy.json'], 'apps'],
    ['other files as deep as ours', ['apps/web/prod/deploy.yaml'], 'apps/web/prod/deploy.yaml'],
    ['a name that is like a temporary one', ['.0123-7.tmp'], '.0123-7.tmp'],
    ['a lock beside it', ['lock', 'notes.txt'], 'notes.txt'],
    ['many of them', ['a.md', 'b.md', 'c.md', 'd.md', 'e.md'], 'a.md, b.md, c.md and 2 more'],
  ])('that holds %s is refused by reason and remedy, and not touched', async (_case, names, shown) => {
    const disk = await diskWith(...names);
    const before = disk.texts();
    const writes = disk.operations().length;
    const store = await openOn(disk, [nightly()]);
    const diagnostic = {
      code: 'StateUnusable',
      severity: 'error',
      what: `The state folder ${STATE} cannot be used: it has no meta.json and holds what is not ours: ${shown}.`,
      why: 'a tick writes and removes files there, and must not do that among the files of somebody else',
      fix: 'Name a new or empty folder with --state. If this is one whose meta.json was lost, restore that file.',
    };
    expect(await store.prepare()).toEqual({ ok: false, diagnostic });
    expect(await store.list(CRON_JOB)).toEqual({ state: 'unreadable', reason: diagnostic.what });
    await store.close();
    expect(disk.texts()).toEqual(before);
    const verbs = disk
      .operations()
      .slice(writes)
      .map(({ verb }) => verb);
    expect(verbs.filter((verb) => verb !== 'read' && verb !== 'list')).toEqual([]);
  });

  test.each([
    ['nothing', []],
    ['lost+found of a fresh volume', ['lost+found/']],
    ['what a first tick left that was killed', ['.lock-0123456789abcdef.tmp', '.0123456789ab-1.tmp']],
    ['a lock that was being taken over', [`lock.${'0'.repeat(32)}`]],
    ['a torn lock', ['lock']],
  ])('that holds %s is a new one', async (_case, names) => {
    const disk = await diskWith(...names);
    await inTick(disk, [nightly()], (store) => listed(store, CRON_JOB));
    expect([...disk.texts().keys()].sort()).toEqual([
      `${STATE}/batch/cronjob/harbor/nightly.json`,
      `${STATE}/meta.json`,
    ]);
  });

  test('is still ours while its objects are, also beside a damaged one', async () => {
    const disk = memoryFiles();
    await inTick(disk, [nightly()], async (store) => {
      const [schedule] = await listed(store, CRON_JOB);
      accepted(await store.create(JOB, job('harbor', 'run', schedule)));
    });
    await disk.files.remove(`${STATE}/meta.json`);
    await disk.files.remove(`${STATE}/batch/cronjob/harbor/nightly.json`);
    await disk.files.writeNew(`${STATE}/batch/cronjob/harbor/nightly.json`, '{', true);
    await inTick(disk, [nightly()], async (store) => expect(await listed(store, JOB)).toHaveLength(1));
  });

  test('that another process fills between two looks is its state folder, not that of a stranger', async () => {
    const disk = memoryFiles();
    await inTick(disk, [nightly()], (store) => listed(store, CRON_JOB));
    let looks = 0;
    const store = await openOn(disk, [nightly()], {
      files: {
        ...disk.files,
        read: async (path) => {
          looks += path.endsWith('/meta.json') ? 1 : 0;
          if (looks === 1) throw Object.assign(new Error('not yet'), { code: 'ENOENT' });
          return disk.files.read(path);
        },
      },
    });
    expect(await listed(store, CRON_JOB)).toHaveLength(1);
    expect(store.diagnostics()).toEqual([]);
  });
});
