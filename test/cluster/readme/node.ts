import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { type Container, startContainer } from './container.ts';
import { bind, forget, listPods, type Pod, register, tellState } from './pods.ts';

const NAME = 'stand-in';
const PAUSE = 200;

/** Stands for the scheduler and for a node with its kubelet: pods of one namespace run as processes. */
export interface Node {
  /** From now on pods are started, where words are given until one of them says them. */
  startPods(until?: string): void;
  /** @throws what went wrong since it was started */
  stop(): Promise<void>;
}

/** `kubectl logs` asks the API server, and that asks the kubelet. */
async function serveLogs(server: ApiServer, containers: ReadonlyMap<string, Container>) {
  const folder = join(server.folder, 'certificates');
  const key = await readFile(join(folder, 'apiserver.key'));
  const cert = await readFile(join(folder, 'apiserver.crt'));
  const kubelet = createServer({ key, cert }, async (asked, reply) => {
    const { pathname } = new URL(asked.url ?? '', 'https://node');
    const [, what, namespace, pod] = pathname.split('/');
    const container = what === 'containerLogs' ? containers.get(`${namespace}/${pod}`) : undefined;
    if (container === undefined) {
      reply.writeHead(404).end();
      return;
    }
    // A tick is short, and half of its log would be of no use to whom asks.
    await container.ended;
    reply.end(container.log());
  });
  kubelet.listen(0, '127.0.0.1');
  await once(kubelet, 'listening');
  const address = kubelet.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return {
    port: address.port,
    close: () => {
      kubelet.closeAllConnections();
      kubelet.close();
    },
  };
}

function keyOf({ metadata: { namespace, name } }: Pod): string {
  return `${namespace}/${name}`;
}

/** @param images where `docker push` puts them */
export async function startNode(server: ApiServer, namespace: string, images: string): Promise<Node> {
  const containers = new Map<string, Container>();
  const kubelet = await serveLogs(server, containers);
  await register(server, NAME, kubelet.port);
  let last: string | undefined;
  let isStarting = false;
  let isStopped = false;

  async function start(pod: Pod): Promise<void> {
    if (!(await bind(server, pod, NAME))) return;
    const container = await startContainer(server, pod, images);
    containers.set(keyOf(pod), container);
    await tellState(server, pod, 'Running', { running: { startedAt: new Date().toISOString() } });
    const exitCode = await container.ended;
    const reason = exitCode === 0 ? 'Completed' : 'Error';
    const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    await tellState(server, pod, phase, { terminated: { exitCode, reason } });
    if (last !== undefined && container.log().includes(last)) isStarting = false;
  }

  async function look(): Promise<void> {
    for (const pod of await listPods(server, namespace)) {
      if (pod.metadata.deletionTimestamp !== undefined) await forget(server, pod);
      else if (pod.spec.nodeName === undefined && isStarting) await start(pod);
    }
  }

  async function work(): Promise<void> {
    while (!isStopped) {
      await look();
      await sleep(PAUSE);
    }
  }

  const working = work();
  // It is told by `stop`.
  working.catch(() => {});
  return {
    startPods: (words) => {
      last = words;
      isStarting = true;
    },
    stop: async () => {
      isStopped = true;
      kubelet.close();
      for (const { child } of containers.values()) child.kill('SIGKILL');
      await working;
    },
  };
}
