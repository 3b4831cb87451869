import { setTimeout as sleep } from 'node:timers/promises';
import type { ResourceType } from '#core/object/resource.ts';
import type { Endpoint } from '#test/cluster/support/request.ts';
import { request } from '#test/cluster/support/request.ts';
import { until } from '#test/cluster/support/until.ts';
import { listAll, MERGE } from '#test/cluster/world/api.ts';
import { ENDS_LABEL, LASTS_LABEL } from './job-template.ts';
import { isFinished, type Job, listJobs, slotOf } from './jobs.ts';

const POD: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  singular: 'pod',
  shortNames: ['po'],
  namespaced: true,
};

interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly spec: { readonly nodeName?: string };
  readonly status: { readonly phase: string };
}

const NODE = 'made-up-node';
const PAUSE = 250;

/** Whether the pods of a Job are to end by this moment, in seconds since the epoch. */
export function isDueBy(moment: number): (job: Job) => boolean {
  return (job) => {
    const slot = slotOf(job);
    const lasts = job.spec.template.metadata.labels?.[LASTS_LABEL];
    return slot !== undefined && lasts !== undefined && slot + Number(lasts) * 60 <= moment;
  };
}

/** A pod may go in between, with its Job. */
async function send(server: Endpoint, method: string, path: string, body: object, contentType?: string) {
  const sent = await request(server, method, path, {
    body,
    ...(contentType === undefined ? {} : { contentType }),
  });
  if (sent.status >= 300 && sent.status !== 404 && sent.status !== 409) {
    throw new Error(`${method} ${path}: ${sent.status} ${sent.text}`);
  }
}

/** Binds the pod, as a scheduler does, and writes how it ended, as the kubelet of its node does. */
async function endPod(server: Endpoint, namespace: string, { metadata, spec }: Pod): Promise<void> {
  const { name, labels } = metadata;
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  if (spec.nodeName === undefined) {
    await send(server, 'POST', `${path}/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name },
      target: { apiVersion: 'v1', kind: 'Node', name: NODE },
    });
  }
  const phase = labels?.[ENDS_LABEL] ?? '';
  const exitCode = phase === 'Succeeded' ? 0 : 1;
  const container = {
    name: 'work',
    image: 'registry.example/work:1',
    imageID: '',
    ready: false,
    restartCount: 0,
    state: { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' } },
  };
  await send(server, 'PATCH', `${path}/status`, { status: { phase, containerStatuses: [container] } }, MERGE);
}

/** Plays scheduler and kubelet, of which there are none, until the Job controller has seen the end of all these Jobs. */
export async function endJobs(
  server: Endpoint,
  namespace: string,
  isDue: (job: Job) => boolean,
): Promise<void> {
  await until(
    'the Jobs whose pods ended are finished',
    async () => {
      const open = (await listJobs(server, namespace)).filter((job) => isDue(job) && !isFinished(job));
      if (open.length === 0) return true;
      const uids = new Set(open.map(({ metadata }) => metadata.uid));
      const pods = (await listAll(server, POD, namespace)) as unknown as readonly Pod[];
      const ending = pods.filter(
        ({ metadata, status }) =>
          uids.has(metadata.ownerReferences?.[0]?.uid ?? '') &&
          status.phase !== 'Succeeded' &&
          status.phase !== 'Failed',
      );
      for (const pod of ending) await endPod(server, namespace, pod);
      await sleep(PAUSE);
      return undefined;
    },
    60_000,
  );
}
