import { createServer } from 'node:http';
import {
  type ClusterOptions,
  type ClusterStore,
  openClusterStore,
} from '#store/cluster/open-cluster-store.ts';
import { onLoopback } from '#test/support/on-loopback.ts';

/** A store on a server that speaks plain HTTP; whoever asks is let in. */
export function openOn(url: string, options: Partial<ClusterOptions> = {}): ClusterStore {
  return openClusterStore({
    connection: { description: url, server: url, tls: {}, credentials: async () => ({}) },
    clock: Date.now,
    ...options,
  });
}

const EMPTY = { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] };

/** A server that answers with these codes, one after the other; its lists are empty. */
export async function answering(...codes: readonly number[]): Promise<string> {
  const left = [...codes];
  const server = createServer((asked, reply) => {
    asked.resume();
    const code = left.shift() ?? 500;
    reply.writeHead(code, { 'Content-Type': 'application/json', 'Retry-After': '0' });
    reply.end(JSON.stringify(code === 200 ? EMPTY : { kind: 'Status', message: `no: ${code}` }));
  });
  return `http://${await onLoopback(server)}`;
}
