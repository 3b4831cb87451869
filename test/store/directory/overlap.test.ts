import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { overlapOf } from '#store/directory/overlap.ts';
import { machineFiles } from '#store/directory/state-files.ts';
import { memoryFiles } from '#test/fakes/memory-files.ts';
import { openOn, STATE } from '#test/store/directory/support.ts';
import { CRON_JOB } from '#test/store/fixtures.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

describe('the state folder and what manifests are read from', () => {
  const SAME = 'manifests are read from the same folder';
  test.each([
    ['the same folder', 'deploy', ['deploy'], SAME],
    ['the same folder by another path', './deploy/../deploy/', ['deploy'], SAME],
    ['the same folder by a link', 'link', ['deploy'], SAME],
    ['a folder in it', '.', ['deploy'], '/deploy, which manifests are read from, lies in it'],
    [
      'a file in it',
      'deploy',
      ['deploy/a.yaml'],
      '/deploy/a.yaml, which manifests are read from, lies in it',
    ],
    ['one of several', 'deploy', ['other', 'deploy/a.yaml'], '/deploy/a.yaml, which'],
    ['a folder that is missing in it', 'new', ['new/a'], '/new/a, which'],
    ['a missing folder in a linked one', 'link/new', ['deploy/new'], SAME],
    ['a folder above it', 'deploy/state', ['deploy'], undefined],
    ['a folder beside it whose name goes on', 'deploy', ['deploy-2'], undefined],
    ['nothing', 'deploy', [], undefined],
  ])('%s: %s', async (_case, state, sources, what) => {
    const cwd = await temporaryFolder({ 'deploy/a.yaml': '' });
    await mkdir(join(cwd, 'other'));
    await symlink('deploy', join(cwd, 'link'));
    const paths = sources.map((path) => join(cwd, path));
    const found = await overlapOf(machineFiles, join(cwd, state), paths);
    if (what === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(what);
  });

  test('that lie in it make the store refuse, before anything is made', async () => {
    const disk = memoryFiles();
    const store = await openOn(disk, [], { sources: [STATE] });
    expect(await store.prepare()).toMatchObject({
      ok: false,
      diagnostic: {
        code: 'StateUnusable',
        what: `The state folder ${STATE} cannot be used: manifests are read from the same folder.`,
        fix: 'name another folder with --state, below or beside the manifests',
      },
    });
    expect(await store.list(CRON_JOB)).toMatchObject({ state: 'unreadable' });
    expect(disk.texts().size).toBe(0);
  });
});
