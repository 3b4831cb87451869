import { describe, expect, test } from 'vitest';
import { planDifferences, planOutline, readPlan } from '#core/change/saved-plan.ts';
import type { JsonObject } from '#core/object/object.ts';

const CREATE: JsonObject = {
  verb: 'create',
  object: { apiVersion: 'batch/v1', kind: 'Job', namespace: 'shop', name: 'a-1' },
  reason: 'SlotDue',
  slot: '2026-06-10T03:00:00Z',
  body: { spec: {} },
};

function schedule(name: string, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    namespace: 'shop',
    name,
    uid: `uid-${name}`,
    resourceVersion: '7',
    verdict: { code: 'fired', slot: '2026-06-10T03:00:00Z', next: null },
    changes: [CREATE],
    ...more,
  };
}

function document(schedules: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return {
    formatVersion: 1,
    now: '2026-06-10T03:00:10Z',
    graceSeconds: 90,
    schedules,
    counts: {},
    diagnostics: [],
    ...more,
  };
}

describe('what differs between a plan and the same decision made anew', () => {
  const saved = document([schedule('a'), schedule('b')]);

  test.each<[string, JsonObject, readonly string[]]>([
    ['nothing', document([schedule('a'), schedule('b')]), []],
    [
      'a version and a verdict',
      document([
        schedule('a', { resourceVersion: '8', verdict: { code: 'waiting', next: null } }),
        schedule('b'),
      ]),
      [
        'CronJob shop/a: resourceVersion 7, now 8; verdict fired, now waiting; slot 2026-06-10T03:00:00Z, now (none)',
      ],
    ],
    [
      'another object of the name',
      document([schedule('a', { uid: 'x' }), schedule('b')]),
      ['CronJob shop/a: uid uid-a, now x'],
    ],
    ['a schedule less', document([schedule('a')]), ['CronJob shop/b: it is not there any more']],
    [
      'a schedule more',
      document([schedule('a'), schedule('b'), schedule('c')]),
      ['CronJob shop/c: it is new'],
    ],
    [
      'a body',
      document([schedule('a', { changes: [{ ...CREATE, body: { spec: { x: 1 } } }] }), schedule('b')]),
      ['CronJob shop/a: its changes are others'],
    ],
    [
      'the next slot',
      document([
        schedule('a', { verdict: { code: 'fired', slot: '2026-06-10T03:00:00Z', next: 'x' } }),
        schedule('b'),
      ]),
      ['CronJob shop/a: its verdict is another'],
    ],
    [
      'an order',
      document([schedule('a'), schedule('b')], { works: [schedule('w')] }),
      ['CronJob shop/w: it is new'],
    ],
    ['a finding', document([schedule('a'), schedule('b')], { diagnostics: [{}] }), ['diagnostics differ']],
    ['the time', document([schedule('a'), schedule('b')], { now: 'later' }), ['the document as a whole']],
  ])('%s', (_what, current, wanted) => {
    expect(planDifferences(saved, current)).toEqual(wanted);
  });
});

test('the outline of a plan keeps what is done and why, and no version, body or finding', () => {
  const one = document([schedule('a')]);
  const admitted = schedule('a', {
    uid: 'x',
    resourceVersion: '9',
    changes: [{ ...CREATE, body: { spec: { x: 1 } } }],
  });
  expect(planOutline(document([admitted], { diagnostics: [{}] }))).toEqual(planOutline(one));
  const moved = schedule('a', { changes: [{ ...CREATE, slot: '2026-06-10T04:00:00Z' }] });
  expect(planOutline(document([moved]))).not.toEqual(planOutline(one));
  expect(planOutline(document([schedule('a', { changes: [] })]))).not.toEqual(planOutline(one));
});

test.each<[string, unknown, string]>([
  ['a plan', document([]), 'read'],
  ['another format', { ...document([]), formatVersion: 2 }, 'otherFormat'],
  ['what reconcile prints', { formatVersion: 1, changeSet: document([]), applied: {} }, 'noPlan'],
  ['no time', { ...document([]), now: 5 }, 'noPlan'],
  ['no schedules', { formatVersion: 1, now: '2026-06-10T03:00:10Z' }, 'noPlan'],
  ['a list', [], 'noPlan'],
  ['nothing', null, 'noPlan'],
])('%s is read as such', (_what, value, state) => {
  expect(readPlan(value).state).toBe(state);
});
