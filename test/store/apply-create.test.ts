import { describe, expect, test } from 'vitest';
import type { KubeObject } from '#core/object/object.ts';
import type { FailureKind } from '#store/port.ts';
import { ownerReference, runNameOf } from '#test/properties/support/run-object.ts';
import {
  applyTick,
  found,
  HOUR,
  isoText,
  NOW,
  ownRun,
  POLICY,
  REPLACING,
  RUN,
  reasonsOf,
  richObjects,
  SLOT,
  settledSchedule,
  statusOf,
  storeOf,
} from './apply-world.ts';

/** What is left of a slot whose create failed so. */
const FAILURES: readonly (readonly [kind: FailureKind, verdict: string, code: string])[] = [
  ['transient', 'failed', 'WriteFailed'],
  ['forbidden', 'failed', 'WriteFailed'],
  ['invalid', 'failed', 'WriteFailed'],
  ['terminating', 'failed', 'WriteFailed'],
];

describe('a create that fails', () => {
  test.each(FAILURES)('as %s leaves the slot due and the other schedules alone', async (kind, code, told) => {
    const other = { ...REPLACING, name: 'zeta' };
    const store = storeOf([settledSchedule(REPLACING), settledSchedule(POLICY), settledSchedule(other)]);
    store.failWrite(1, { kind, message: 'planted' });
    const { report } = await applyTick(store);
    const failed = report.schedules[0];
    expect(failed?.schedule.key.name).toBe('defrag');
    expect(failed?.verdict).toMatchObject({ code, slot: SLOT });
    expect(report.diagnostics.map((one) => one.code)).toEqual([told]);
    expect(report.partial).toBe(true);
    expect(statusOf(store, 'defrag').lastScheduleTime).toBe(isoText(SLOT - HOUR));
    expect(statusOf(store, 'rotate').lastScheduleTime).toBe(isoText(SLOT));
    expect(statusOf(store, 'zeta').lastScheduleTime).toBe(isoText(SLOT));
    await applyTick(store);
    expect(found(store, runNameOf(POLICY, SLOT))).toBeDefined();
    expect(statusOf(store, 'defrag').lastScheduleTime).toBe(isoText(SLOT));
  });

  test('because the store is no longer ours is the last write that is tried', async () => {
    const store = storeOf([...richObjects(), settledSchedule(POLICY)]);
    store.failWrite(1, { kind: 'lost', message: 'another process holds the lock' });
    const { report } = await applyTick(store);
    expect(store.writes()).toHaveLength(1);
    expect(report.partial).toBe(true);
    expect(report.schedules.map(({ verdict }) => verdict.code)).toEqual(['failed', 'deferred']);
  });
});

function namesake(more: Partial<KubeObject['metadata']>): KubeObject {
  const run = ownRun(REPLACING, 0, 'running');
  const { ownerReferences: _owners, annotations: _marks, ...metadata } = run.metadata;
  return { ...run, metadata: { ...metadata, uid: 'uid-namesake', ...more } };
}

const OWNED = { ownerReferences: [ownerReference(REPLACING)] };

const MARKS = {
  'minutehand.dev/slot': isoText(SLOT),
  'minutehand.dev/owner-uid': 'uid-CronJob-harbor-rotate',
};

describe('a name that somebody took between the read and the create', () => {
  test.each([
    ['its own run of the slot, with our marks', namesake({ ...OWNED, annotations: MARKS }), true],
    ['its own run of the slot, without marks', namesake(OWNED), true],
    ['an object of nobody', namesake({}), false],
    [
      'a run of an earlier schedule of the name',
      namesake({ ownerReferences: [ownerReference(REPLACING, 'uid-old')] }),
      false,
    ],
    [
      'its own run of another slot',
      namesake({ ...OWNED, annotations: { ...MARKS, 'minutehand.dev/slot': isoText(SLOT - HOUR) } }),
      false,
    ],
    [
      'its own run, under deletion',
      namesake({
        ...OWNED,
        annotations: MARKS,
        deletionTimestamp: isoText(NOW),
        finalizers: ['example.org/hold'],
      }),
      false,
    ],
  ])('is settled by %s: %#', async (_what, taken, settles) => {
    const store = storeOf([settledSchedule(REPLACING)]);
    store.beforeWrite(1, () => store.put(taken));
    const before = { ...taken, metadata: { ...taken.metadata } };
    const { report } = await applyTick(store);
    expect(statusOf(store, 'rotate').lastScheduleTime).toBe(isoText(settles ? SLOT : SLOT - HOUR));
    expect(report.schedules[0]?.verdict.code).toBe(settles ? 'fired' : 'conflict');
    expect(report.diagnostics.map(({ code }) => code)).toEqual(settles ? [] : ['NameTaken']);
    expect(found(store, RUN)?.metadata).toMatchObject(before.metadata);
    expect(reasonsOf(store)).not.toContain('SuccessfulCreate');
  });

  test('and that was free again at the next look leaves the slot due', async () => {
    const store = storeOf([settledSchedule(REPLACING)]);
    store.failWrite(1, { kind: 'exists', message: 'exists' });
    const { report } = await applyTick(store);
    expect(report.schedules[0]?.verdict).toMatchObject({ code: 'failed', slot: SLOT });
    await applyTick(store);
    expect(found(store, RUN)).toBeDefined();
  });
});
