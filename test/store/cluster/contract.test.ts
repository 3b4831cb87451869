import { afterAll, beforeAll } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import type { World } from '#test/store/contract/harness.ts';
import { describeStoreContract } from '#test/store/contract.ts';
import { CONFIG_MAP, CRON_JOB, JOB } from '#test/store/fixtures.ts';
import { seededObject } from '#test/store/seeded-object.ts';
import { openOn } from './support.ts';

function touched(object: KubeObject): KubeObject {
  const labels = { ...object.metadata.labels, touched: 'yes' };
  return { ...object, metadata: { ...object.metadata, labels } };
}

function namesake(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid: 'uid-of-the-namesake' } };
}

let server: FakeApiServer;

beforeAll(async () => {
  server = await fakeApiServer({ kinds: [CRON_JOB, JOB, CONFIG_MAP] });
});
afterAll(() => server.close());

describeStoreContract('cluster, on a fake of its API', {
  namespace: 'harbor',
  knowsKinds: true,
  eventually: (check) => check(),
  world: async (seeds): Promise<World> => {
    server.reset(seeds.map(seededObject));
    let store = openOn(server.url, { fieldValidation: 'Strict' });
    return {
      store,
      nextTick: async () => {
        await store.close();
        store = openOn(server.url, { fieldValidation: 'Strict' });
        return store;
      },
      touch: async (_type, key) => server.edit(key, touched),
      replace: async (_type, key) => server.edit(key, namesake),
      end: () => store.close(),
    };
  },
});
