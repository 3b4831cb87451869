import { describe, expect, test } from 'vitest';
import { isObject } from '#core/object/canonical.ts';
import { keyOf } from '#core/object/key.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { mover, policy, schedule, snapshot } from '#test/kinds/snapshot-schedule/world.ts';
import { applyTick, found, linesOf, reasonsOf, statusOf, storeOf, withStatus } from './apply-world.ts';

const PRUNED_BY = 'kopiur.home-operations.com/pruned-by';
const MANAGED = { retention: { 'snapshot-policy': 'manage' } } as const;
const NEW = 'nightly-20260610030000';

function running(name: string, slot: string): KubeObject {
  return snapshot(name, slot, { phase: 'Running' });
}

const BEFORE = running('nightly-20260609030000', '2026-06-09T03:00:00Z');
const REPLACING = [schedule('nightly', {}, { concurrencyPolicy: 'Replace' }), policy('pg')];

function succeeded(name: string, endTime: string, more: JsonObject = {}): KubeObject {
  const slot = `${endTime.slice(0, 11)}03:00:00Z`;
  return snapshot(name, slot, { phase: 'Succeeded', origin: 'scheduled', timing: { endTime }, ...more });
}

describe('a run that is replaced', () => {
  test('goes behind its Job, marked, before the new one comes', async () => {
    const store = storeOf([...REPLACING, BEFORE, mover('nightly-20260609030000')]);
    const { report } = await applyTick(store);
    expect(linesOf(report)).toEqual([
      'delete nightly-20260609030000 done',
      'delete nightly-20260609030000 done',
      `create ${NEW} done`,
      'apply nightly done',
    ]);
    expect(store.objects().filter(({ kind }) => kind === 'Job')).toEqual([]);
    expect(reasonsOf(store)).toEqual(['ReplacedActiveRun']);
  });

  test('leaves a Job of its name that something else controls', async () => {
    const store = storeOf([...REPLACING, BEFORE, mover('nightly-20260609030000', 'uid-other')]);
    await applyTick(store);
    expect(store.objects().filter(({ kind }) => kind === 'Job')).toHaveLength(1);
    expect(found(store, NEW)).toBeDefined();
  });

  test('survives when it finishes between its mark and its delete, and loses the mark on the next tick', async () => {
    const store = storeOf([...REPLACING, BEFORE]);
    const finish = withStatus({ phase: 'Succeeded', timing: { endTime: '2026-06-10T03:00:11Z' } });
    store.beforeWrite(2, () => store.edit(keyOf(BEFORE), finish));
    await applyTick(store);
    const kept = found(store, 'nightly-20260609030000');
    expect(kept?.metadata.annotations?.[PRUNED_BY]).toBe('replaced-run');
    expect(found(store, NEW)).toBeDefined();
    expect(reasonsOf(store)).toEqual([]);
    const { report } = await applyTick(store);
    expect(linesOf(report)).toContain('annotate nightly-20260609030000 done');
    expect(found(store, 'nightly-20260609030000')?.metadata.annotations?.[PRUNED_BY]).toBeUndefined();
    expect(statusOf(store, 'nightly').lastSuccessfulSchedule).toMatchObject({ at: '2026-06-09T03:00:00Z' });
  });

  test('survives when its Job has finished by itself', async () => {
    const job = mover('nightly-20260609030000');
    const store = storeOf([...REPLACING, BEFORE, job]);
    store.beforeWrite(1, () =>
      store.edit(keyOf(job), withStatus({ conditions: [{ type: 'Complete', status: 'True' }] })),
    );
    await applyTick(store);
    expect(found(store, NEW)).toBeDefined();
    expect(store.objects().filter(({ kind }) => kind === 'Snapshot')).toHaveLength(2);
  });

  test('that cannot be marked stays, and nothing is started in its place', async () => {
    const store = storeOf([...REPLACING, BEFORE]);
    store.failWrite(1, { kind: 'forbidden', message: 'no' });
    const { report } = await applyTick(store);
    expect(found(store, 'nightly-20260609030000')).toBeDefined();
    expect(found(store, NEW)).toBeUndefined();
    expect(report.partial).toBe(true);
  });
});

describe('retention', () => {
  const kept = succeeded('nightly-20260609030000', '2026-06-09T03:10:00Z');
  const old = succeeded('nightly-20260608030000', '2026-06-08T03:10:00Z');
  const objects = [schedule('nightly'), policy('pg', { retention: { keepLatest: 1 } }), kept, old];

  test('deletes what is beyond it, marked, behind the status', async () => {
    const store = storeOf(objects);
    const { report } = await applyTick(store, { settings: MANAGED });
    expect(found(store, 'nightly-20260608030000')).toBeUndefined();
    expect(found(store, 'nightly-20260609030000')).toBeDefined();
    expect(report.retention.map(({ owner, applied }) => [owner.key.name, applied.length])).toEqual([
      ['pg', 1],
    ]);
    expect(statusOf(store, 'nightly').lastSuccessfulSchedule).toMatchObject({ at: '2026-06-09T03:00:00Z' });
  });

  test('waits while the status that tells of the run cannot be written', async () => {
    const store = storeOf(objects);
    store.failWrite(2, { kind: 'transient', message: 'timeout' });
    const { report } = await applyTick(store, { settings: MANAGED });
    expect(found(store, 'nightly-20260608030000')).toBeDefined();
    expect(report.retention.flatMap(({ applied }) => applied.map(({ state }) => state))).toEqual(['skipped']);
    expect(report.partial).toBe(true);
  });

  test('is off unless it is asked for', async () => {
    const store = storeOf(objects);
    const { reconciliation } = await applyTick(store);
    expect(reconciliation.changeSet.retention).toEqual([]);
    expect(found(store, 'nightly-20260608030000')).toBeDefined();
  });

  test('comes last in a budget of deletes', async () => {
    const failed = ['07', '06'].map((day) =>
      snapshot(`nightly-202606${day}030000`, `2026-06-${day}T03:00:00Z`, { phase: 'Failed' }),
    );
    const [first, ...rest] = objects;
    const limited = {
      ...first,
      spec: { ...(isObject(first?.spec) ? first.spec : {}), failedJobsHistoryLimit: 0 },
    };
    const store = storeOf([limited as KubeObject, ...rest, ...failed]);
    const { reconciliation } = await applyTick(store, { settings: { ...MANAGED, maxDeletes: 2 } });
    expect(reconciliation.changeSet.retention).toEqual([]);
    expect(reconciliation.changeSet.counts.deletes).toBe(2);
    expect(reconciliation.changeSet.diagnostics.map(({ code }) => code)).toContain('BudgetExhausted');
  });
});
