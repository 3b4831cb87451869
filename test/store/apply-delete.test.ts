import { describe, expect, test } from 'vitest';
import type { ScheduleKind } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import { EVENT } from '#core/object/resource.ts';
import { typeId } from '#core/observed.ts';
import { reconcile } from '#core/reconcile.ts';
import { cronJob } from '#kinds/cron-job/index.ts';
import { applyChangeSet } from '#store/apply.ts';
import { runStatus } from '#test/properties/support/run-object.ts';
import { SETTINGS } from '#test/properties/support/tick.ts';
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
  REPLACING,
  RUN,
  reasonsOf,
  renamed,
  richObjects,
  SLOT,
  settledSchedule,
  statusOf,
  storeOf,
  withStatus,
} from './apply-world.ts';

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
      expect(reasonsOf(store)).not.toContain('SuccessfulDelete');
      expect(reasonsOf(store)).not.toContain('FailedDelete');
    }
    await applyTick(store);
    expect(found(store, RUN)).toBeUndefined();
    expect(statusOf(store, 'rotate')).toEqual({
      lastScheduleTime: isoText(SLOT),
      lastSuccessfulTime: isoText(SLOT + 120),
    });
  });
});
