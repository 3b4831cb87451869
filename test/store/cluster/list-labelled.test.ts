import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { LabelledReference } from '#core/run/driver.ts';
import type { Listing } from '#store/port.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { CONFIG_MAP, configMap } from '#test/store/fixtures.ts';
import { type FaultProxy, faultProxy, faults, isNextPage } from '#test/support/fault-proxy.ts';
import { openOn } from './support.ts';

const LABELS = { 'example.com/tier': 'one', empty: '' };
const REFERENCE: LabelledReference = { type: CONFIG_MAP, namespace: 'harbor', labels: LABELS };
const NAMES = ['a', 'b', 'c', 'd', 'e'];

function labelled(name: string, namespace = 'harbor'): KubeObject {
  const body = configMap(namespace, name);
  return { ...body, metadata: { ...body.metadata, labels: LABELS } };
}

let server: FakeApiServer;
let proxy: FaultProxy;

beforeAll(async () => {
  server = await fakeApiServer({ kinds: [CONFIG_MAP], pageSize: 2 });
  proxy = await faultProxy({ upstream: server.url });
});
beforeEach(() => {
  server.configure({ isForbidden: () => false });
  server.reset([
    ...NAMES.map((name) => labelled(name)),
    labelled('f', 'orchard'),
    configMap('harbor', 'bare'),
  ]);
  proxy.set([]);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});

function namesIn(listing: Listing): readonly string[] {
  return listing.state === 'read' ? listing.objects.map(({ object }) => object.metadata.name) : [];
}

test('all pages are asked for, each by the labels and in the namespace', async () => {
  expect(namesIn(await openOn(server.url).listLabelled(REFERENCE))).toEqual(NAMES);
  const seen = server.requests().map(({ path, query }) => [path, query['labelSelector']]);
  const page = ['/api/v1/namespaces/harbor/configmaps', 'example.com/tier=one,empty='];
  expect(seen).toEqual([page, page, page]);
});

test('the namespaces that a store is confined to are no limit: a reference names its own', async () => {
  const store = openOn(server.url, { reach: { namespaces: ['harbor'], fallback: [] } });
  expect(namesIn(await store.listLabelled({ ...REFERENCE, namespace: 'orchard' }))).toEqual(['f']);
});

test('a list that expires starts again, and one that breaks off is unreadable, never short', async () => {
  const store = openOn(proxy.url, { sleep: async () => {} });
  proxy.set([{ when: isNextPage, fault: faults.expired }]);
  expect(namesIn(await store.listLabelled(REFERENCE))).toEqual(NAMES);
  proxy.set([{ when: isNextPage, fault: faults.serverError(503), repeat: 'each' }]);
  expect((await store.listLabelled(REFERENCE)).state).toBe('unreadable');
});

test('a right that is missing makes it unreadable and is named', async () => {
  server.configure({ isForbidden: ({ verb }) => verb === 'list' });
  const listing = await openOn(server.url).listLabelled(REFERENCE);
  const reason = expect.stringContaining('cannot list resource "configmaps"');
  expect(listing).toMatchObject({ state: 'unreadable', reason });
});

test('a kind that is not served is absent, and nothing is said of it', async () => {
  const type: ResourceType = { ...CONFIG_MAP, group: 'absent.dev' };
  const store = openOn(server.url);
  expect(await store.listLabelled({ ...REFERENCE, type })).toEqual({ state: 'absent' });
  expect(store.diagnostics()).toEqual([]);
});
