import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { WriteResult } from '#store/port.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { deniedByWebhook } from '#test/fakes/api-server/refusals.ts';
import { accepted, JOB, job, listed, preconditionOf } from '#test/store/fixtures.ts';
import { type FaultProxy, type FaultRule, faultProxy, faults, nthWrite } from '#test/support/fault-proxy.ts';
import { openOn } from './support.ts';

const OURS = 'example.com/ours';
const THEIRS = 'example.com/theirs';

function held(finalizers: readonly string[], deletionTimestamp?: string): KubeObject {
  const body = job('harbor', 'run');
  const leaving = deletionTimestamp === undefined ? {} : { deletionTimestamp };
  return { ...body, metadata: { ...body.metadata, finalizers, ...leaving } };
}

const KEY = keyOf(held([]));
const NOW = '2026-01-01T00:00:00Z';

let server: FakeApiServer;
let proxy: FaultProxy;

beforeAll(async () => {
  server = await fakeApiServer({ kinds: [JOB] });
  proxy = await faultProxy({ upstream: server.url });
});
beforeEach(() => {
  server.configure({ admit: () => undefined, isForbidden: () => false });
  proxy.set([]);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});

function stored(): KubeObject {
  const [object] = server.objects();
  if (object === undefined) throw new Error('there is no object');
  return object;
}

function patches() {
  return server.requests().filter(({ method }) => method === 'PATCH');
}

async function remove(rules: readonly FaultRule[] = []): Promise<WriteResult> {
  proxy.set(rules);
  const store = openOn(proxy.url, { sleep: async () => {} });
  return store.removeFinalizers(JOB, KEY, preconditionOf(stored()), [OURS]);
}

test('the patch tests uid and version, and sets what is left', async () => {
  server.reset([held([OURS, THEIRS])]);
  const { uid, resourceVersion } = preconditionOf(stored());
  accepted(await remove());
  const [patch, ...others] = patches();
  expect(others).toEqual([]);
  expect([patch?.contentType, JSON.parse(patch?.body ?? '')]).toEqual([
    'application/json-patch+json',
    [
      { op: 'test', path: '/metadata/uid', value: uid },
      { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
      { op: 'replace', path: '/metadata/finalizers', value: [THEIRS] },
    ],
  ]);
});

test('what is not there is not sent', async () => {
  server.reset([held([THEIRS])]);
  expect(await remove()).toEqual({ ok: true, object: stored() });
  expect(patches()).toEqual([]);
});

test('an object that was listed is not read again', async () => {
  server.reset([held([OURS])]);
  const store = openOn(server.url);
  const [object] = await listed(store, JOB);
  if (object === undefined) throw new Error('nothing is listed');
  accepted(await store.removeFinalizers(JOB, KEY, preconditionOf(object), [OURS]));
  expect(server.requests().map(({ method }) => method)).toEqual(['GET', 'PATCH']);
});

test('a dry run is checked by the server and changes nothing', async () => {
  server.reset([held([OURS], NOW)]);
  const before = stored();
  const store = openOn(server.url, { dryRun: true });
  accepted(await store.removeFinalizers(JOB, KEY, preconditionOf(before), [OURS]));
  expect(patches().map(({ query }) => query['dryRun'])).toEqual(['All']);
  expect(stored()).toEqual(before);
});

test.each([
  ['cut off', faults.cutAfter],
  ['reset', faults.reset],
  ['a page', faults.pageAfter(502)],
])('a write whose first answer was %s is known for our own', async (_what, fault) => {
  server.reset([held([OURS, THEIRS])]);
  expect(await remove([{ when: nthWrite(1), fault }])).toEqual({ ok: true, object: stored() });
  expect(stored().metadata.finalizers).toEqual([THEIRS]);

  server.reset([held([OURS], NOW)]);
  const leaving = stored();
  expect(await remove([{ when: nthWrite(1), fault }])).toEqual({ ok: true, object: leaving });
  expect(server.objects()).toEqual([]);
});

test('a write that never arrived is no success where somebody else changed the object', async () => {
  server.reset([held([OURS])]);
  const before = preconditionOf(stored());
  server.edit(KEY, (object) => ({ ...object, spec: { ...(object.spec as object), suspend: true } }));
  proxy.set([{ when: nthWrite(1), fault: faults.cutBefore }]);
  const store = openOn(proxy.url, { sleep: async () => {} });
  const result = await store.removeFinalizers(JOB, KEY, before, [OURS]);
  expect(result).toMatchObject({ ok: false, failure: { kind: 'conflict' } });
});

test('a fault that does not pass is transient', async () => {
  server.reset([held([OURS])]);
  const rule: FaultRule = { when: nthWrite(1), fault: faults.serverError(503), repeat: 'same' };
  expect(await remove([rule])).toMatchObject({ ok: false, failure: { kind: 'transient' } });
  expect(stored().metadata.finalizers).toEqual([OURS]);
});

test('a missing right and a webhook are told in the words of the server', async () => {
  server.reset([held([OURS])]);
  server.configure({ isForbidden: ({ verb }) => verb === 'patch' });
  const message = expect.stringContaining('cannot patch resource "jobs"');
  expect(await remove()).toMatchObject({ ok: false, failure: { kind: 'forbidden', message } });
  server.configure({
    isForbidden: () => false,
    admit: ({ type, object }) =>
      deniedByWebhook('holds.example', `keep ${type.kind} ${object.metadata.name}`),
  });
  const refused = expect.stringContaining('keep Job run');
  expect(await remove()).toMatchObject({ ok: false, failure: { message: refused } });
});
