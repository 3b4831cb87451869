import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildBundle } from '#test/support/build-bundle.ts';

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
  readonly bundled: readonly string[];
}

/** What the repository has beside what is packed: some of each folder, and files that tools leave behind. */
const REPOSITORY = [
  'package.json',
  'package-lock.json',
  'README.md',
  'LICENSE',
  'CONTRIBUTING.md',
  'Dockerfile',
  'biome.json',
  'tsconfig.json',
  '.ci',
  'src',
  'policies',
  'examples',
  'test/build',
];
const PLANTED = [
  '.env',
  '.npmrc',
  'kubeconfig',
  '.minutehand/meta.json',
  'coverage/index.html',
  'minutehand-0.1.0.tgz',
];

let folder = '';
let packed: Packed;

async function below(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.flatMap((one) => (one.isFile() ? [join(one.parentPath, one.name)] : []));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'minutehand-package-'));
  const clone = join(folder, 'clone');
  for (const path of REPOSITORY) cpSync(path, join(clone, path), { recursive: true });
  for (const path of PLANTED) {
    mkdirSync(join(clone, path, '..'), { recursive: true });
    writeFileSync(join(clone, path), 'token: secret\n');
  }
  mkdirSync(join(clone, 'dist'));
  buildBundle(join(clone, 'dist'));
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    { cwd: clone, encoding: 'utf8' },
  );
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  const said: unknown = JSON.parse(stdout);
  packed = (Array.isArray(said) ? said : Object.values(said as object))[0];
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the package', () => {
  test('has what its README links to, or the page says where that is', () => {
    const page = readFileSync('README.md', 'utf8');
    const links = [...page.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    const paths = packed.files.map(({ path }) => path);
    const outside = links.filter(
      (link) => !paths.some((path) => path === link || path.startsWith(`${link}/`)),
    );
    expect(links.length).toBeGreaterThan(outside.length);
    expect(outside.filter((link) => !existsSync(link))).toEqual([]);
    expect(page).toContain('what else this page links to stands in the repository alone');
  });

  test('holds the program with what is in it and its licences, the policies and the schemas, and nothing else', async () => {
    const wanted = [
      'LICENSE',
      'README.md',
      'package.json',
      ...(await below(join(folder, 'clone/dist'))).map((path) => path.slice(join(folder, 'clone/').length)),
      ...(await below('policies')),
      ...(await below('examples/schemas')),
      ...(await readdir('examples'))
        .filter((name) => name.endsWith('.schema.json'))
        .map((name) => `examples/${name}`),
    ];
    expect(packed.files.map(({ path }) => path).sort()).toEqual(wanted.sort());
    expect(wanted).toEqual(
      expect.arrayContaining([
        'dist/minutehand.mjs',
        'dist/lib/program.cjs',
        'dist/sbom.cdx.json',
        'dist/THIRD-PARTY-NOTICES.txt',
        'examples/schemas/all.json',
        'policies/kustomization.yaml',
      ]),
    );
  });

  test('is built before it is packed, and asks for nothing when it is installed', () => {
    const { scripts, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(scripts.prepack).toBe('npm run build');
    for (const name of ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies'])
      expect([name, manifest[name]]).toEqual([name, undefined]);
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect([name, scripts[name]]).toEqual([name, undefined]);
  });

  test('has a program that can be started', () => {
    const program = packed.files.find(({ path }) => path === 'dist/minutehand.mjs');
    expect((program?.mode ?? 0) & 0o111).toBe(0o111);
    expect(packed.files.filter(({ mode }) => (mode & 0o022) !== 0)).toEqual([]);
  });

  test('installs without a network, and works where nothing else is', () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), '{"private":true}');
    const tarball = join(folder, packed.filename.replace('@', '').replace('/', '-'));
    const env = { ...process.env, HOME: home, npm_config_cache: join(home, '.npm'), NODE_COMPILE_CACHE: '' };
    const run = (file: string, args: readonly string[]) =>
      spawnSync(file, args, { cwd: home, env, encoding: 'utf8' });
    const offline = ['--offline', '--no-audit', '--no-fund', '--no-update-notifier'];
    const installed = run('npm', ['install', ...offline, tarball]);
    expect({ status: installed.status, stderr: installed.stderr }).toEqual({
      status: 0,
      stderr: expect.any(String),
    });
    expect(existsSync(join(home, 'node_modules/zod'))).toBe(false);
    const program = join(home, 'node_modules/.bin/minutehand');
    const version = run(program, ['version']);
    expect({ ...version, said: version.stdout }).toMatchObject({
      status: 0,
      said: expect.stringMatching(/^minutehand 0\./),
    });
    cpSync('examples/etcd-defrag', join(home, 'deploy'), { recursive: true });
    const plan = run(program, ['plan', '-f', 'deploy', '--now', '2026-11-29T03:00:20Z']);
    expect({ status: plan.status, stdout: plan.stdout }).toEqual({
      status: 0,
      stdout: readFileSync('examples/etcd-defrag/expected/plan.txt', 'utf8'),
    });
  }, 60_000);
});
