import { POD } from '#api/resources.ts';
import type { Endpoint } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';
import { listAll, MERGE } from '#test/cluster/world/api.ts';

interface LivePod {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly spec: { readonly nodeName?: string };
  readonly status: { readonly phase: string };
}

/** What a pod does: it ends with this code, or runs on. */
export type Fate = { readonly exitCode: number } | 'runs';

/** By the name of its Job, and its index where it has one. */
export type Fates = (job: string, index: number | undefined) => Fate;

const NODE = 'made-up-node';

/** A pod may go in between. */
async function send(server: Endpoint, method: string, path: string, body: object, contentType?: string) {
  const sent = await request(server, method, path, {
    body,
    ...(contentType === undefined ? {} : { contentType }),
  });
  if (sent.status >= 300 && sent.status !== 404 && sent.status !== 409)
    throw new Error(`${method} ${path}: ${sent.status} ${sent.text}`);
}

function containerStatus(state: object, ready: boolean): object {
  return { name: 'worker', image: 'worker:1', imageID: '', ready, restartCount: 0, state };
}

function now(): string {
  return new Date().toISOString().replace(/\.\d+/, '');
}

function ended(exitCode: number): object {
  const terminated = {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: now(),
    finishedAt: now(),
  };
  return {
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: now() }],
    containerStatuses: [containerStatus({ terminated }, false)],
  };
}

function running(): object {
  return {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: now() }],
    containerStatuses: [containerStatus({ running: { startedAt: now() } }, true)],
  };
}

/** One step of one pod: bound, running, over; one that is deleted is stopped, and then gone. */
async function move(server: Endpoint, namespace: string, pod: LivePod, fates: Fates): Promise<void> {
  const { name, labels = {}, deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  const status = (body: object) => send(server, 'PATCH', `${path}/status`, { status: body }, MERGE);
  const isOver = ['Succeeded', 'Failed'].includes(pod.status.phase);
  if (deletionTimestamp !== undefined) {
    if (!isOver) await status(ended(137));
    if (deletionGracePeriodSeconds !== 0) await send(server, 'DELETE', path, { gracePeriodSeconds: 0 });
    return;
  }
  if (isOver) return;
  if (pod.spec.nodeName === undefined) {
    const target = { apiVersion: 'v1', kind: 'Node', name: NODE };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target };
    return send(server, 'POST', `${path}/binding`, binding);
  }
  if (pod.status.phase === 'Pending') return status(running());
  const index = labels['batch.kubernetes.io/job-completion-index'];
  const job = labels['batch.kubernetes.io/job-name'] ?? '';
  const fate = fates(job, index === undefined ? undefined : Number(index));
  if (fate !== 'runs') await status(ended(fate.exitCode));
}

/** Plays scheduler and kubelet, of which there are none, for a moment: every pod of a namespace gets one step on. */
export async function movePods(server: Endpoint, namespace: string, fates: Fates): Promise<void> {
  const pods = (await listAll(server, POD, namespace)) as unknown as readonly LivePod[];
  for (const pod of pods) await move(server, namespace, pod, fates);
}
