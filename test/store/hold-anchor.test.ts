import { describe, expect, test } from 'vitest';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { typeId } from '#core/observed.ts';
import { reconcile } from '#core/reconcile.ts';
import { instant } from '#core/time/instant.ts';
import { backupPlan } from '#kinds/backup-plan/index.ts';
import { PLAN } from '#kinds/backup-plan/resources.ts';
import { applyChangeSet } from '#store/apply.ts';
import type { Store, WriteFailure } from '#store/port.ts';
import { type MemoryStore, memoryStore } from '#test/fakes/memory-store.ts';

const NOW = instant(1_781_060_410); // 2026-06-10T03:00:10Z
const SLOT = '2026-06-10T03:00:00Z';
const ANNOTATION = 'minutehand.dev/last-schedule-time';
const KEY = { group: PLAN.group, kind: PLAN.kind, namespace: 'tenant-elm', name: 'ledger' };
/** The writes of a tick: the BackupJob, the status, the annotation. */
const STATUS = 2;
const HELD = 3;

const LEDGER: KubeObject = {
  apiVersion: 'backups.cozystack.io/v1alpha1',
  kind: PLAN.kind,
  metadata: {
    name: 'ledger',
    namespace: 'tenant-elm',
    uid: 'uid-ledger',
    creationTimestamp: '2026-06-10T00:00:00Z',
  },
  spec: {
    applicationRef: { kind: 'MariaDB', name: 'ledger' },
    backupClassName: 'weekly-s3',
    schedule: { cron: '0 3 * * *' },
  },
};

/** A server whose definition of a Plan declares conditions only. */
function older(store: MemoryStore): Store {
  return {
    ...store,
    applyStatus: (type, key, precondition, { lastScheduleTime: _dropped, ...fields }) =>
      store.applyStatus(type, key, precondition, fields),
  };
}

async function tick(memory: MemoryStore): Promise<readonly string[]> {
  const store = older(memory);
  const types = [PLAN, backupPlan.run];
  const lists = await Promise.all(types.map(async (type) => [typeId(type), await store.list(type)] as const));
  const settings = { graceSeconds: 90, defaultTimeZone: 'UTC', writers: {}, retention: {} };
  const observed = new Map(lists);
  const decided = reconcile({ observed, kinds: [backupPlan], drivers: [], settings, now: NOW });
  const report = await applyChangeSet(store, decided);
  return report.schedules.flatMap(({ applied }) =>
    applied.map(({ change, state, message = '' }) => `${change.verb} ${state} ${message}`.trim()),
  );
}

function annotation(store: MemoryStore): string | undefined {
  const plan = store.objects().find(({ kind }) => kind === PLAN.kind);
  return plan?.metadata.annotations?.[ANNOTATION];
}

function withAnnotation(text: string): (object: KubeObject) => KubeObject {
  return (object) => ({
    ...object,
    metadata: { ...object.metadata, annotations: { [ANNOTATION]: text } },
  });
}

function relabelled(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, labels: { touched: 'yes' } } };
}

const CREATED = 'create done';
const TOLD = 'event done';
const STANDS = `apply done ${ANNOTATION} holds the slot`;

describe('an anchor whose field is not declared', () => {
  test('is held by the annotation, in one tick and for good', async () => {
    const store = memoryStore({ objects: [LEDGER], now: NOW });
    expect(await tick(store)).toEqual([CREATED, STANDS, TOLD]);
    expect(annotation(store)).toBe(SLOT);
    expect(await tick(store)).toEqual([]);
  });

  test('is held although the object changes right before', async () => {
    const store = memoryStore({ objects: [LEDGER], now: NOW });
    store.beforeWrite(HELD, () => store.edit(KEY, relabelled));
    expect(await tick(store)).toEqual([CREATED, STANDS, TOLD]);
    expect(annotation(store)).toBe(SLOT);
  });

  test('is held where the version of the status was stale', async () => {
    const store = memoryStore({ objects: [LEDGER], now: NOW });
    store.beforeWrite(STATUS, () => store.edit(KEY, relabelled));
    const told = 'apply done the object had changed meanwhile: only the slot was recorded';
    expect(await tick(store)).toEqual([CREATED, told, TOLD]);
    expect(annotation(store)).toBe(SLOT);
    expect(await tick(store)).toEqual([]);
  });

  test('is never moved back', async () => {
    const later = '2026-06-11T03:00:00Z';
    const store = memoryStore({ objects: [LEDGER], now: NOW });
    store.beforeWrite(HELD, () => store.edit(KEY, withAnnotation(later)));
    expect(await tick(store)).toEqual([CREATED, STANDS, TOLD]);
    expect(annotation(store)).toBe(later);
  });

  test.each<[string, WriteFailure]>([
    ['a right is missing', { kind: 'forbidden', message: 'plans is forbidden' }],
    ['the server is busy', { kind: 'transient', message: 'reset' }],
  ])('is a failed write where %s, and made good by the next tick', async (_why, failure) => {
    const store = memoryStore({ objects: [LEDGER], now: NOW });
    store.failWrite(HELD, failure);
    expect(await tick(store)).toEqual([CREATED, `apply failed ${failure.message}`, TOLD]);
    expect(annotation(store)).toBeUndefined();
    expect(await tick(store)).toEqual([STANDS]);
    expect(annotation(store)).toBe(SLOT);
  });

  test('is not written to an object that took the name meanwhile', async () => {
    const store = memoryStore({ objects: [LEDGER], now: NOW });
    store.beforeWrite(HELD, () => {
      store.remove(KEY);
      store.put({ ...LEDGER, metadata: { ...LEDGER.metadata, uid: 'uid-other' } });
    });
    const [, applied = ''] = await tick(store);
    expect(applied).toMatch(/^apply failed /);
    expect(annotation(store)).toBeUndefined();
  });
});

test('a store that keeps the field needs no annotation', async () => {
  const store = memoryStore({ objects: [LEDGER], now: NOW });
  const fields: JsonObject = { lastScheduleTime: SLOT };
  const { uid = '', resourceVersion = '' } = store.objects()[0]?.metadata ?? {};
  const written = await store.applyStatus(PLAN, KEY, { uid, resourceVersion }, fields);
  expect(written.ok).toBe(true);
  expect(await tick(store)).toEqual([]);
  expect(annotation(store)).toBeUndefined();
});
