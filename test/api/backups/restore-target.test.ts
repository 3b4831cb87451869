import { describe, expect, test } from 'vitest';
import { type Application, looseReference } from '#api/backups/reference.ts';
import { restorePointOf } from '#api/backups/restore-point.ts';
import { targetOf } from '#api/backups/restore-target.ts';
import { restoredInto } from '#cli/order-beside.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { followObject } from '#drivers/job/follow.ts';
import { syntaxProblem } from '#drivers/job/template.ts';
import { trialOrders } from '#drivers/job/trial-orders.ts';
import { backup, inputOf, restoreJob, strategy } from '#test/drivers/job/support/given.ts';

const LEDGER = { apiGroup: 'other.example', kind: 'Ledger', name: 'main' };
const COPY: Application = { ...LEDGER, name: 'copy' };
const DEFAULT_COPY: Application = { ...COPY, apiGroup: 'apps.cozystack.io' };
const REDIS_COPY: Application = { apiGroup: 'db.example', kind: 'Redis', name: 'copy' };

function restoreInto(target: JsonObject): KubeObject {
  return restoreJob({}, { spec: { backupRef: { name: 'nightly-1' }, targetApplicationRef: target } });
}

function objectOf({ apiGroup, kind, name }: Application): KubeObject {
  return { apiVersion: `${apiGroup}/v1`, kind, metadata: { name, namespace: 'shop' } };
}

describe('a target that names no group has that of the Backup', () => {
  test.each<[name: string, taken: JsonObject, target: JsonObject | undefined, want: Application]>([
    ['no group is named', LEDGER, { kind: 'Ledger', name: 'copy' }, COPY],
    ['an empty one is none', LEDGER, { apiGroup: '', kind: 'Ledger', name: 'copy' }, COPY],
    ['a group is named', LEDGER, { ...REDIS_COPY }, REDIS_COPY],
    ['neither names one', { kind: 'Ledger', name: 'main' }, { kind: 'Ledger', name: 'copy' }, DEFAULT_COPY],
    ['there is no target', LEDGER, undefined, LEDGER],
  ])('%s', (_name, taken, target, want) => {
    const asked = target === undefined ? undefined : looseReference(target);
    expect(targetOf(looseReference(taken), asked)).toEqual(want);
  });
});

describe('whoever asks gets the same target', () => {
  const order = restoreInto({ kind: 'Ledger', name: 'copy' });
  const record = backup(undefined, { spec: { applicationRef: LEDGER } });

  /** What is told of the order, and the application that a trial of its templates is given. */
  function follow(...objects: readonly KubeObject[]): { told: readonly string[]; tried: readonly unknown[] } {
    const all = [order, record, strategy(), ...objects];
    const input = { ...inputOf({ objects: all }), objects: all.map((object) => ({ object })), syntaxProblem };
    if (input.render === undefined) throw new Error('the template language is not loaded');
    const whole = { ...input, render: input.render };
    return {
      told: followObject(order, whole).map(({ what }) => what),
      tried: trialOrders(strategy(), whole).map(({ context }) => context['Application']),
    };
  }

  test('the findings about a RestoreJob', () => {
    expect(follow(objectOf(COPY)).told).toEqual([]);
    expect(follow(objectOf(DEFAULT_COPY)).told).toEqual(['no Ledger "copy" is among these manifests']);
  });

  test('the trial of a strategy', () => {
    expect(follow(objectOf(COPY)).tried).toEqual([objectOf(COPY)]);
    expect(follow(objectOf(DEFAULT_COPY)).tried).toEqual([]);
  });

  test('the question what else restores into it', () => {
    expect(restoredInto(order, [restorePointOf(record)])).toEqual(COPY);
    expect(restoredInto(order, [])).toEqual(DEFAULT_COPY);
  });
});
