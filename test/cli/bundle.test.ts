import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const run = promisify(execFile);
const BIN = join(import.meta.dirname, '..', '..', 'node_modules', '.bin');

/** The command of `npm run build`, writing somewhere else. */
async function build(outfile: string): Promise<void> {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  const command = scripts.build.replace('dist/minutehand.mjs', outfile);
  expect(command).not.toBe(scripts.build);
  await run('/bin/sh', ['-c', command], { env: { ...process.env, PATH: `${BIN}:${process.env['PATH']}` } });
}

describe('the one bundled file', () => {
  test('does what the sources do, alone in an empty folder', async () => {
    const folder = await temporaryFolder();
    const bundle = join(folder, 'minutehand.mjs');
    await build(bundle);
    for (const name of ['plan.txt', 'plan.json'] as const) {
      const input = [
        '-f',
        'examples/etcd-defrag',
        '--now',
        '2026-11-29T03:00:20Z',
        '-o',
        name === 'plan.txt' ? 'text' : 'json',
      ];
      const source = await run(process.execPath, ['src/main.ts', 'plan', ...input]);
      const bundled = await run(process.execPath, [bundle, 'plan', ...input]);
      expect(bundled.stdout).toBe(source.stdout);
    }
    const { stdout } = await run(process.execPath, [bundle, 'version'], { cwd: folder });
    expect(stdout).toMatch(/^minutehand \d+\.\d+\.\d+ \(Node /);
  });

  test('starts where nothing can be written', async () => {
    const folder = await temporaryFolder();
    const bundle = join(folder, 'minutehand.mjs');
    await build(bundle);
    const env = {
      ...process.env,
      NODE_COMPILE_CACHE: '/dev/null/cache',
      TMPDIR: '/dev/null',
      HOME: '/dev/null',
    };
    const { stdout, stderr } = await run(process.execPath, [bundle, 'version'], { env });
    expect(stdout).toMatch(/^minutehand /);
    expect(stderr).toBe('');
  });
});
