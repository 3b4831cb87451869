import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { list, policy } from './manifests.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(
  argv: readonly string[],
  cwd: string,
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [MAIN, ...argv], { cwd, env: { ...process.env, NO_COLOR: '1' } });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (piece) => {
    text.stdout += piece;
  });
  child.stderr.on('data', (piece) => {
    text.stderr += piece;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, ...text }));
  });
  return { child, ended };
}

const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };
const NOW = ['--now', '2026-06-10T03:00:10Z'];

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('the process', () => {
  test('gives the exit code, and reads standard input to its end', async () => {
    const cwd = await temporaryFolder();
    const { child, ended } = start(['plan', '-f', '-', '-o', 'json', '--detailed-exitcode', ...NOW], cwd);
    child.stdin?.end(list(policy('p', DUE)));
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout).counts.creates).toBe(1);
  });

  test('finishes the write in flight on SIGTERM, tells what was left, exits 3 and releases the lock', async () => {
    const schedules = Array.from({ length: 120 }, (_, index) =>
      policy(`p-${String(index).padStart(3, '0')}`, DUE),
    );
    const cwd = await temporaryFolder({ 'in/a.json': list(...schedules) });
    const runs = join(cwd, 'state/etcd-operator.cozystack.io/etcddefrag/vault-a');
    const { child, ended } = start(['reconcile', '-f', 'in', '--state', 'state', ...NOW], cwd);
    await until(() => existsSync(join(runs, 'p-003-1781060400.json')));
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(3);
    expect(stdout).toMatch(/ skipped; what is left stays due for the next tick\.\n$/);
    expect(existsSync(join(cwd, 'state', 'lock'))).toBe(false);
    const done = (await readdir(runs)).length;
    expect(done).toBeGreaterThan(3);
    expect(done).toBeLessThan(120);
    const next = await start(['reconcile', '-f', 'in', '--state', 'state', ...NOW], cwd).ended;
    expect({ code: next.code, runs: (await readdir(runs)).length }).toEqual({ code: 0, runs: 120 });
  });

  test('is not disturbed by a reader that stops early', async () => {
    const cwd = await temporaryFolder({ 'a.json': list(policy('p', { spec: { schedule: '* * * * *' } })) });
    const { child, ended } = start(['next', '-f', '.', '--count', '50000', ...NOW], cwd);
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  test.skipIf(!existsSync('/dev/full')).each([
    ['plan', '', 1],
    ['reconcile', '--state state', 3],
  ])('fails when the output of %s cannot be written', async (verb, flags, want) => {
    const cwd = await temporaryFolder({ 'a.json': list(policy('p')) });
    const line = `"$0" "$1" ${verb} -f a.json ${flags} > /dev/full`;
    const child = spawn('/bin/sh', ['-c', line, process.execPath, MAIN], { cwd });
    const code = await new Promise((resolve) => {
      child.on('close', resolve);
    });
    expect(code).toBe(want);
  });

  test('may be ended by a signal while it waits for input', async () => {
    const cwd = await temporaryFolder();
    const { child } = start(['plan', '-f', '-'], cwd);
    const signal = new Promise((resolve) => {
      child.on('close', (_code, by) => resolve(by));
    });
    await new Promise((resolve) => {
      child.once('spawn', resolve);
    });
    child.kill('SIGINT');
    expect(await signal).toBe('SIGINT');
  });
});
