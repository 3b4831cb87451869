import type { ResourceType } from '#core/object/resource.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { request } from '#test/cluster/support/request.ts';
import { listAll, MERGE, must, read } from '#test/cluster/world/api.ts';

function core(kind: string, plural: string): ResourceType {
  const singular = kind.toLowerCase();
  return { group: '', version: 'v1', kind, plural, singular, shortNames: [], namespaced: true };
}

const POD = core('Pod', 'pods');
const CONFIG_MAP = core('ConfigMap', 'configmaps');

/** As much of a pod as it takes to carry it out: one container, and folders out of ConfigMaps. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly serviceAccountName: string;
    readonly containers: readonly [
      {
        readonly name: string;
        readonly image: string;
        readonly args: readonly string[];
        readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
      },
    ];
    readonly volumes: readonly { readonly name: string; readonly configMap: { readonly name: string } }[];
  };
}

export async function listPods(server: ApiServer, namespace: string): Promise<readonly Pod[]> {
  return (await listAll(server, POD, namespace)) as unknown as readonly Pod[];
}

export async function configMapData(
  server: ApiServer,
  namespace: string,
  name: string,
): Promise<Readonly<Record<string, string>>> {
  const { data } = await read(server, { type: CONFIG_MAP, namespace, name });
  return data as Readonly<Record<string, string>>;
}

function pathOfPod({ metadata: { namespace, name } }: Pod): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

/** A pod may be deleted in between, by its Job or with its namespace. */
async function send(server: ApiServer, method: string, path: string, body: object, contentType?: string) {
  const sent = await request(server, method, path, {
    body,
    ...(contentType === undefined ? {} : { contentType }),
  });
  if (sent.status >= 300 && sent.status !== 404 && sent.status !== 409) {
    throw new Error(`${method} ${path}: ${sent.status} ${sent.text}`);
  }
  return sent.status < 300;
}

/** What a scheduler does. */
export function bind(server: ApiServer, pod: Pod, node: string): Promise<boolean> {
  const { name } = pod.metadata;
  return send(server, 'POST', `${pathOfPod(pod)}/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name },
    target: { apiVersion: 'v1', kind: 'Node', name: node },
  });
}

/** What a kubelet tells of a pod whose container is in this state. */
export async function tellState(
  server: ApiServer,
  pod: Pod,
  phase: 'Running' | 'Succeeded' | 'Failed',
  state: object,
): Promise<void> {
  const [{ name, image }] = pod.spec.containers;
  const container = { name, image, imageID: image, ready: false, restartCount: 0, state };
  await send(
    server,
    'PATCH',
    `${pathOfPod(pod)}/status`,
    { status: { phase, containerStatuses: [container] } },
    MERGE,
  );
}

/** The last word of a kubelet about a pod that is to go: it is gone. */
export async function forget(server: ApiServer, pod: Pod): Promise<void> {
  const preconditions = { uid: pod.metadata.uid };
  await send(server, 'DELETE', pathOfPod(pod), { gracePeriodSeconds: 0, preconditions });
}

/** A node whose kubelet is asked for logs on this port of this machine. */
export async function register(server: ApiServer, name: string, port: number): Promise<void> {
  await must(server, 'POST', '/api/v1/nodes', { metadata: { name } });
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  await must(server, 'PATCH', `/api/v1/nodes/${name}/status`, { status }, MERGE);
}
