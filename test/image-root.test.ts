import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildBundle } from '#test/support/build-bundle.ts';
import { single, stagesOf } from '#test/support/dockerfile.ts';
import { CAN_SIMULATE, type Ended, makeReadOnly, makeStage, runInside } from '#test/support/image-root.ts';

/* The stages of the Dockerfile, carried out on folders; what runs sees such a folder as the root of all files. */

if (!CAN_SIMULATE) console.log('skipped: only root on Linux can run a program in the files of the image');

const [build, cache, final] = stagesOf(readFileSync('Dockerfile', 'utf8'));
let folder = '';
let root = '';

async function contents(): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.map((one) => join(one.parentPath, one.name)).sort();
  return Promise.all(
    paths.map(async (path) => `${path} ${(await stat(path)).mtimeMs} ${(await stat(path)).size}`),
  );
}

function started(...args: readonly string[]): Ended {
  if (final === undefined) throw new Error('the Dockerfile has no last stage');
  return runInside(root, final, [...JSON.parse(single(final, 'ENTRYPOINT')), ...args]);
}

describe.skipIf(!CAN_SIMULATE)('the files of the image', () => {
  beforeAll(async () => {
    if (build === undefined || cache === undefined || final === undefined)
      throw new Error('a stage is missing');
    folder = await mkdtemp(join(tmpdir(), 'minutehand-image-'));
    const dist = join(folder, 'build', single(build, 'WORKDIR'), 'dist');
    mkdirSync(dist, { recursive: true });
    buildBundle(dist);
    const places = new Map([['build', join(folder, 'build')]]);
    makeStage(join(folder, 'cache'), cache, places);
    root = join(folder, 'final');
    makeStage(root, final, places.set('cache', join(folder, 'cache')));
    cpSync('examples/etcd-defrag', join(root, 'manifests'), { recursive: true });
    makeReadOnly(root);
  }, 120_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('hold no shell, and nothing of the sources', async () => {
    const names = (await readdir(root, { recursive: true })).filter((path) => !path.startsWith('manifests/'));
    expect(
      names.filter((path) => /(?:^|\/)(?:sh|bash|busybox|node_modules|src|package\.json)$/.test(path)),
    ).toEqual([]);
  });

  test('say what is in them, under which licences', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const sbom = JSON.parse(readFileSync(join(root, 'app/sbom.cdx.json'), 'utf8'));
    expect(sbom.metadata.component).toMatchObject({ name: 'minutehand', version });
    expect(readFileSync(join(root, 'app/THIRD-PARTY-NOTICES.txt'), 'utf8')).toContain('Copyright');
    expect(readFileSync(join(root, 'app/LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
  });

  test('are enough for a plan, as a user who may write nothing', async () => {
    const before = await contents();
    const { status, stdout, stderr } = started('plan', '-f', '/manifests', '--now', '2026-11-29T03:00:20Z');
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: readFileSync('examples/etcd-defrag/expected/plan.txt', 'utf8'),
      stderr: '',
    });
    expect(await contents()).toEqual(before);
  });

  test('tell by the tick that they start without arguments that no cluster is there, and no more', () => {
    const words: readonly string[] = JSON.parse(single(final, 'CMD'));
    expect(started(...words)).toEqual({
      status: 64,
      stdout: '',
      stderr: expect.stringMatching(/^error: no cluster to read: [^\n]*\n$/),
    });
  });

  test('answer a health check', () => {
    expect(started('version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^minutehand 0\./) });
  });
});
