import { describe, expect, test } from 'vitest';
import type { ScheduleKind } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import { reconcile } from '#core/reconcile.ts';
import { instant } from '#core/time/instant.ts';
import { cronJob } from '#kinds/cron-job/index.ts';
import { applyChangeSet } from '#store/apply.ts';
import type { FailureKind } from '#store/port.ts';
import type { MemoryStore } from '#test/fakes/memory-store.ts';
import { ownerReference, runNameOf, runStatus } from '#test/properties/support/run-object.ts';
import { SETTINGS } from '#test/properties/support/tick.ts';
import {
  applyTick,
  found,
  HOUR,
  isoText,
  keyOfRun,
  linesOf,
  NOW,
  ownRun,
  POLICY,
  REPLACING,
  reasonsOf,
  richObjects,
  SLOT,
  settledSchedule,
  statusOf,
  storeOf,
} from './apply-world.ts';

const RUN = runNameOf(REPLACING, SLOT);
const OLDER = runNameOf(REPLACING, SLOT - 2 * HOUR);
const YOUNGER = runNameOf(REPLACING, SLOT - HOUR);
const FINISHED = runNameOf(REPLACING, SLOT - 3 * HOUR);
const SCHEDULE = keyOf(settledSchedule(REPLACING));
/** The order of the writes of the rich tick, counted from 1. */
const CREATE = 3;
const STATUS = 4;
const HISTORY = 5;

function withStatus(status: KubeObject['status']): (object: KubeObject) => KubeObject {
  return ({ status: _before, ...object }) => (status === undefined ? object : { ...object, status });
}

function editSpec(object: KubeObject): KubeObject {
  const spec = isObject(object.spec) ? object.spec : {};
  const generation = (object.metadata.generation ?? 0) + 1;
  return {
    ...object,
    metadata: { ...object.metadata, generation },
    spec: { ...spec, schedule: '30 4 * * *' },
  };
}

function renamed(object: KubeObject, uid: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid } };
}

describe('an undisturbed change set', () => {
  test('is written in the order of design.md 3.5', async () => {
    const store = storeOf(richObjects());
    const { report } = await applyTick(store);
    expect(linesOf(report)).toEqual([
      `delete ${OLDER} done`,
      `delete ${YOUNGER} done`,
      `create ${RUN} done`,
      'apply rotate done',
      `delete ${FINISHED} done`,
    ]);
    expect(report.partial).toBe(false);
    expect(statusOf(store, 'rotate')).toMatchObject({
      lastScheduleTime: isoText(SLOT),
      lastSuccessfulTime: isoText(SLOT - 3 * HOUR + 120),
      active: [{ name: RUN }],
    });
    expect(reasonsOf(store)).toEqual([
      'SuccessfulCreate',
      'SuccessfulDelete',
      'SuccessfulDelete',
      'SuccessfulDelete',
    ]);
  });
});

describe('a status that went stale', () => {
  test('moves only the anchor of a run that was created, and the edit in between survives', async () => {
    const store = storeOf(richObjects());
    store.beforeWrite(STATUS, () => store.edit(SCHEDULE, editSpec));
    const { report } = await applyTick(store);
    expect(found(store, 'rotate')?.spec).toMatchObject({ schedule: '30 4 * * *' });
    expect(statusOf(store, 'rotate')).toEqual({ lastScheduleTime: isoText(SLOT) });
    expect(linesOf(report)).toContain('apply rotate done');
  });

  test('leaves the history alone until the rest of the status is written', async () => {
    const store = storeOf(richObjects());
    store.beforeWrite(STATUS, () => store.edit(SCHEDULE, editSpec));
    const { report } = await applyTick(store);
    expect(linesOf(report)).toContain(`delete ${FINISHED} skipped`);
    await applyTick(store);
    expect(found(store, FINISHED)).toBeUndefined();
    expect(statusOf(store, 'rotate').lastSuccessfulTime).toBe(isoText(SLOT - 3 * HOUR + 120));
  });

  test('never moves an anchor back that somebody moved further on', async () => {
    const store = storeOf(richObjects());
    const later = { lastScheduleTime: isoText(SLOT + HOUR) };
    store.beforeWrite(STATUS, () => store.edit(SCHEDULE, withStatus(later)));
    await applyTick(store);
    expect(statusOf(store, 'rotate')).toEqual(later);
  });

  test('is left for the next tick where nothing was created', async () => {
    const store = storeOf([
      settledSchedule({ ...REPLACING, suspend: true }),
      ownRun(REPLACING, 1, 'running'),
    ]);
    store.beforeWrite(1, () => store.edit(SCHEDULE, editSpec));
    const { report } = await applyTick(store);
    expect(linesOf(report)).toEqual(['apply rotate failed']);
    expect(report.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'warning ChangedMeanwhile',
    ]);
    expect(statusOf(store, 'rotate')).toEqual({ lastScheduleTime: isoText(SLOT - HOUR) });
    expect((await applyTick(store)).report.partial).toBe(false);
  });

  test('is not written to a schedule that took the name of the one that was read', async () => {
    const store = storeOf(richObjects());
    store.beforeWrite(STATUS, () => {
      store.remove(SCHEDULE);
      store.put(renamed(settledSchedule(REPLACING), 'uid-new'));
    });
    const { report } = await applyTick(store);
    expect(linesOf(report)).toContain('apply rotate failed');
    expect(statusOf(store, 'rotate')).toEqual({ lastScheduleTime: isoText(SLOT - HOUR) });
  });
});

