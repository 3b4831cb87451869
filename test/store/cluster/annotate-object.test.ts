import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { SNAPSHOT } from '#kinds/snapshot-schedule/resources.ts';
import { failure } from '#test/fakes/api-server/answer.ts';
import { openStage, type Stage } from './fault-matrix/stage.ts';
import { openOn } from './support.ts';

const RUN: KubeObject = {
  apiVersion: 'kopiur.home-operations.com/v1alpha1',
  kind: SNAPSHOT.kind,
  metadata: { name: 'nightly-20260610030000', namespace: 'orchard', uid: 'uid-run' },
  spec: { policyRef: { name: 'tank' } },
};
const KEY = keyOf(RUN);
const MARKS = { 'example.com/cancel': 'yes' };

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
beforeEach(() => {
  stage.server.configure({ admit: () => undefined });
  stage.server.reset([RUN]);
});
afterAll(() => stage.close());

/** What a patch comes to that was made for the object as it was listed. */
async function annotate(meanwhile: () => void) {
  const store = openOn(stage.server.url);
  const listing = await store.list(SNAPSHOT);
  const [listed] = listing.state === 'read' ? listing.objects : [];
  meanwhile();
  const { uid = '', resourceVersion = '' } = listed?.object.metadata ?? {};
  return store.annotate(SNAPSHOT, KEY, { uid, resourceVersion }, MARKS);
}

test('an object that changed since it was listed is a conflict', async () => {
  const result = await annotate(() => {
    stage.server.edit(KEY, (object) => ({ ...object, spec: { policyRef: { name: 'barn' } } }));
  });
  const message = 'it changed since it was read';
  expect(result).toEqual({ ok: false, failure: { kind: 'conflict', message } });
});

test('a webhook that refuses without a cause is told in its own words', async () => {
  const message = 'admission webhook "runs.example" denied the request: Snapshots stay';
  const result = await annotate(() => {
    stage.server.configure({ admit: () => failure({ code: 422, message }) });
  });
  expect(result).toEqual({ ok: false, failure: { kind: 'invalid', message } });
});
