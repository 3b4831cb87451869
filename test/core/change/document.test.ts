import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toAppliedDocument } from '#core/change/applied-document.ts';
import { toDocument } from '#core/change/document.ts';
import { isObject } from '#core/object/canonical.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { toJson } from '#render/json.ts';
import { cronJobNamed, defrag, jobOf, policy, tick } from '#test/support/given-tick.ts';

const NOW = '2026-11-29T03:00:40Z';

function parsed(document: unknown): Json {
  return JSON.parse(toJson(document)) as Json;
}

test('a change set is published with RFC 3339 times, named objects and the difference of a status', () => {
  const given = [policy('nightly', {}, { lastScheduleTime: '2026-11-26T03:00:00Z' })];
  const document = toDocument(tick(NOW, given).changeSet);
  expect(document).toMatchObject({
    formatVersion: 1,
    now: NOW,
    graceSeconds: 90,
    schedules: [
      {
        apiVersion: 'etcd-operator.cozystack.io/v1alpha2',
        kind: 'EtcdDefragPolicy',
        namespace: 'harbor',
        name: 'nightly',
        uid: 'uid-nightly',
        resourceVersion: '7',
        verdict: {
          code: 'fired',
          reason: 'StampedRun',
          slot: '2026-11-29T03:00:00Z',
          lateSeconds: 40,
          superseded: { count: 2, oldest: '2026-11-27T03:00:00Z' },
          next: '2026-11-30T03:00:00Z',
          runs: ['nightly-1795921200'],
        },
        changes: [
          {
            verb: 'create',
            object: {
              apiVersion: 'etcd-operator.cozystack.io/v1alpha2',
              kind: 'EtcdDefrag',
              namespace: 'harbor',
              name: 'nightly-1795921200',
            },
            reason: 'SlotDue',
            slot: '2026-11-29T03:00:00Z',
            body: { metadata: { name: 'nightly-1795921200', ownerReferences: [{ uid: 'uid-nightly' }] } },
          },
          {
            verb: 'apply',
            subresource: 'status',
            reason: 'StatusChanged',
            precondition: { uid: 'uid-nightly', resourceVersion: '7' },
            fields: { lastScheduleTime: '2026-11-29T03:00:00Z' },
          },
          { verb: 'event', body: { reason: 'StampedRun' } },
        ],
      },
    ],
    counts: {
      schedules: 1,
      verdicts: { fired: 1 },
      creates: 1,
      deletes: 0,
      statuses: 1,
      events: 1,
      unchanged: 0,
    },
    diagnostics: [],
  });
  const change = document.schedules[0]?.changes[1];
  expect(change?.verb === 'apply' && change.diff).toContainEqual({
    path: '/status/lastScheduleTime',
    before: '2026-11-26T03:00:00Z',
    after: '2026-11-29T03:00:00Z',
  });
});

test('no next slot is null and never left out', () => {
  const document = toDocument(tick(NOW, [policy('bad', { schedule: '0 0 30 2 *' })]).changeSet);
  expect(document.schedules[0]?.verdict).toMatchObject({ code: 'invalid', next: null });
});

test('an observed schedule names who acts and what is foreseen', () => {
  const given = [cronJobNamed('dump', {}, { lastScheduleTime: '2026-11-28T03:00:00Z' })];
  const document = toDocument(tick(NOW, given, { writers: {} }).changeSet);
  expect(document.schedules[0]).toMatchObject({
    verdict: {
      code: 'observed',
      actor: 'the built-in CronJob controller',
      foreseen: { code: 'fired', slot: '2026-11-29T03:00:00Z', next: '2026-11-30T03:00:00Z' },
    },
    changes: [],
  });
});