describe('a field conflict', () => {
  function takeOver(store: MemoryStore): void {
    const managedFields = [
      {
        manager: 'kube-controller-manager',
        operation: 'Update',
        subresource: 'status',
        fieldsV1: { 'f:status': { 'f:lastScheduleTime': {} } },
      },
    ];
    store.edit(SCHEDULE, (object) => ({
      ...object,
      metadata: { ...object.metadata, managedFields },
      status: { lastScheduleTime: isoText(SLOT - 2 * HOUR) },
    }));
  }

  test('is neither retried nor forced, and the object is observed from then on', async () => {
    const store = storeOf(richObjects());
    store.beforeWrite(STATUS, () => takeOver(store));
    const { report } = await applyTick(store);
    // The stale version is looked at once, and that look meets the other manager.
    expect(store.writes().filter(({ verb }) => verb === 'apply')).toHaveLength(2);
    expect(statusOf(store, 'rotate')).toEqual({ lastScheduleTime: isoText(SLOT - 2 * HOUR) });
    expect(report.diagnostics.map(({ what }) => what).join()).toContain('kube-controller-manager');
    const next = await applyTick(store);
    expect(next.reconciliation.changeSet.schedules[0]?.verdict).toMatchObject({
      code: 'observed',
      actor: 'kube-controller-manager',
    });
  });

  test('of the first write is not even looked at', async () => {
    const store = storeOf(richObjects());
    store.failWrite(STATUS, { kind: 'fieldConflict', message: '.status.active is owned by "other"' });
    const { report } = await applyTick(store);
    expect(store.writes().filter(({ verb }) => verb === 'apply')).toHaveLength(1);
    expect(report.partial).toBe(true);
    expect(linesOf(report)).toContain(`delete ${FINISHED} skipped`);
  });
});

describe('fields that nobody ever owned', () => {
  test('are taken over before they are dropped, so that they do go and the object stays ours', async () => {
    const active = [{ kind: 'Job', name: 'long-gone', uid: 'uid-gone' }];
    const schedule = settledSchedule(REPLACING);
    const store = storeOf([{ ...schedule, status: { lastScheduleTime: isoText(SLOT), active } }]);
    await applyTick(store);
    expect(statusOf(store, 'rotate')).toEqual({ lastScheduleTime: isoText(SLOT) });
    const next = await applyTick(store);
    expect(next.reconciliation.changeSet.schedules[0]?.verdict.code).toBe('waiting');
    expect(next.report.schedules).toEqual([]);
  });
});

