import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { accepted, preconditionOf } from '#test/store/fixtures.ts';
import { PLAIN, PROBE } from '#test/support/api-answers.ts';
import { openOn } from './support.ts';

let server: FakeApiServer;

beforeAll(async () => {
  server = await fakeApiServer({ kinds: [PROBE, { type: PLAIN, statusSubresource: false }] });
});
beforeEach(() => server.reset([]));
afterAll(() => server.close());

function body(kind: string): KubeObject {
  return {
    apiVersion: 'test.minutehand.dev/v1',
    kind,
    metadata: { name: 'a', namespace: 'harbor' },
    spec: { schedule: '@hourly' },
    status: { phase: 'Ready' },
  };
}

test('a definition without a status subresource keeps the status of a new object', async () => {
  const object = accepted(await openOn(server.url).create(PLAIN, body('Plain')));
  expect(object.status).toEqual({ phase: 'Ready' });
});

test('one with a status subresource drops it', async () => {
  const object = accepted(await openOn(server.url).create(PROBE, body('Probe')));
  expect(object).not.toHaveProperty('status');
});

test('an apply to a status without a place of its own is answered as gone, and the object stands', async () => {
  const store = openOn(server.url);
  const object = accepted(await store.create(PLAIN, body('Plain')));
  const fields = { phase: 'Failed' };
  const result = await store.applyStatus(PLAIN, keyOf(object), preconditionOf(object), fields);
  expect(result).toMatchObject({ ok: false, failure: { kind: 'gone' } });
  expect(await store.get(PLAIN, keyOf(object))).toEqual({ state: 'found', object });
});
