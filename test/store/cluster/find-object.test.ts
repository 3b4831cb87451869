import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { LiveReference } from '#core/run/driver.ts';
import type { ClusterOptions, ClusterStore } from '#store/cluster/open-cluster-store.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { type FaultProxy, type FaultRule, faultProxy, faults } from '#test/support/fault-proxy.ts';
import { openOn } from './support.ts';

const GROUP = 'apps.example.dev';

function typeOf(kind: string, plural: string, more: Partial<ResourceType> = {}): ResourceType {
  const singular = kind.toLowerCase();
  return { group: GROUP, version: 'v1', kind, plural, singular, shortNames: [], namespaced: true, ...more };
}

/** No plural of these can be guessed. */
const INDEX = typeOf('Index', 'indices');
const KAFKA = typeOf('Kafka', 'kafkas');
const OLD = typeOf('Relic', 'relics', { version: 'v1beta1' });
const REGION = typeOf('Region', 'regions', { namespaced: false });

const SEARCH: KubeObject = {
  apiVersion: `${GROUP}/v1`,
  kind: 'Index',
  metadata: { name: 'search', namespace: 'harbor' },
  spec: { replicas: 2 },
};
const RELIC: KubeObject = {
  apiVersion: `${GROUP}/v1beta1`,
  kind: 'Relic',
  metadata: { name: 'search', namespace: 'harbor' },
};
const WANTED: LiveReference = { group: GROUP, kind: 'Index', namespace: 'harbor', name: 'search' };

const GROUP_PATH = `/apis/${GROUP}`;
const VERSION_PATH = `${GROUP_PATH}/v1`;
const OBJECT_PATH = `${VERSION_PATH}/namespaces/harbor/indices/search`;

let server: FakeApiServer;
let proxy: FaultProxy;

beforeAll(async () => {
  server = await fakeApiServer({ kinds: [INDEX, KAFKA, REGION, OLD] });
  proxy = await faultProxy({ upstream: server.url });
});
beforeEach(() => {
  server.configure({ isForbidden: () => false });
  server.reset([SEARCH, RELIC]);
  proxy.set([]);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});

/** Waiting takes no time, as far as the store can tell. */
function open(rules: readonly FaultRule[] = [], options: Partial<ClusterOptions> = {}): ClusterStore {
  proxy.set(rules);
  let passed = 0;
  return openOn(proxy.url, {
    clock: () => passed,
    sleep: async (ms) => {
      passed += ms;
    },
    ...options,
  });
}

function asked(): readonly string[] {
  return server.requests().map(({ path }) => path);
}

function at(wanted: string): FaultRule['when'] {
  return ({ path }) => path === wanted;
}

/** An answer that is whole and says something else. */
function says(body: object): FaultRule['fault'] {
  const answer = { code: 200, contentType: 'application/json', body: JSON.stringify(body) };
  return { fault: 'answer', answer, forwarded: false };
}

