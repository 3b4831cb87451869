import { describe, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import { EVENT } from '#core/object/resource.ts';
import { instant } from '#core/time/instant.ts';
import { runNameOf } from '#test/properties/support/run-object.ts';
import {
  applyTick,
  CREATE,
  FINISHED,
  found,
  HISTORY,
  HOUR,
  isoText,
  keyOfRun,
  linesOf,
  NOW,
  OLDER,
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
  withStatus,
  YOUNGER,
} from './apply-world.ts';

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