describe('a run to be replaced', () => {
  test('survives when it finished meanwhile, and the new one starts', async () => {
    const store = storeOf(richObjects());
    store.beforeWrite(1, () =>
      store.edit(keyOfRun(REPLACING, 2), withStatus(runStatus('CronJob', 'succeeded', NOW - 5))),
    );
    const { report } = await applyTick(store);
    expect(found(store, OLDER)?.status).toMatchObject({ completionTime: isoText(NOW - 5) });
    expect(found(store, RUN)).toBeDefined();
    expect(report.diagnostics.map(({ code }) => code)).toEqual(['ChangedMeanwhile']);
    expect(report.partial).toBe(false);
  });

  test('survives when its name was given to another object', async () => {
    const store = storeOf(richObjects());
    store.beforeWrite(1, () => {
      store.remove(keyOfRun(REPLACING, 2));
      store.put(renamed(ownRun(REPLACING, 2, 'running'), 'uid-reborn'));
    });
    await applyTick(store);
    expect(found(store, OLDER)?.metadata.uid).toBe('uid-reborn');
    expect(found(store, RUN)).toBeDefined();
  });

  test('goes under its new version when it only made progress', async () => {
    const store = storeOf(richObjects());
    store.beforeWrite(1, () =>
      store.edit(keyOfRun(REPLACING, 2), withStatus(runStatus('CronJob', 'running', NOW - 5))),
    );
    await applyTick(store);
    expect(found(store, OLDER)).toBeUndefined();
    expect(found(store, RUN)).toBeDefined();
  });

  test('is no obstacle when it is gone already', async () => {
    const store = storeOf(richObjects());
    store.beforeWrite(1, () => store.remove(keyOfRun(REPLACING, 2)));
    const { report } = await applyTick(store);
    expect(linesOf(report)).toContain(`delete ${OLDER} unnecessary`);
    expect(found(store, RUN)).toBeDefined();
  });

  test('holds the new one when it cannot be deleted, and the slot stays due', async () => {
    const store = storeOf(richObjects());
    store.failWrite(2, { kind: 'forbidden', message: 'no' });
    const { report } = await applyTick(store);
    expect(linesOf(report)).toContain(`create ${RUN} skipped`);
    expect(report.schedules[0]?.verdict).toMatchObject({ code: 'failed', slot: SLOT });
    expect(statusOf(store, 'rotate').lastScheduleTime).toBe(isoText(SLOT - HOUR));
    await applyTick(store);
    expect(found(store, RUN)).toBeDefined();
  });

  test('holds the new one when it changes faster than it can be deleted', async () => {
    const store = storeOf(richObjects());
    const touch = (): void => store.edit(keyOfRun(REPLACING, 1), (object) => ({ ...object }));
    const touchOlder = (): void => store.edit(keyOfRun(REPLACING, 2), (object) => ({ ...object }));
    for (const nth of [1, 2, 3, 4]) {
      store.beforeWrite(nth, () => {
        touch();
        touchOlder();
      });
    }
    const { report } = await applyTick(store);
    expect(found(store, RUN)).toBeUndefined();
    expect(report.schedules[0]?.verdict).toMatchObject({ code: 'failed', slot: SLOT });
  });

  test('holds the new one when it came into a phase that this build does not know', async () => {
    const kind: ScheduleKind = {
      ...cronJob,
      phaseOf: (job) => (isObject(job.status) && job.status.odd === true ? 'unknown' : cronJob.phaseOf(job)),
    };
    const store = storeOf(richObjects());
    const types = [kind.resource, kind.run, EVENT];
    const listings = await Promise.all(
      types.map(async (type) => [typeId(type), await store.list(type)] as const),
    );
    const observed = new Map(listings);
    const reconciliation = reconcile({ observed, kinds: [kind], settings: SETTINGS, now: NOW });
    store.beforeWrite(1, () => store.edit(keyOfRun(REPLACING, 2), withStatus({ odd: true })));
    const report = await applyChangeSet(store, reconciliation);
    expect(found(store, OLDER)).toBeDefined();
    expect(found(store, RUN)).toBeUndefined();
    expect(linesOf(report)).toContain(`create ${RUN} skipped`);
  });
});

describe('a finished run beyond the history', () => {
  test('survives when its name was given to another object', async () => {
    const store = storeOf(richObjects());
    store.beforeWrite(HISTORY, () => {
      store.remove(keyOfRun(REPLACING, 3));
      store.put(renamed(ownRun(REPLACING, 3, 'running'), 'uid-reborn'));
    });
    const { report } = await applyTick(store);
    expect(found(store, FINISHED)?.metadata.uid).toBe('uid-reborn');
    expect(linesOf(report)).toContain(`delete ${FINISHED} unnecessary`);
    expect(reasonsOf(store).filter((reason) => reason === 'SuccessfulDelete')).toHaveLength(2);
  });

  test('goes under its new version when it is still finished', async () => {
    const store = storeOf(richObjects());
    store.beforeWrite(HISTORY, () => store.edit(keyOfRun(REPLACING, 3), (object) => ({ ...object })));
    await applyTick(store);
    expect(found(store, FINISHED)).toBeUndefined();
  });

  test('goes although the create was refused, so that a full quota heals', async () => {
    const store = storeOf(richObjects());
    store.failWrite(CREATE, { kind: 'forbidden', message: 'exceeded quota' });
    await applyTick(store);
    expect(found(store, FINISHED)).toBeUndefined();
    expect(found(store, RUN)).toBeUndefined();
    await applyTick(store);
    expect(found(store, RUN)).toBeDefined();
  });

  test('stays while its success cannot be recorded', async () => {
    const store = storeOf([settledSchedule(REPLACING), ownRun(REPLACING, 0, 'succeeded')]);
    for (const _attempt of [1, 2]) {
      store.failWrite(store.writes().length + 1, { kind: 'transient', message: 'connection reset' });
      const { report } = await applyTick(store);
      expect(linesOf(report)).toEqual(['apply rotate failed', `delete ${RUN} skipped`]);
    }
    await applyTick(store);
    expect(found(store, RUN)).toBeUndefined();
    expect(statusOf(store, 'rotate')).toEqual({
      lastScheduleTime: isoText(SLOT),
      lastSuccessfulTime: isoText(SLOT + 120),
    });
  });
});

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

