import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { onLoopback } from '#test/support/on-loopback.ts';
import { plainKubeconfig } from '#test/support/plain-kubeconfig.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { kubeconfigOf, plugin } from './kubeconfig-case.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
const NOW = '2026-11-30T03:00:20Z';

/** More of them than are written side by side. */
const AT_ONCE = 16;
const NAMES = Array.from({ length: AT_ONCE + 4 }, (_, index) => `p-${String(index).padStart(2, '0')}`);

function policy(name: string): KubeObject {
  return {
    apiVersion: 'etcd-operator.cozystack.io/v1alpha2',
    kind: 'EtcdDefragPolicy',
    metadata: { name, namespace: 'vault', uid: `uid-${name}`, creationTimestamp: '2026-11-29T12:00:00Z' },
    spec: { clusterRef: { name: 'kv' }, schedule: '0 3 * * *' },
  };
}

/**
 * Stands before the server; a request is answered once `hold` has settled.
 * @returns its URL
 */
async function gate(upstream: string, hold: (request: IncomingMessage) => Promise<void>): Promise<string> {
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    await hold(request);
    const body = Buffer.concat(parts);
    const answer = await fetch(`${upstream}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': request.headers['content-type'] ?? 'application/json' },
      ...(body.length === 0 ? {} : { body }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  };
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  return `http://${await onLoopback(server)}`;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One tick as a process of its own, which is told to end when the first request that is meant arrives. */
async function stoppedAt(
  isMeant: (request: IncomingMessage) => boolean,
  answered: boolean,
): Promise<Ended & { readonly objects: readonly KubeObject[] }> {
  const objects = NAMES.map(policy);
  const server = await fakeApiServer({ kinds: [POLICY, DEFRAG], objects });
  let tell: () => void = () => {};
  const ended = new Promise<void>((settle) => {
    tell = settle;
  });
  let taken: Promise<unknown> | undefined;
  let stop: () => void = () => {};
  const before = await gate(server.url, async (request) => {
    if (!isMeant(request)) return;
    if (taken === undefined) stop();
    // Answered only after the signal was taken, or never.
    taken ??= answered ? new Promise((settle) => setTimeout(settle, 500)) : ended;
    await taken;
  });
  const folder = await temporaryFolder({
    config: plainKubeconfig(before),
  });
  const args = ['src/main.ts', 'reconcile', '--kubeconfig', join(folder, 'config'), '--now', NOW];
  const child = spawn(process.execPath, args, { cwd: ROOT });
  stop = () => child.kill('SIGTERM');
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (part) => {
    text.stdout += String(part);
  });
  child.stderr.on('data', (part) => {
    text.stderr += String(part);
  });
  const [code] = await once(child, 'close');
  tell();
  const left = server.objects();
  await server.close();
  return { code, ...text, objects: left };
}

describe('a tick that is told to end', () => {
  test('finishes the writes that are under way, says what it left, and exits', async () => {
    const { code, stdout, stderr, objects } = await stoppedAt(({ method }) => method === 'POST', true);
    expect(code).toBe(3);
    const runs = objects.filter(({ kind }) => kind === 'EtcdDefrag').map(({ metadata }) => metadata.name);
    expect(runs.sort()).toEqual(NAMES.slice(0, AT_ONCE).map((name) => `${name}-1796007600`));
    expect(objects.filter(({ status }) => status !== undefined)).toEqual([]);
    expect(stdout).toContain('stopped before this change');
    expect(stderr).not.toContain('fault of the program');
  });

  test('gives up what it is reading, and has written nothing', async () => {
    const isList = ({ method, url }: IncomingMessage): boolean =>
      method === 'GET' && (url ?? '').includes('/etcddefrags');
    const { code, stdout, objects } = await stoppedAt(isList, false);
    expect([0, 64]).not.toContain(code);
    expect(stdout).not.toContain('+ create');
    expect(objects.every(({ kind }) => kind === 'EtcdDefragPolicy')).toBe(true);
  });

  test('does not wait for a credential plugin that hangs', async () => {
    const folder = await temporaryFolder();
    const started = join(folder, 'started');
    const script = `require('node:fs').writeFileSync(${JSON.stringify(started)}, 'x'); setInterval(() => {}, 1000)`;
    const config = join(folder, 'config');
    await writeFile(config, kubeconfigOf(plugin(script)));
    const args = ['src/main.ts', 'reconcile', '--kubeconfig', config, '--now', NOW];
    const child = spawn(process.execPath, args, { cwd: ROOT });
    const text = { stdout: '', stderr: '' };
    child.stdout.on('data', (part) => {
      text.stdout += String(part);
    });
    child.stderr.on('data', (part) => {
      text.stderr += String(part);
    });
    const closed = once(child, 'close');
    await expect.poll(() => existsSync(started), { timeout: 30_000 }).toBe(true);
    const before = performance.now();
    child.kill('SIGTERM');
    expect(await closed).toEqual([1, null]);
    // Half of what a request may take: the deadline did not end it.
    expect(performance.now() - before).toBeLessThan(5000);
    expect(text).toEqual({ stdout: '', stderr: 'Stopped before anything was written.\n' });
  });
});
