import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeProblem } from '#cli/node-version.ts';
import { buildBundle } from '#test/support/build-bundle.ts';
import { preload } from '#test/support/preload.ts';
import { runMinutehand } from '#test/support/run-cli.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const CASES: readonly (readonly string[])[] = [
  ['--help'],
  ['plan', '-f', 'examples/etcd-defrag', '--now', '2026-11-29T03:00:20Z'],
  ['plan', '-f', 'examples/etcd-defrag', '-o', 'json', '--now', '2026-11-29T03:00:20Z'],
  ['explain', 'cj/pg-backup', '-f', 'examples/cron-job-dump', '--now', '2026-10-29T00:30:20Z'],
  ['next', '-f', 'examples/cron-job-dump', '--now', '2026-10-29T00:30:20Z'],
  ['timeline', '-f', 'examples/cron-job-dump', '-o', 'html', '--now', '2026-10-29T00:30:20Z'],
  ['validate', '-f', 'examples/demo/manifests'],
  ['plan', '--now', 'z\u001b[31m\u202e\r'],
  ['plan', '--bogus'],
  ['plan', '-o', 'xml'],
  ['reconcile', '--dry-run'],
  ['explain', 'a', 'b', 'c'],
  ['paln'],
];

const OLD = '20.20.2';
/** Makes this Node say that it is an old one. */
const PRETEND = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${OLD}' } })`;

/** A real one, where this machine has one; it also lacks functions, and not all of them may be imported by name. */
function oldNode(): { readonly path: string; readonly version: string } | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, 'node');
    const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    const version = status === 0 ? stdout.trim().slice(1) : '';
    if (version !== '' && nodeProblem(version) !== undefined) return { path, version };
  }
  return undefined;
}

const old = oldNode();

describe('the bundled file', () => {
  let folder = '';
  let bundle = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'minutehand-bundle-'));
    // Minifying must not change what is said.
    bundle = buildBundle(folder);
  }, 120_000);

  afterAll(() => rm(folder, { recursive: true }));

  test.each(CASES.map((argv) => ({ line: JSON.stringify(argv.join(' ')), argv })))(
    'says what the sources say: $line',
    async ({ argv }) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [bundle, ...argv], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      const source = await runMinutehand(argv);
      expect({ code: status, stdout, stderr }).toEqual(source);
    },
  );

  test.each([['version'], ['plan'], []])('says to a Node that is too old what it needs: %s', (...argv) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...preload(PRETEND), bundle, ...argv], {
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 64,
      stdout: '',
      stderr: `error: ${nodeProblem(OLD)}\n`,
    });
  });

  test.skipIf(old === undefined)('says it to the old Node of this machine as well', () => {
    const { path = '', version = '' } = old ?? {};
    const { status, stdout, stderr } = spawnSync(path, [bundle, 'version'], { encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({
      status: 64,
      stdout: '',
      stderr: `error: ${nodeProblem(version)}\n`,
    });
  });
});