describe('budgets', () => {
  const older = { ...REPLACING, name: 'zz-older', expression: '30 * * * *' };

  test('let the oldest slot go first and leave the rest due, named', async () => {
    const store = storeOf([settledSchedule(REPLACING), settledSchedule(older)]);
    const settings = { maxCreates: 1 };
    const first = await applyTick(store, { settings });
    expect(first.report.schedules.map(({ schedule }) => schedule.key.name)).toEqual(['zz-older']);
    const codes = first.reconciliation.changeSet.schedules.map(
      ({ key, verdict }) => `${key.name} ${verdict.code}`,
    );
    expect(codes).toEqual(['rotate deferred', 'zz-older fired']);
    await applyTick(store, { settings });
    expect(found(store, RUN)).toBeDefined();
  });

  test('keep history deletes for later ticks, the oldest first', async () => {
    const hours = [1, 2, 3, 4];
    const store = storeOf([
      settledSchedule(REPLACING),
      ...hours.map((ago) => ownRun(REPLACING, ago, 'succeeded')),
    ]);
    for (const left of [3, 2, 1, 0]) {
      await applyTick(store, { settings: { maxDeletes: 1 } });
      const kept = hours.filter((ago) => found(store, runNameOf(REPLACING, SLOT - ago * HOUR)) !== undefined);
      expect(kept).toEqual(hours.slice(0, left));
    }
  });
});

describe('a signal to stop', () => {
  test.each([0, 1, 2, 3, 4, 5, 6])('after %i writes lets not one more through', async (most) => {
    const store = storeOf([...richObjects(), settledSchedule({ ...REPLACING, name: 'zeta' })]);
    const { report } = await applyTick(store, { apply: { isStopped: () => store.writes().length >= most } });
    expect(store.writes()).toHaveLength(most);
    expect(report.partial).toBe(true);
    const zeta = report.schedules.find(({ schedule }) => schedule.key.name === 'zeta');
    expect(zeta?.verdict).toMatchObject({ code: 'deferred', slot: SLOT });
    const first = report.schedules.find(({ schedule }) => schedule.key.name === 'rotate');
    expect(first?.verdict.code).toBe(most >= CREATE ? 'fired' : 'deferred');
    await applyTick(store);
    expect(statusOf(store, 'rotate')).toMatchObject({
      lastScheduleTime: isoText(SLOT),
      active: [{ name: RUN }],
    });
    expect(statusOf(store, 'zeta').lastScheduleTime).toBe(isoText(SLOT));
  });

  test('tells every change that was left', async () => {
    const store = storeOf(richObjects());
    const { report } = await applyTick(store, { apply: { isStopped: () => true } });
    expect(linesOf(report).every((line) => line.endsWith(' skipped'))).toBe(true);
    expect(linesOf(report)).toHaveLength(HISTORY);
  });
});

describe('events', () => {
  test('are best effort: refused ones are told and count for nothing', async () => {
    const store = storeOf([settledSchedule(POLICY)]);
    store.failWrite(3, { kind: 'forbidden', message: 'events is forbidden' });
    const { report } = await applyTick(store);
    const event = report.schedules[0]?.applied.find(({ change }) => change.verb === 'event');
    expect(event).toMatchObject({ state: 'failed', message: 'events is forbidden' });
    expect(report).toMatchObject({ partial: false, diagnostics: [] });
  });

  test('that were told already are not told again', async () => {
    const store = storeOf([settledSchedule(POLICY)]);
    await applyTick(store);
    store.edit(keyOf(settledSchedule(POLICY)), withStatus({ lastScheduleTime: isoText(SLOT - HOUR) }));
    store.remove({ ...keyOfRun(POLICY, 0) });
    store.setListing(EVENT, { state: 'unreadable', reason: 'no' });
    const { report } = await applyTick(store);
    const event = report.schedules[0]?.applied.find(({ change }) => change.verb === 'event');
    expect(event).toMatchObject({ state: 'unnecessary' });
    expect(reasonsOf(store)).toEqual(['StampedRun']);
  });

  test('tell the failure of a create once for its slot', async () => {
    const store = storeOf([settledSchedule(POLICY)]);
    for (const nth of [1, 4]) {
      store.failWrite(nth, { kind: 'forbidden', message: 'no' });
      await applyTick(store, { now: instant(NOW + nth) });
    }
    expect(reasonsOf(store)).toEqual(['StampFailed']);
  });
});
