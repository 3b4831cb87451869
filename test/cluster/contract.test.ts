import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '#core/object/canonical.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { openClusterStore } from '#store/cluster/open-cluster-store.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import type { Store } from '#store/port.ts';
import { request } from '#test/cluster/support/request.ts';
import { describeOnServer, sharedServer } from '#test/cluster/support/with-server.ts';
import type { Seed, World } from '#test/store/contract/harness.ts';
import { describeStoreContract } from '#test/store/contract.ts';
import { CONFIG_MAP, CRON_JOB, JOB } from '#test/store/fixtures.ts';

const NAMESPACE = 'harbor';
const TYPES: readonly ResourceType[] = [CRON_JOB, JOB, CONFIG_MAP];

type Server = Awaited<ReturnType<typeof sharedServer>>;

function typeOf({ kind }: KubeObject): ResourceType {
  const type = TYPES.find((one) => one.kind === kind);
  if (type === undefined) throw new Error(`no resource for ${kind}`);
  return type;
}

async function must(server: Server, method: string, path: string, body?: unknown, contentType?: string) {
  const answer = await request(server, method, path, {
    ...(body === undefined ? {} : { body }),
    ...(contentType === undefined ? {} : { contentType }),
  });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** The status goes in two parts, as controllers write it: who owns a field is who wrote it last. */
async function plant(server: Server, { object, managers = {} }: Seed): Promise<void> {
  const type = typeOf(object);
  const { name } = object.metadata;
  const { status, ...body } = object;
  await must(server, 'POST', resourcePath(type, { namespace: NAMESPACE }, { fieldManager: 'planter' }), body);
  for (const [manager, fields] of Object.entries(managers)) {
    const all = isObject(status) ? Object.entries(status) : [];
    const owned = Object.fromEntries(all.filter(([field]) => fields.includes(field)));
    const path = resourcePath(
      type,
      { namespace: NAMESPACE, name, subresource: 'status' },
      { fieldManager: manager },
    );
    await must(server, 'PATCH', path, { status: owned }, 'application/merge-patch+json');
  }
}

function open(server: Server): Store {
  return openClusterStore({
    connection: {
      description: server.url,
      server: server.url,
      tls: { ca: server.ca },
      credentials: async () => ({ Authorization: `Bearer ${server.adminToken}` }),
    },
    reach: { namespaces: [NAMESPACE], fallback: [] },
    fieldValidation: 'Strict',
    clock: Date.now,
  });
}

/** Until nothing of ours is left: a world starts empty. */
async function clear(server: Server): Promise<void> {
  for (const type of TYPES) {
    const path = resourcePath(type, { namespace: NAMESPACE });
    const { items = [] } = await must(server, 'GET', path);
    for (const { metadata } of items) {
      const one = resourcePath(type, { namespace: NAMESPACE, name: metadata?.name ?? '' });
      const patch = { metadata: { finalizers: null } };
      await request(server, 'PATCH', one, { body: patch, contentType: 'application/merge-patch+json' });
      await request(server, 'DELETE', one, { body: { propagationPolicy: 'Background' } });
    }
  }
}

async function touch(server: Server, type: ResourceType, { name }: ObjectKey): Promise<void> {
  const path = resourcePath(type, { namespace: NAMESPACE, name }, { fieldManager: 'somebody' });
  const body = { metadata: { labels: { touched: String(Date.now()) } } };
  await must(server, 'PATCH', path, body, 'application/merge-patch+json');
}

async function replace(server: Server, type: ResourceType, { name }: ObjectKey): Promise<void> {
  const path = resourcePath(type, { namespace: NAMESPACE, name });
  const { metadata: _metadata, status: _status, ...old } = await must(server, 'GET', path);
  await must(server, 'DELETE', path, { propagationPolicy: 'Background' });
  const body = { ...old, metadata: { name, namespace: NAMESPACE } };
  if (type === JOB) {
    // The selector and the labels of its pods were made for the old uid.
    const { template } = (old.spec ?? {}) as { readonly template?: { readonly spec?: unknown } };
    Object.assign(body, { spec: { template: { spec: template?.spec } } });
  }
  await must(server, 'POST', resourcePath(type, { namespace: NAMESPACE }), body);
}

async function clusterWorld(seeds: readonly Seed[]): Promise<World> {
  const server = await sharedServer();
  await clear(server);
  for (const seed of seeds) await plant(server, seed);
  let store = open(server);
  return {
    store,
    nextTick: async () => {
      await store.close();
      store = open(server);
      return store;
    },
    touch: (type, key) => touch(server, type, key),
    replace: (type, key) => replace(server, type, key),
    end: () => store.close(),
  };
}

const PATIENCE_MS = 30_000;

async function eventually(check: () => Promise<void>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(100);
    }
  }
}

let prepared: Promise<void> | undefined;

/** The collector of garbage is the cluster's own. */
async function prepare(): Promise<void> {
  const server = await sharedServer();
  await must(server, 'POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  await server.controllerManager(['garbage-collector-controller']);
}

describeOnServer(
  'a real API server',
  () => {
    describeStoreContract('cluster', {
      namespace: NAMESPACE,
      knowsKinds: true,
      eventually,
      world: async (seeds) => {
        prepared ??= prepare();
        await prepared;
        return clusterWorld(seeds);
      },
    });
  },
  { also: ['kube-controller-manager'] },
);
