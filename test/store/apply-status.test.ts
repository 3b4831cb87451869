import { describe, expect, test } from 'vitest';
import type { MemoryStore } from '#test/fakes/memory-store.ts';
import {
  applyTick,
  editSpec,
  FINISHED,
  found,
  HOUR,
  isoText,
  linesOf,
  ownRun,
  REPLACING,
  renamed,
  richObjects,
  SCHEDULE,
  SLOT,
  STATUS,
  settledSchedule,
  statusOf,
  storeOf,
  withStatus,
} from './apply-world.ts';

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
    const store = storeOf([
      { ...schedule, status: { lastScheduleTime: isoText(SLOT), lastSuccessfulTime: null, active } },
    ]);
    await applyTick(store);
    expect(statusOf(store, 'rotate')).toEqual({ lastScheduleTime: isoText(SLOT) });
    const next = await applyTick(store);
    expect(next.reconciliation.changeSet.schedules[0]?.verdict.code).toBe('waiting');
    expect(next.report.schedules).toEqual([]);
  });
});
