import { describe, expect, test } from 'vitest';
import { BACKUP_JOB } from '#api/backups/resources.ts';
import { POD } from '#api/resources.ts';
import type { WorkChanges } from '#core/change/change-set.ts';
import { checkChangeSet } from '#core/change/check.ts';
import type { WorkApply, WorkChange, WorkCreate } from '#core/change/work-change.ts';
import type { KubeObject } from '#core/object/object.ts';
import { typeId } from '#core/observed.ts';
import { reconcile } from '#core/reconcile.ts';
import { observedOf, referentsOf } from '#core/referents.ts';
import { instant } from '#core/time/instant.ts';
import { NOTHING_LIVE } from '#core/works.ts';
import { DRIVERS } from '#drivers/index.ts';
import { renderTemplate } from '#drivers/templates.ts';

const SETTINGS = { graceSeconds: 90, defaultTimeZone: 'UTC', writers: {}, retention: {} };
const NOW = instant(1_795_969_820);

function object(kind: string, name: string, group: string, spec: KubeObject['spec']): KubeObject {
  const scoped = kind === 'BackupJob' || kind === 'Redis' ? { namespace: 'tenant' } : {};
  const metadata = { name, ...scoped, uid: `uid-${name}`, resourceVersion: '7', generation: 1 };
  return { apiVersion: `${group}/v1alpha1`, kind, metadata, ...(spec === undefined ? {} : { spec }) };
}

const DRIVER_GROUP = 'jobdriver.backups.cozystack.io';
const OBJECTS = [
  object('BackupJob', 'order', 'backups.cozystack.io', {
    applicationRef: { kind: 'Redis', name: 'sessions' },
    backupClassName: 'silver',
  }),
  object('BackupClass', 'silver', 'backups.cozystack.io', {
    strategies: [
      {
        application: { kind: 'Redis' },
        strategyRef: { apiGroup: DRIVER_GROUP, kind: 'JobBackupStrategy', name: 'rdb' },
      },
    ],
  }),
  object('JobBackupStrategy', 'rdb', DRIVER_GROUP, {
    template: { spec: { containers: [{ name: 'mover', image: 'mover' }] } },
  }),
];
const APPLICATION = object('Redis', 'sessions', 'apps.cozystack.io', {});

/** One order that is started. */
function started() {
  const observed = new Map([
    ...observedOf(OBJECTS.map((one) => ({ object: one }))),
    ['batch/Job', { state: 'read' as const, objects: [] }],
    [typeId({ ...BACKUP_JOB, kind: 'Backup' }), { state: 'read' as const, objects: [] }],
  ]);
  const live = { ...NOTHING_LIVE, object: () => ({ state: 'found' as const, object: APPLICATION }) };
  const input = { observed, kinds: [], settings: SETTINGS, drivers: DRIVERS };
  const { changeSet } = reconcile({
    ...input,
    now: NOW,
    live,
    render: renderTemplate,
  });
  return { changeSet, input, referents: referentsOf(observed) };
}

/** What the self-check says to a change set with these changes of the order. */
function problems(edit: (work: WorkChanges) => WorkChanges): readonly string[] {
  const { changeSet, input } = started();
  const works = changeSet.works.map(edit);
  return checkChangeSet({ ...changeSet, works }, input)
    .map(({ what }) => what)
    .filter((what) => !what.includes('counts that do not add up'));
}

function withChange(index: number, edit: (change: WorkChange) => WorkChange) {
  return (work: WorkChanges): WorkChanges => ({
    ...work,
    changes: work.changes.map((change, at) => (at === index ? edit(change) : change)),
  });
}

const APPLY = 0;
const CREATE = 1;

function asCreate(change: WorkChange): WorkCreate {
  if (change.verb !== 'create') throw new Error('a create is expected');
  return change;
}

function asApply(change: WorkChange): WorkApply {
  if (change.verb !== 'apply') throw new Error('an apply is expected');
  return change;
}

describe('the self-check of orders', () => {
  test('takes what a driver decided', () => {
    const { changeSet, input } = started();
    expect(changeSet.works.map(({ state }) => state)).toEqual(['started']);
    expect(checkChangeSet(changeSet, input)).toEqual([]);
  });

  test.each<[string, (work: WorkChanges) => WorkChanges]>([
    ['an order of a driver that is not known', (work) => ({ ...work, driver: 'nobody' })],
    ['a write for an order that is invalid', (work) => ({ ...work, state: 'invalid' })],
    [
      'an order that is invalid, and no error that says why',
      (work) => ({ ...work, state: 'invalid', changes: [] }),
    ],
    ['an order that was not read', (work) => ({ ...work, uid: 'another' })],
    [
      'a create of a type that its driver does not make',
      withChange(CREATE, (change) => ({ ...asCreate(change), type: POD })),
    ],
    [
      'a create in another namespace',
      withChange(CREATE, (change) => {
        const create = asCreate(change);
        const key = { ...create.key, namespace: 'other' };
        const metadata = { ...create.object.metadata, namespace: 'other' };
        return { ...create, key, object: { ...create.object, metadata } };
      }),
    ],
    [
      'a create of something else than it says',
      withChange(CREATE, (change) => ({
        ...asCreate(change),
        key: { ...asCreate(change).key, name: 'other' },
      })),
    ],
    [
      'a create that does not say for which order',
      withChange(CREATE, (change) => {
        const create = asCreate(change);
        const { annotations: _marks, ...metadata } = create.object.metadata;
        return { ...create, object: { ...create.object, metadata } };
      }),
    ],
    [
      'a write to another version of the order than was read',
      withChange(APPLY, (change) => ({
        ...asApply(change),
        precondition: { uid: 'uid-order', resourceVersion: '6' },
      })),
    ],
    [
      'a write to an object that is not the order',
      withChange(APPLY, (change) => ({
        ...asApply(change),
        key: { ...asApply(change).key, name: 'other' },
      })),
    ],
    [
      'a status of something that was not made before',
      withChange(APPLY, (change) => {
        const { precondition: _precondition, ...apply } = asApply(change);
        return { ...apply, key: { ...apply.key, name: 'other' } };
      }),
    ],
    [
      'a release that its driver has no reason for',
      withChange(APPLY, (change) => ({
        verb: 'release',
        type: BACKUP_JOB,
        key: change.key,
        reason: 'FinalizerDone',
        precondition: { uid: 'uid-order', resourceVersion: '7' },
        finalizers: ['backups.cozystack.io/cleanup'],
      })),
    ],
  ])('finds %s', (problem, edit) => {
    expect(problems(edit).join('; ')).toContain(problem);
  });

  test('counts orders by themselves', () => {
    const { changeSet, input } = started();
    const { works: _works, ...counts } = changeSet.counts;
    const [found] = checkChangeSet({ ...changeSet, counts }, input);
    expect(found?.what).toContain('counts that do not add up');
  });
});
