import { execFileSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type KustomizationRequest, readKustomization } from '#source/kustomization.ts';
import type { Manifests } from '#source/manifests.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob } from './support.ts';

const OVERLAY = {
  'base/kustomization.yaml': 'resources: [a.yaml]\n',
  'base/a.yaml': `${cronJob('a')}spec:\n  schedule: "0 3 * * *"\n  suspend: true\n`,
  'prod/kustomization.yaml': 'resources: [../base]\nnamespace: live\nnamePrefix: prod-\n',
};

/** Small programs in a folder that is all of the PATH. */
async function programs(
  scripts: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const folder = await temporaryFolder(
    Object.fromEntries(Object.entries(scripts).map(([name, body]) => [name, `#!/bin/sh\n${body}\n`])),
  );
  for (const name of Object.keys(scripts)) await chmod(join(folder, name), 0o755);
  return { PATH: folder };
}

async function built(
  scripts: Readonly<Record<string, string>>,
  request: Partial<KustomizationRequest> = {},
): Promise<Manifests> {
  const cwd = await temporaryFolder(OVERLAY);
  return readKustomization({ dir: 'prod', cwd, env: await programs(scripts), ...request });
}

function hasKubectl(): boolean {
  try {
    execFileSync('kubectl', ['kustomize', '--help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a kustomization', () => {
  it('is built by the real kubectl, and read as kubectl would apply it', async ({ skip }) => {
    if (!hasKubectl()) skip('kubectl is not on the PATH');
    const cwd = await temporaryFolder(OVERLAY);
    const { objects, diagnostics, complete } = await readKustomization({ dir: 'prod', cwd });
    expect({ diagnostics, complete }).toEqual({ diagnostics: [], complete: true });
    expect(objects.map(({ object }) => [object.metadata.namespace, object.metadata.name])).toEqual([
      ['live', 'prod-a'],
    ]);
    expect(objects[0]?.object.spec).toEqual({ schedule: '0 3 * * *', suspend: true });
  });

  it('that is broken is told with what the real kubectl says', async ({ skip }) => {
    if (!hasKubectl()) skip('kubectl is not on the PATH');
    const cwd = await temporaryFolder({ 'prod/kustomization.yaml': 'resources: [gone.yaml]\n' });
    const { diagnostics, complete } = await readKustomization({ dir: 'prod', cwd });
    expect(complete).toBe(false);
    expect(diagnostics).toMatchObject([{ code: 'BuildFailed', severity: 'error' }]);
    expect(diagnostics[0]?.what).toMatch(/`k.* prod` failed: .*gone\.yaml/);
    expect(diagnostics[0]?.what).not.toContain('\n');
  });

  it('is built by kustomize where it is, in the working directory, with the folder as it was given', async () => {
    const kustomize = `echo "# $PWD $*"; echo 'kind: A'; echo 'apiVersion: v1'; echo "metadata: {name: $2}"`;
    const { objects } = await built({ kustomize, kubectl: 'exit 1' });
    expect(objects.map(({ object }) => object.metadata.name)).toEqual(['prod']);
    expect(objects[0]?.placeOf?.(['metadata'])).toMatchObject({ file: 'kustomize build prod', line: 4 });
  });

  it('is built by kubectl where kustomize is not', async () => {
    const kubectl = `[ "$1" = kustomize ] && echo 'kind: A
apiVersion: v1
metadata: {name: x}'`;
    const { objects } = await built({ kubectl });
    expect(objects[0]?.placeOf?.([])).toMatchObject({ file: 'kubectl kustomize prod' });
  });

  it('without either of them says what to install', async () => {
    expect((await built({})).diagnostics).toMatchObject([
      { code: 'BuildFailed', what: 'prod cannot be built: neither kustomize nor kubectl is on the PATH' },
    ]);
  });

  it('in a folder whose name begins with a dash is no option of the builder', async () => {
    const cwd = await temporaryFolder({ '--enable-helm/kustomization.yaml': '' });
    const kustomize = `echo "{kind: A, apiVersion: v1, metadata: {name: '$2'}}"`;
    const { objects } = await built({ kustomize }, { cwd, dir: '--enable-helm' });
    expect(objects.map(({ object }) => object.metadata.name)).toEqual(['./--enable-helm']);
  });

  it.each([
    ['gone', 'gone is not a folder', /^name the folder/],
    ['prod/kustomization.yaml', 'prod/kustomization.yaml is not a folder', /^name the folder/],
    ['https://example.org/x', 'https://example.org/x is not a folder', /^only folders are built/],
  ])('%s is refused before anything is started', async (dir, what, fix) => {
    const { diagnostics } = await built({ kustomize: 'echo "kind: A"' }, { dir });
    expect(diagnostics).toMatchObject([{ code: 'BuildFailed', what, fix: expect.stringMatching(fix) }]);
  });

  it.each([
    ['gone', ['gone']],
    ['prod/kustomization.yaml/below', ['prod/kustomization.yaml/below']],
    ['prod/kustomization.yaml', []],
    ['https://example.org/x', []],
  ])('%s, where a folder may be absent: %j', async (dir, want) => {
    const { diagnostics, complete, absent } = await built({}, { dir, mayBeAbsent: true });
    expect(absent).toEqual(want);
    expect({ complete, told: diagnostics.length }).toEqual({
      complete: want.length > 0,
      told: want.length > 0 ? 0 : 1,
    });
  });
});

describe('a build that fails', () => {
  it('gives nothing, however much it printed, and what it said stands on one bounded line', async () => {
    const kustomize = `echo "kind: A
apiVersion: v1
metadata: {name: x}"
echo "first" >&2; echo "  second" >&2
i=0; while [ $i -lt 200 ]; do echo "line $i ............" >&2; i=$((i + 1)); done; exit 3`;
    const { objects, diagnostics, complete } = await built({ kustomize });
    expect({ objects, complete }).toEqual({ objects: [], complete: false });
    expect(diagnostics[0]?.what).toMatch(/^`kustomize build prod` failed: ….*; line 199 \.+$/);
    expect(diagnostics[0]?.what.length).toBeLessThan(1100);
  });

  it('by printing without end is stopped', async () => {
    const { objects, diagnostics } = await built({
      kustomize:
        'while :; do echo "kind: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"; done',
    });
    expect(objects).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: 'LimitExceeded', what: '`kustomize build prod` prints more than 16777216 bytes' },
    ]);
  });

  it('by not ending is stopped', async () => {
    const kustomize = 'while :; do :; done';
    const { diagnostics } = await built({ kustomize }, { timeoutMs: 500 });
    expect(diagnostics).toMatchObject([
      { code: 'BuildFailed', what: '`kustomize build prod` did not end within 0.5 seconds' },
    ]);
  });

  it('in what it prints is told with the place in it', async () => {
    const { objects, diagnostics } = await built({
      kustomize: 'echo "kind: A"; echo "apiVersion: v1"; echo "metadata: {name: a, name: b}"',
    });
    expect(objects).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: 'DuplicateKey', place: { file: 'kustomize build prod', line: 3 } },
    ]);
  });
});
