import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Start, StartedProcess } from './started-process.ts';
import { until } from './until.ts';

export interface Etcd extends StartedProcess {
  readonly endpoint: string;
  /** Forgets every older revision, as etcd does after five minutes: lists that are half read are gone. */
  compact(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body: { readonly header?: { readonly revision?: string } };
}

function call(socketPath: string, method: string, path: string, body?: unknown): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, method, path, agent: false }, async (reply) => {
      try {
        resolve({ status: reply.statusCode ?? 0, body: (await json(reply)) as Reply['body'] });
      } catch (error) {
        reject(error);
      }
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** etcd on a socket inside the folder: no port to collide on, and nobody else can reach it. */
export async function startEtcd(start: Start, folder: string, program: string): Promise<Etcd> {
  const socket = join(folder, 'etcd.sock');
  const started = await start(program, [
    `--data-dir=${join(folder, 'etcd')}`,
    '--name=test',
    '--initial-cluster=test=http://127.0.0.1:2380',
    '--initial-advertise-peer-urls=http://127.0.0.1:2380',
    '--listen-peer-urls=http://127.0.0.1:0',
    `--listen-client-urls=unix://${socket}`,
    // Has to be an address of host and port; nobody asks it.
    '--advertise-client-urls=http://127.0.0.1:2379',
    '--unsafe-no-fsync',
    '--log-level=warn',
  ]);
  await until('etcd is healthy', async () => {
    if (!started.isRunning()) throw new Error(`etcd ended:\n${await started.log()}`);
    const reply = await call(socket, 'GET', '/health').catch(() => undefined);
    return reply?.status === 200 ? true : undefined;
  });
  return {
    ...started,
    endpoint: `unix://${socket}`,
    compact: async () => {
      const { body } = await call(socket, 'POST', '/v3/kv/range', { key: 'AA==' });
      const revision = body.header?.revision;
      const done = await call(socket, 'POST', '/v3/kv/compaction', { revision, physical: true });
      if (done.status !== 200) throw new Error(`etcd did not compact: ${JSON.stringify(done.body)}`);
    },
  };
}