function resourceList(...resources: readonly object[]): FaultRule['fault'] {
  return says({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${GROUP}/v1`, resources });
}

describe('what is asked for', () => {
  test('the group, its preferred version and the object, in this order', async () => {
    expect(await open().find(WANTED)).toMatchObject({ state: 'found', object: { spec: { replicas: 2 } } });
    expect(asked()).toEqual([GROUP_PATH, VERSION_PATH, OBJECT_PATH]);
  });

  test('each document once in the life of a store, also by those who ask together', async () => {
    const store = open();
    const references = [WANTED, { ...WANTED, kind: 'Kafka' }, { ...WANTED, kind: 'Nothing' }];
    const found = await Promise.all(references.map((reference) => store.find(reference)));
    expect(found.map(({ state }) => state)).toEqual(['found', 'missing', 'unserved']);
    await store.find({ ...WANTED, name: 'other' });
    const documents = asked().filter((path) => !path.includes('/namespaces/'));
    expect(documents).toEqual([GROUP_PATH, VERSION_PATH, `${GROUP_PATH}/v1beta1`]);
  });

  test('the other versions where the preferred one lacks the kind', async () => {
    expect(await open().find({ ...WANTED, kind: 'Relic' })).toMatchObject({
      state: 'found',
      object: { apiVersion: `${GROUP}/v1beta1`, kind: 'Relic' },
    });
    expect(asked().at(-1)).toBe(`${GROUP_PATH}/v1beta1/namespaces/harbor/relics/search`);
  });

  test('no more than the group where nobody serves it', async () => {
    expect(await open().find({ ...WANTED, group: 'absent.dev' })).toEqual({ state: 'unserved' });
    expect(asked()).toEqual(['/apis/absent.dev']);
  });

  test.each(['', '.', '..', '../../../regions/eu', 'search/status', 'search%2Fstatus'])(
    'no object where a name such as %j would lead to another place',
    async (name) => {
      expect(await open().find({ ...WANTED, name })).toEqual({ state: 'missing' });
      expect(asked()).toEqual([GROUP_PATH, VERSION_PATH]);
    },
  );

  test.each(['.', '..', '../api', `${GROUP}/v1`])('nothing for a group such as %j', async (group) => {
    expect(await open().find({ ...WANTED, group })).toEqual({ state: 'unserved' });
    expect(asked()).toEqual([]);
  });
});

describe('a kind is not served', () => {
  test('where its objects are in no namespace', async () => {
    expect(await open().find({ ...WANTED, kind: 'Region' })).toEqual({ state: 'unserved' });
  });

  test.each([
    ['where only a subresource has it', { name: 'indices/scale', verbs: ['get'] }],
    ['where its objects cannot be read', { name: 'indices', verbs: ['create'] }],
  ])('%s', async (_where, resource) => {
    const list = resourceList({ kind: 'Index', namespaced: true, ...resource });
    const found = await open([{ when: at(VERSION_PATH), fault: list }]).find(WANTED);
    expect(found).toEqual({ state: 'unserved' });
  });
});

const DOWN: readonly (readonly [string, FaultRule['fault']])[] = [
  ['is not there for the moment', faults.serverError(503)],
  ['fails', faults.serverError(500)],
  ['is a page', faults.page(404)],
  ['cuts the connection', faults.cutBefore],
  ['throttles', faults.tooMany('1')],
];

describe.each([
  ['the document of the group', GROUP_PATH],
  ['the document of the version', VERSION_PATH],
  ['the object', OBJECT_PATH],
])('where %s', (_what, path) => {
  test.each(DOWN)('%s every time, nobody can tell', async (_how, fault) => {
    const store = open([{ when: at(path), fault, repeat: 'each' }]);
    expect(await store.find(WANTED)).toEqual({ state: 'failed', reason: expect.stringMatching(/.../) });
    expect(proxy.met()).toBeGreaterThan(1);
  });

  test.each(DOWN)('%s once, it is asked for again', async (_how, fault) => {
    expect(await open([{ when: at(path), fault }]).find(WANTED)).toMatchObject({ state: 'found' });
    expect(proxy.met()).toBe(1);
  });
});

test('an API that is down costs its patience once, whatever is looked for in it', async () => {
  const store = open([{ when: at(VERSION_PATH), fault: faults.serverError(503), repeat: 'each' }]);
  const first = await store.find(WANTED);
  const tries = proxy.met();
  expect(first).toMatchObject({ reason: expect.stringContaining(VERSION_PATH) });
  // The kind may be in the version that does not answer.
  for (const kind of ['Kafka', 'Relic']) expect(await store.find({ ...WANTED, kind })).toEqual(first);
  expect(proxy.met()).toBe(tries);
});

test('a right that is missing is named as a role would grant it', async () => {
  server.configure({ isForbidden: ({ verb, resource }) => verb === 'get' && resource === 'indices' });
  const found = await open().find(WANTED);
  const right = `lacks the right to get indices.${GROUP} in the namespace harbor`;
  expect(found).toEqual({ state: 'failed', reason: expect.stringContaining(right) });
});

test('an answer that is no object is none', async () => {
  const found = await open([{ when: at(OBJECT_PATH), fault: says({}) }]).find(WANTED);
  expect(found).toEqual({ state: 'failed', reason: 'the server answered with no object' });
});
