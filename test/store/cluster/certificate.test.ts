import { createServer } from 'node:https';
import { describe, expect, test } from 'vitest';
import { POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import type { Connection } from '#store/cluster/connection.ts';
import { openClusterStore } from '#store/cluster/open-cluster-store.ts';
import { selfSigned } from '#test/support/certificate.ts';
import { onLoopback } from '#test/support/on-loopback.ts';

interface Server {
  readonly url: string;
  readonly ca: string;
  /** Connections so far. */
  readonly met: () => number;
}

/** An API server without objects, whose certificate is its own authority. */
async function secureServer(): Promise<Server> {
  const own = selfSigned('server');
  const server = createServer({ cert: own.cert, key: own.key }, (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata: {}, items: [] }));
  });
  let met = 0;
  server.on('connection', () => {
    met += 1;
  });
  return { url: `https://${await onLoopback(server)}`, ca: own.cert, met: () => met };
}

const nobody = async (): Promise<Readonly<Record<string, string>>> => ({});

/** One list, and the pauses that were made between its tries. */
async function listBy(connection: Omit<Connection, 'description'>) {
  const pauses: number[] = [];
  const store = openClusterStore({
    connection: { description: 'the server', ...connection },
    clock: Date.now,
    sleep: async (ms) => {
      pauses.push(ms);
    },
  });
  const listing = await store.list(POLICY);
  await store.close();
  return { listing, pauses };
}

describe('a server that is not trusted', () => {
  test('is read where its authority is known', async () => {
    const { url, ca } = await secureServer();
    const { listing } = await listBy({ server: url, tls: { ca }, credentials: nobody });
    expect(listing.state).toBe('read');
  });

  test('is asked once: no second try makes a certificate good', async () => {
    const { url, met } = await secureServer();
    const tls = { ca: selfSigned('another').cert };
    const { listing, pauses } = await listBy({ server: url, tls, credentials: nobody });
    expect(listing).toMatchObject({
      state: 'unreadable',
      reason: expect.stringContaining('self-signed certificate'),
      fault: { fix: expect.stringContaining('certificate-authority-data') },
    });
    expect([met(), pauses]).toEqual([1, []]);
  });
});

describe('a request that cannot be sent', () => {
  const tls = { cert: 'no certificate', key: 'no key' };
  test.each<readonly [string, Partial<Connection>, RegExp]>([
    [
      'with a header over two lines',
      { credentials: async () => ({ Authorization: 'a\nb' }) },
      /Invalid character/,
    ],
    ['with a certificate that is none', { tls }, /PEM/],
  ])('%s is a failure without a second try', async (_name, parts, reason) => {
    const { url, ca, met } = await secureServer();
    const connection = { server: url, tls: { ca }, credentials: nobody, ...parts };
    const { listing, pauses } = await listBy(connection);
    expect(listing).toMatchObject({ state: 'unreadable', reason: expect.stringMatching(reason) });
    expect([met(), pauses]).toEqual([0, []]);
  });
});

test('a server that is not there is asked again', async () => {
  const { listing, pauses } = await listBy({ server: 'http://127.0.0.1:1', tls: {}, credentials: nobody });
  expect(listing.state).toBe('unreadable');
  expect(pauses.length).toBeGreaterThan(1);
});
