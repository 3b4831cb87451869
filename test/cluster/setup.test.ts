import { spawnSync } from 'node:child_process';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { BINARIES, kubernetesVersion, REQUIRED } from './support/assets.ts';

const PROGRAM = fileURLToPath(new URL('./setup.ts', import.meta.url));

/** The set-up with nothing in its environment but this. */
function setUp(environment: Readonly<Record<string, string>>) {
  const options = { env: environment, encoding: 'utf8' } as const;
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [PROGRAM], options);
  return { end: status ?? signal, lines: stdout.split('\n').slice(0, -1), stderr };
}

async function executables(names: readonly string[], text = ''): Promise<string> {
  const folder = await temporaryFolder(Object.fromEntries(names.map((name) => [name, text])));
  for (const name of names) await chmod(join(folder, name), 0o755);
  return folder;
}

/** A folder for PATH whose `go` is of this version and, when it builds, does as it is told; `$6` is the output. */
function fakeGo(version: string, build = 'exit 1'): Promise<string> {
  return executables(
    ['go'],
    `#!/bin/sh
if [ "$1" = env ]; then echo ${version}; exit; fi
while [ "$1" != -o ]; do shift; done
output=$2
${build}
`,
  );
}

describe('cluster:setup with KUBEBUILDER_ASSETS', () => {
  test('says what is there, and which extras are not', async () => {
    const folder = await executables(REQUIRED);
    const { end, lines } = setUp({ KUBEBUILDER_ASSETS: folder });
    expect(end).toBe(0);
    expect(lines.slice(0, 5).map((line) => line.split(/\s+/))).toEqual([
      ...REQUIRED.map((name) => [name, join(folder, name)]),
      ['kube-controller-manager', 'MISSING'],
      ['kube-state-metrics', 'MISSING'],
    ]);
    expect(lines[5]).toContain('without kube-controller-manager');
    expect(lines[6]).toContain('without kube-state-metrics');
  });

  test('fails where one is missing that every test needs', async () => {
    const folder = await executables(['etcd', 'kubectl']);
    const { end, stderr } = setUp({ KUBEBUILDER_ASSETS: folder });
    expect(end).toBe(1);
    expect(stderr).toBe(
      `There is no kube-apiserver in KUBEBUILDER_ASSETS, ${folder}. Add what is missing, or unset KUBEBUILDER_ASSETS to build it.\n`,
    );
  });
});

describe('cluster:setup with a cache', () => {
  test('builds what is missing under its name when it is whole, with the version in it, and only once', async () => {
    const cache = await temporaryFolder();
    const go = await fakeGo(
      'go1.99.1',
      `echo "$0 $*" >>${cache}/calls; echo built >$output; /bin/chmod 755 $output`,
    );
    const folder = join(cache, 'cluster', kubernetesVersion());
    const first = setUp({ MINUTEHAND_CACHE: cache, PATH: go });
    expect(first).toMatchObject({ end: 0 });
    expect(first.lines.map((line) => line.replace(/\(built in \d+ s\)/, '(built)').split(/\s+/))).toEqual(
      BINARIES.map((name) => [name, join(folder, name), '(built)']),
    );
    expect((await readdir(folder)).sort()).toEqual([...BINARIES].sort());

    const second = setUp({ MINUTEHAND_CACHE: cache, PATH: '/nonexistent' });
    expect(second).toMatchObject({ end: 0, stderr: '' });
    expect(second.lines.map((line) => line.split(/\s+/))).toEqual(
      BINARIES.map((name) => [name, join(folder, name)]),
    );
    expect((await readFile(join(cache, 'calls'), 'utf8')).trim().split('\n')).toHaveLength(BINARIES.length);
  });

  test('lies where XDG_CACHE_HOME says, or else at home', async () => {
    const home = await temporaryFolder();
    const go = await fakeGo('go1.99.1');
    expect(setUp({ HOME: home, PATH: go }).end).toBe(1);
    expect(await readdir(join(home, '.cache', 'minutehand', 'cluster'))).toEqual([kubernetesVersion()]);
    expect(setUp({ HOME: home, XDG_CACHE_HOME: join(home, 'x'), PATH: go }).end).toBe(1);
    expect(await readdir(join(home, 'x', 'minutehand', 'cluster'))).toEqual([kubernetesVersion()]);
  });

  test('says what to do where there is no Go', async () => {
    const { end, stderr } = setUp({ MINUTEHAND_CACHE: await temporaryFolder(), PATH: '/nonexistent' });
    expect(end).toBe(1);
    expect(stderr).toMatch(/^No Go was found .* Install Go 1\.\d+ or newer .* or set KUBEBUILDER_ASSETS/);
  });

  test('says what to do where Go is too old', async () => {
    const go = await fakeGo('go1.19.4');
    const { end, stderr } = setUp({ MINUTEHAND_CACHE: await temporaryFolder(), PATH: go });
    expect(end).toBe(1);
    expect(stderr).toMatch(/^Go is too old: go1\.19\.4\. Install Go 1\.\d+ or newer/);
  });

  test('prints the last lines of a build that fails, and keeps nothing of it', async () => {
    const cache = await temporaryFolder();
    const go = await fakeGo(
      'go1.99.1',
      'i=0; while [ $i -lt 50 ]; do i=$((i+1)); echo "line $i" >&2; done; echo half >$output; exit 3',
    );
    const { end, lines, stderr } = setUp({ MINUTEHAND_CACHE: cache, PATH: go });
    expect([end, lines]).toEqual([1, []]);
    expect(stderr).toContain('etcd could not be built:\nline 3');
    expect(stderr).toMatch(/line 50\ngo build ended with 3\n$/);
    expect(await readdir(join(cache, 'cluster', kubernetesVersion()))).toEqual([]);
  });

  test('that was killed in the middle of a build has no half binary under its name', async () => {
    const cache = await temporaryFolder();
    const go = await fakeGo('go1.99.1', 'echo half >$output; kill -9 $PPID');
    expect(setUp({ MINUTEHAND_CACHE: cache, PATH: go }).end).toBe('SIGKILL');
    const left = await readdir(join(cache, 'cluster', kubernetesVersion()));
    expect(left).toEqual([expect.stringMatching(/^etcd\.\d+\.unfinished$/)]);
  });
});
