import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import { LEASE } from '#store/cluster/lease.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { memoryWatermark } from '#test/fakes/memory-watermark.ts';
import { clusterWatermarkWorld, LEASE_OF_TEST } from '#test/store/cluster-watermark.ts';
import { describeWatermarkContract } from '#test/store/watermark-contract.ts';
import { openOn } from './support.ts';

let server: FakeApiServer;

beforeAll(async () => {
  server = await fakeApiServer({ kinds: [LEASE] });
});
afterAll(() => server.close());

describeWatermarkContract('memory', async () => memoryWatermark());

const KEY = { group: LEASE.group, kind: LEASE.kind, ...LEASE_OF_TEST };

/** Until no request is under way any more. */
async function settle(): Promise<void> {
  let before = -1;
  while (before !== server.requests().length) {
    before = server.requests().length;
    await sleep(15);
  }
}

function withRecord(text: string): (lease: KubeObject) => KubeObject {
  return (lease) => ({
    ...lease,
    metadata: { ...lease.metadata, annotations: { 'minutehand.dev/last-completed': text } },
  });
}

describeWatermarkContract('a Lease, on a fake of its API', async () => {
  server.reset([]);
  server.configure({ isForbidden: () => false });
  return clusterWatermarkWorld(
    (options) => openOn(server.url, options),
    settle,
    async (text) => server.edit(KEY, withRecord(text)),
  );
});

const HELD: KubeObject = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: {
    ...LEASE_OF_TEST,
    uid: 'uid-tick',
    labels: { 'app.kubernetes.io/managed-by': 'minutehand' },
  },
};

function take(holder = 'vm/1/2 3 4') {
  const store = openOn(server.url);
  return store.watermark({ ...LEASE_OF_TEST, holder }).take();
}

describe('a Lease', () => {
  test('has times of exactly six digits, and a watermark in an annotation', async () => {
    server.reset([]);
    const taken = await take();
    const [lease] = server.objects();
    expect(lease?.spec).toMatchObject({
      holderIdentity: 'vm/1/2 3 4',
      leaseDurationSeconds: 15,
      acquireTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      renewTime: expect.stringMatching(/\.\d{6}Z$/),
      leaseTransitions: 1,
    });
    if (taken.state === 'taken') await taken.tenure.release(1_781_060_410 as never);
    const [left] = server.objects();
    expect(left?.metadata.annotations).toEqual({ 'minutehand.dev/last-completed': '2026-06-10T03:00:10Z' });
    expect(left?.spec).not.toHaveProperty('holderIdentity');
  });

  const REFUSED: readonly (readonly [what: string, lease: KubeObject, message: string])[] = [
    [
      'of somebody else',
      { ...HELD, metadata: { ...HELD.metadata, labels: {} }, spec: {} },
      'it is of somebody else',
    ],
    [
      'whose holder renewed it nobody knows when',
      { ...HELD, spec: { holderIdentity: 'x', leaseDurationSeconds: 15, renewTime: 'soon' } },
      'it names a holder, and not until when',
    ],
    [
      'that is held for nobody knows how long',
      { ...HELD, spec: { holderIdentity: 'x', renewTime: '2026-06-10T03:00:10.000000Z' } },
      'it names a holder, and not until when',
    ],
  ];

  test.each(REFUSED)('%s is left alone', async (_, lease, message) => {
    server.reset([lease]);
    const before = server.objects();
    expect(await take()).toMatchObject({ state: 'failed', message, fix: expect.any(String) });
    expect(server.objects()).toEqual(before);
  });

  test('that is there and free is taken, and holds an empty name for nobody', async () => {
    server.reset([{ ...HELD, spec: { holderIdentity: '' } }]);
    expect((await take()).state).toBe('taken');
  });

  test('that may not be asked for is told with the role that is missing', async () => {
    server.reset([]);
    server.configure({ isForbidden: ({ resource }) => resource === 'leases' });
    const taken = await take();
    server.configure({ isForbidden: () => false });
    expect(taken).toMatchObject({ state: 'failed', fix: expect.stringContaining('examples/cluster/lease') });
  });
});