test('an object that no store has seen has neither uid nor resourceVersion', () => {
  const { uid: _uid, resourceVersion: _version, ...metadata } = policy('new', {}).metadata;
  const document = toDocument(tick(NOW, [{ ...policy('new', {}), metadata }]).changeSet);
  expect(Object.keys(document.schedules[0] ?? {})).not.toContain('uid');
  expect(Object.keys(document.schedules[0] ?? {})).not.toContain('resourceVersion');
});

test('secrets of a job template are masked in the body of the run, in every output form', () => {
  const container = {
    name: 'dump',
    image: 'postgres:18',
    args: ['--token=abc123', '--host', 'ledger'],
    env: [
      { name: 'PGPASSWORD', value: 'hunter3' },
      { name: 'URL', value: 'db://u:s3cr3t@ledger/x' },
    ],
  };
  const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } };
  const given = [cronJobNamed('dump', { jobTemplate }, { lastScheduleTime: '2026-11-28T03:00:00Z' })];
  const json = toJson(toDocument(tick(NOW, given).changeSet));
  for (const secret of ['hunter3', 's3cr3t', 'abc123']) expect(json).not.toContain(secret);
  expect(json).toContain('"--host"');
  expect(json).toContain('postgres:18');
});

/** The same objects with the members of every mapping in the opposite order. */
function reversedKeys(objects: readonly KubeObject[]): readonly KubeObject[] {
  return JSON.parse(JSON.stringify(objects), (_key, value: Json) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).reverse()) : value,
  );
}

test('the same objects in another order, with members in another order, give the same bytes', () => {
  const given: readonly KubeObject[] = [
    policy('nightly', { historyLimit: 1 }, { lastScheduleTime: '2026-11-25T03:00:00Z' }),
    defrag('nightly', '2026-11-24T03:00:00Z', { phase: 'Complete', completedAt: '2026-11-24T03:10:00Z' }),
    defrag('nightly', '2026-11-25T03:00:00Z', { phase: 'Complete', completedAt: '2026-11-25T03:10:00Z' }),
    policy('bad', { schedule: '61 * * * *' }),
    cronJobNamed('dump', { concurrencyPolicy: 'Replace' }, { lastScheduleTime: '2026-11-28T03:00:00Z' }),
    jobOf('dump', '2026-11-28T03:00:00Z'),
    cronJobNamed('off', { suspend: true }),
  ];
  const want = toJson(toDocument(tick(NOW, given).changeSet));
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...given], { minLength: given.length }),
      fc.boolean(),
      (objects, reversed) => {
        const read = reversed ? reversedKeys(objects) : objects;
        expect(toJson(toDocument(tick(NOW, read).changeSet))).toBe(want);
      },
    ),
    { numRuns: 30 },
  );
});

test('what came of a change set is published with every change counted once', () => {
  const { changeSet } = tick(NOW, [policy('nightly', {}, { lastScheduleTime: '2026-11-28T03:00:00Z' })]);
  const [schedule] = changeSet.schedules;
  if (schedule === undefined) throw new Error('no schedule');
  const [create, status, event] = schedule.changes;
  if (create === undefined || status === undefined || event === undefined)
    throw new Error('three changes expected');
  const document = toAppliedDocument({
    retention: [],
    works: [],
    schedules: [
      {
        schedule,
        verdict: { ...schedule.verdict, code: 'failed' },
        applied: [
          { change: create, state: 'failed', message: 'refused: password=hunter2' },
          { change: status, state: 'done' },
          { change: event, state: 'unnecessary', message: 'told already' },
        ],
      },
    ],
    diagnostics: [],
    partial: true,
  });
  expect(parsed(document)).toMatchObject({
    partial: true,
    counts: { done: 1, failed: 1, skipped: 0, unnecessary: 1 },
    schedules: [
      {
        name: 'nightly',
        verdict: { code: 'failed' },
        applied: [
          { verb: 'create', state: 'failed', message: 'refused: password=(masked 1)' },
          { verb: 'apply', state: 'done' },
          { verb: 'event', state: 'unnecessary', message: 'told already' },
        ],
      },
    ],
  });
});
