import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startReceiver } from '#test/support/receiver.ts';
import { WHEN, world } from './ticking.ts';

const MAIN = resolve(import.meta.dirname, '..', '..', '..', 'src', 'main.ts');

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function start(more: readonly string[], preload: readonly string[] = []) {
  const cwd = await world();
  const argv = [...preload, MAIN, 'reconcile', '-f', 'in', '--state', 'state', ...WHEN, ...more];
  const child = spawn(process.execPath, argv, { cwd, env: { PATH: process.env['PATH'] } });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (piece) => {
    text.stdout += piece;
  });
  child.stderr.on('data', (piece) => {
    text.stderr += piece;
  });
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, ...text }));
  return { child, ended };
}

// That these end at all is what they show: whoever waits for such a receiver waits for ever.

test('the process ends behind a receiver that hangs, with the exit code of its tick', async () => {
  const { url } = await startReceiver('hang');
  const { ended } = await start(['--pushgateway', url, '--ping-fail', url, '--fail-on', 'invalid']);
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(3);
  expect(stdout).toMatch(/changes applied\.\n$/);
  expect(stderr.match(/no answer within 2 s\n/g)).toHaveLength(2);
});

test('told to end while it pushes, the process lets go at once', async () => {
  const { url, received } = await startReceiver('hang');
  const { child, ended } = await start(['--ping', url]);
  while (received.length === 0) await new Promise((done) => setTimeout(done, 5));
  child.kill('SIGTERM');
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/changes applied\.\n$/);
  expect(stderr).toContain('did not go through: stopped before there was an answer\n');
});

/** A name server that never answers: the lookup goes on, and nobody can take it back. */
const HANGING_LOOKUP = `
  import dns from 'node:dns';
  dns.lookup = () => { setInterval(() => {}, 1e6); };
`;

test('the process ends although a name is still being looked up', async () => {
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(HANGING_LOOKUP)}`];
  const { ended } = await start(['--ping', 'http://ping.invalid/'], preload);
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/changes applied\.\n$/);
  expect(stderr).toContain('the ping to ping.invalid did not go through: no answer within 2 s\n');
});

test('a process in a pod logs JSON of its own accord', async () => {
  const cwd = await world();
  const argv = [MAIN, 'reconcile', '-f', 'in', '--state', join(cwd, 'state'), ...WHEN];
  const child = spawn(process.execPath, argv, {
    cwd,
    env: { PATH: process.env['PATH'], KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' },
  });
  let stdout = '';
  child.stdout.on('data', (piece) => {
    stdout += piece;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).type).at(-1)).toBe('tick');
});
