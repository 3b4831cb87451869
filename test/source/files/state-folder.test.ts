import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readManifests } from '#source/manifests.ts';
import { cronJob } from '#test/source/support.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const META = '{"formatVersion":1,"resourceVersion":"100"}';
const RECORD = JSON.stringify({ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'recorded' } });
const STATE = { 'state/meta.json': META, 'state/batch/cronjob/harbor/recorded.json': RECORD };

interface Read {
  readonly names: readonly string[];
  readonly found: readonly string[];
  readonly complete: boolean;
}

async function read(cwd: string, paths: readonly string[], more: object = {}): Promise<Read> {
  const { objects, diagnostics, complete } = await readManifests({ paths, recursive: true, cwd, ...more });
  return {
    names: objects.map(({ object }) => object.metadata.name).sort(),
    found: diagnostics.map(({ severity, code, what }) => `${severity} ${code}: ${what}`),
    complete,
  };
}

describe('a state folder below a folder of manifests', () => {
  test.each([
    ['of this format', META],
    ['of a newer one', '{"resourceVersion":{"shards":3},"formatVersion":2}'],
    ['written by hand', '{\n  "resourceVersion": "1",\n  "formatVersion": 1\n}\n'],
  ])('%s is not entered', async (_case, meta) => {
    const cwd = await temporaryFolder({ ...STATE, 'state/meta.json': meta, 'a.yaml': cronJob('a') });
    expect(await read(cwd, ['.'])).toEqual({ names: ['a'], found: [], complete: true });
  });

  test('is not entered at any depth, by any name', async () => {
    const cwd = await temporaryFolder({
      'm/a.yaml': cronJob('a'),
      'm/b/.minutehand/meta.json': META,
      'm/b/.minutehand/batch/cronjob/harbor/recorded.json': RECORD,
    });
    expect(await read(cwd, ['m'])).toEqual({ names: ['a'], found: [], complete: true });
  });

  test.each([
    ['has more to say', '{"formatVersion":1,"resourceVersion":"1","name":"app"}'],
    ['says less', '{"formatVersion":1}'],
    ['is a list', '["formatVersion","resourceVersion"]'],
    ['is no JSON', 'formatVersion'],
    ['is large', `{"formatVersion":1,"resourceVersion":"${'1'.repeat(5000)}"}`],
  ])('is none when its meta.json %s: its other files are read', async (_case, meta) => {
    const cwd = await temporaryFolder({ ...STATE, 'state/meta.json': meta });
    expect((await read(cwd, ['.'])).names).toEqual(['recorded']);
  });

  test('is not entered as the state folder of the tick, although its meta.json is damaged or lost', async () => {
    const { 'state/meta.json': _meta, ...rest } = STATE;
    for (const files of [rest, { ...STATE, 'state/meta.json': '{' }]) {
      const cwd = await temporaryFolder({ ...files, 'a.yaml': cronJob('a') });
      expect((await read(cwd, ['.'])).names).toEqual(['a', 'recorded']);
      for (const state of ['state', './state/', join(cwd, 'state')])
        expect(await read(cwd, ['.'], { state })).toEqual({ names: ['a'], found: [], complete: true });
    }
  });

  test('is known by its real path, whichever link leads to it or to the manifests', async () => {
    const { 'state/meta.json': _meta, ...rest } = STATE;
    const cwd = await temporaryFolder({ ...rest, 'a.yaml': cronJob('a') });
    const links = await temporaryFolder();
    await symlink(cwd, join(links, 'm'));
    await symlink(join(cwd, 'state'), join(links, 's'));
    expect((await read(links, ['m/.'], { state: 's' })).names).toEqual(['a']);
  });

  test('hides nothing beside it whose name begins alike', async () => {
    const cwd = await temporaryFolder({ ...STATE, 'state-2/b.yaml': cronJob('b') });
    expect((await read(cwd, ['.'], { state: 'state' })).names).toEqual(['b']);
  });

  test('is no sub-folder that -R would help to read', async () => {
    const cwd = await temporaryFolder(STATE);
    const { diagnostics } = await readManifests({ paths: ['.'], recursive: false, cwd });
    expect(diagnostics).toMatchObject([{ code: 'EmptyFolder', fix: 'name a folder with manifests' }]);
    await mkdir(join(cwd, 'more'));
    const again = await readManifests({ paths: ['.'], recursive: false, cwd });
    expect(again.diagnostics).toMatchObject([{ code: 'EmptyFolder', fix: 'add -R to read its sub-folders' }]);
  });
});

describe('a state folder that is named', () => {
  test.each([true, false])('is an error that says what to name (recursive: %s)', async (recursive) => {
    const cwd = await temporaryFolder({ ...STATE, 'm/a.yaml': cronJob('a') });
    const { objects, diagnostics, complete } = await readManifests({ paths: ['state', 'm'], recursive, cwd });
    expect(objects.map(({ object }) => object.metadata.name)).toEqual(['a']);
    expect(complete).toBe(false);
    expect(diagnostics).toEqual([
      {
        code: 'StateFolder',
        severity: 'error',
        what: 'state is a state folder: it holds what ticks recorded, no manifests',
        why: 'read as manifests, its files would stand for objects that are defined elsewhere',
        fix: 'name the folder with the manifests; a state folder is named by --state',
      },
    ]);
  });
});
