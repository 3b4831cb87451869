import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { SCHEDULE, SNAPSHOT } from '#kinds/snapshot-schedule/resources.ts';
import { type FaultRule, faults, nthWrite } from '#test/support/fault-proxy.ts';
import { openStage, type Stage } from './fault-matrix/stage.ts';
import { openOn } from './support.ts';

const NAMESPACE = 'orchard';
const API_VERSION = 'kopiur.home-operations.com/v1alpha1';

const NIGHTLY: KubeObject = {
  apiVersion: API_VERSION,
  kind: SCHEDULE.kind,
  metadata: { name: 'nightly', namespace: NAMESPACE, uid: 'uid-nightly' },
  spec: { policyRef: { name: 'tank' }, schedule: { cron: '0 3 * * *' } },
};

/** A run of one slot of that schedule. */
function run(spec: JsonObject, annotations: Readonly<Record<string, string>> = {}): KubeObject {
  return {
    apiVersion: API_VERSION,
    kind: SNAPSHOT.kind,
    metadata: {
      name: 'nightly-20260610030000',
      namespace: NAMESPACE,
      annotations: {
        'minutehand.dev/slot': '2026-06-10T03:00:00Z',
        'minutehand.dev/owner-uid': 'uid-nightly',
        ...annotations,
      },
    },
    spec,
  };
}

const WANTED = run({ policyRef: { name: 'tank' } });

/** What a driver makes is of an order, and of no slot. */
function withoutSlot(object: KubeObject): KubeObject {
  const { 'minutehand.dev/slot': _slot, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
}

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
beforeEach(() => stage.server.reset([NIGHTLY]));
afterAll(() => stage.close());

function stored(object: KubeObject): KubeObject {
  const found = stage.server.objects().find(({ metadata }) => metadata.name === object.metadata.name);
  if (found === undefined) throw new Error(`there is no ${object.metadata.name}`);
  return found;
}

function preconditionOf(object: KubeObject): { readonly uid: string; readonly resourceVersion: string } {
  const { uid = '', resourceVersion = '' } = stored(object).metadata;
  return { uid, resourceVersion };
}

/** What the only write of a store came to, the first answer to it being lost. */
const LOST: readonly (readonly [string, FaultRule['fault']])[] = [
  ['was cut off', faults.cutAfter],
  ['broke off', faults.reset],
  ['became a page', faults.pageAfter(502)],
];

describe.each(LOST)('a write whose first answer %s', (_what, fault) => {
  function open() {
    stage.proxy.set([{ when: nthWrite(1), fault }]);
    return openOn(stage.proxy.url, { sleep: async () => {} });
  }

  test('is known for our own where it was a create, and is not done twice', async () => {
    const result = await open().create(SNAPSHOT, WANTED);
    expect(result).toEqual({ ok: true, object: stored(WANTED) });
    const codes = stage.server.requests().map(({ method, status }) => `${method} ${status}`);
    expect(codes).toEqual(['POST 201', 'POST 409', 'GET 200']);
  });

  test('is known for our own where what it created is of an order and of no slot', async () => {
    const wanted = withoutSlot(WANTED);
    expect(await open().create(SNAPSHOT, wanted)).toEqual({ ok: true, object: stored(wanted) });
  });

  test('is no success where nothing says whose what it created is', async () => {
    const annotations = { 'minutehand.dev/slot': '2026-06-10T03:00:00Z' };
    const result = await open().create(SNAPSHOT, {
      ...WANTED,
      metadata: { ...WANTED.metadata, annotations },
    });
    expect(result).toMatchObject({ ok: false, failure: { kind: 'exists' } });
  });

  test.each([
    ['is for another target', run({ policyRef: { name: 'barn' } })],
    [
      'is of another slot',
      run({ policyRef: { name: 'tank' } }, { 'minutehand.dev/slot': '2026-06-09T03:00:00Z' }),
    ],
    ['is of no slot', withoutSlot(WANTED)],
    [
      'is of another schedule',
      run({ policyRef: { name: 'tank' } }, { 'minutehand.dev/owner-uid': 'uid-weekly' }),
    ],
  ])('is no success where the run that has the name %s', async (_difference, other) => {
    stage.server.put(other);
    const before = stored(other);
    const result = await open().create(SNAPSHOT, WANTED);
    expect(result).toMatchObject({ ok: false, failure: { kind: 'exists' } });
    expect(stored(other)).toEqual(before);
  });

  test('is known for our own where what it created has more than was sent', async () => {
    stage.server.put(run({ policyRef: { name: 'tank', namespace: 'orchard' }, deletionPolicy: 'Delete' }));
    const result = await open().create(SNAPSHOT, WANTED);
    expect(result).toEqual({ ok: true, object: stored(WANTED) });
  });

  test('is known for our own where it was an apply', async () => {
    const fields = { observedGeneration: 1 };
    const result = await open().applyStatus(SCHEDULE, keyOf(NIGHTLY), preconditionOf(NIGHTLY), fields);
    expect(result).toEqual({ ok: true, object: stored(NIGHTLY) });
    expect(stored(NIGHTLY).status).toEqual(fields);
  });

  test('is known for our own where it was a patch', async () => {
    const marks = { 'minutehand.dev/manual': 'true' };
    const result = await open().annotate(SCHEDULE, keyOf(NIGHTLY), preconditionOf(NIGHTLY), marks);
    expect(result).toEqual({ ok: true, object: stored(NIGHTLY) });
    expect(stored(NIGHTLY).metadata.annotations).toEqual(marks);
  });

  test('is known for our own where it was a delete', async () => {
    stage.server.put(WANTED);
    const { ok } = await open().delete(SNAPSHOT, keyOf(WANTED), preconditionOf(WANTED));
    expect(ok).toBe(true);
    expect(stage.server.objects().map(({ kind }) => kind)).toEqual([SCHEDULE.kind]);
  });
});
