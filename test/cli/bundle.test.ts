import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildBundle } from '#test/support/build-bundle.ts';
import { runMinutehand } from '#test/support/run-cli.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const CASES: readonly (readonly string[])[] = [
  ['--help'],
  ['plan', '-f', 'examples/etcd-defrag', '--now', '2026-11-29T03:00:20Z'],
  ['plan', '-f', 'examples/etcd-defrag', '-o', 'json', '--now', '2026-11-29T03:00:20Z'],
  ['explain', 'cj/pg-backup', '-f', 'examples/cron-job-dump', '--now', '2026-10-29T00:30:20Z'],
  ['next', '-f', 'examples/cron-job-dump', '--now', '2026-10-29T00:30:20Z'],
  ['validate', '-f', 'examples/demo/manifests'],
  ['plan', '--now', 'z\u001b[31m\u202e\r'],
  ['plan', '--bogus'],
  ['plan', '-o', 'xml'],
  ['reconcile', '--dry-run'],
  ['explain', 'a', 'b', 'c'],
  ['paln'],
];

describe('the bundled file', () => {
  let folder = '';
  let bundle = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'minutehand-bundle-'));
    // Minifying must not change what is said.
    bundle = buildBundle(folder);
  });

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
});
