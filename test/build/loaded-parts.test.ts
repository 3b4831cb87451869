import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubeconfigOf } from '#test/store/cluster/kubeconfig-case.ts';
import { buildBundle } from '#test/support/build-bundle.ts';
import { preload } from '#test/support/preload.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const NOW = ['--now', '2026-11-29T03:00:20Z'];

/** Tells on the third channel which parts of the program, and which modules of Node, a process came to load. */
const HOOK = preload(`
  import { writeSync } from 'node:fs';
  import vm from 'node:vm';
  const before = new Set(process.moduleLoadList);
  const parts = [];
  const { Script } = vm;
  vm.Script = class extends Script {
    constructor(source, options) {
      super(source, options);
      parts.push(/([^/]+)\\.cjs$/.exec(options.filename)[1]);
    }
  };
  process.on('exit', () => {
    const builtins = process.moduleLoadList.filter((one) => !before.has(one) && one.startsWith('NativeModule '));
    writeSync(3, JSON.stringify({ parts, builtins: builtins.map((one) => one.slice('NativeModule '.length)) }));
  });
`);

interface Loaded {
  readonly parts: readonly string[];
  readonly builtins: readonly string[];
}

/** Modules of Node that take as long to load as a good part of a start. */
const HEAVY = ['child_process', 'crypto', 'fs/promises', 'http', 'https', 'net', 'readline', 'stream', 'tls'];
/** Checks compiled code before it is taken. */
const CHECKING = 'zlib';

describe('the parts of the built program', () => {
  let folder = '';
  let start = '';

  function loadedBy(
    argv: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Loaded & { readonly code: number | null } {
    const { status, output } = spawnSync(process.execPath, [...HOOK, start, ...argv], {
      cwd: ROOT,
      // Where Node itself keeps what it compiled plays no part.
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(folder, 'cache'), ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    return { code: status, ...(JSON.parse(String(output[3])) as Loaded) };
  }

  function heavyOf({ builtins }: Loaded): readonly string[] {
    return HEAVY.filter((one) => builtins.includes(one));
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'minutehand-parts-'));
    start = buildBundle(folder);
  }, 120_000);

  afterAll(() => rmSync(folder, { recursive: true }));

  test('are the sources, and the libraries that most starts do without', () => {
    expect(readdirSync(join(folder, 'lib')).sort()).toEqual(
      [
        ...['program', 'verbs'],
        ...['cel-js', 'client-node', 'cron-parser', 'execa', 'liquidjs', 'luxon', 're2js', 'yaml'],
      ]
        .map((name) => `${name}.cjs`)
        .sort(),
    );
  });

  test('none is loaded to tell the version', () => {
    const loaded = loadedBy(['version']);
    expect(loaded).toMatchObject({ code: 0, parts: [] });
    expect(heavyOf(loaded)).toEqual([]);
    expect(loaded.builtins).not.toContain(CHECKING);
  });

  test.each([
    ['plan', ['plan', '-f', 'examples/etcd-defrag', ...NOW], ['program', 'yaml', 'luxon']],
    ['next', ['next', '-f', 'examples/etcd-defrag', ...NOW], ['program', 'verbs', 'yaml', 'luxon']],
    ['a usage error', ['plan', '--bogus'], ['program']],
  ])('%s of manifests loads what it needs', (_name, argv, parts) => {
    const loaded = loadedBy(argv);
    expect([...loaded.parts].sort()).toEqual([...parts].sort());
    expect(heavyOf(loaded)).toEqual([]);
  });

  test('a plan in UTC needs no library of zones, one of JSON none of YAML', async () => {
    const manifests = await temporaryFolder({
      'a.json': JSON.stringify({
        apiVersion: 'etcd-operator.cozystack.io/v1alpha2',
        kind: 'EtcdDefragPolicy',
        metadata: { name: 'nightly', namespace: 'team-a' },
        spec: { clusterRef: { name: 'etcd' }, schedule: '0 3 * * *' },
      }),
    });
    const loaded = loadedBy(['plan', '-f', manifests, ...NOW]);
    expect(loaded).toMatchObject({ code: 0, parts: ['program'] });
    expect(heavyOf(loaded)).toEqual([]);
  });

  test('a tick on a state folder loads no more than it writes with', async () => {
    const state = join(await temporaryFolder(), 'state');
    const loaded = loadedBy(['reconcile', '-f', 'examples/etcd-defrag', '--state', state, ...NOW]);
    expect(loaded.code).toBe(0);
    expect([...loaded.parts].sort()).toEqual(['luxon', 'program', 'yaml']);
    expect(heavyOf(loaded).filter((one) => /http|tls|child_process/.test(one))).toEqual([]);
  });

  test.each([
    ['by itself', {}, []],
    ['through a proxy', { 'proxy-url': 'http://127.0.0.1:1' }, ['client-node']],
  ])('a kubeconfig that leads to a server %s loads what it needs', async (_name, cluster, more) => {
    const where = { server: 'https://127.0.0.1:1', ...cluster };
    const files = { kubeconfig: kubeconfigOf({ token: 'abc' }, where), config: 'retries: { budget: 1s }' };
    const here = await temporaryFolder(files);
    const flags = ['--kubeconfig', join(here, 'kubeconfig'), '--config', join(here, 'config')];
    const { parts } = loadedBy(['reconcile', ...flags, ...NOW]);
    expect([...parts].sort()).toEqual(['program', 'verbs', 'yaml', ...more].sort());
  });

  test('a tick in a pod never loads what reads kubeconfigs', () => {
    const pod = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '1' };
    expect(loadedBy(['reconcile'], pod).parts).toEqual(['program']);
  });
});
