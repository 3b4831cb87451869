import { describe, expect, it, test } from 'vitest';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { typeId } from '#core/observed.ts';
import type { WorkState } from '#core/run/driver.ts';
import { JOB_DRIVER } from '#drivers/job/index.ts';
import {
  backup,
  batchJob,
  created,
  type Given,
  GROUP,
  inputOf,
  jobEnd,
  lastStatus,
  linesOf,
  made,
  OUR_GROUP,
  restoreJob,
  strategy,
  wantsOf,
  workOn,
} from './support/given.ts';

const READY = [backup(), strategy()];
const LONGEST = 'n'.repeat(55);
const VELERO = { apiGroup: 'velero.io', kind: 'Velero', name: 'v' };
const GONE = { deletionTimestamp: '2026-11-29T03:00:00Z' };
const CLEANUP = `${GROUP}/cleanup`;
const LATE = '2026-11-29T03:30:01Z';
const START = [
  'status RestoreJob Running JobStarting',
  'create Job back-restore',
  'status RestoreJob Running JobCreated',
];
const NOT_READY = ['status RestoreJob Pending BackupNotReady'];
const FAILED = ['status RestoreJob Failed RestoreFailed'];

function ownJob(status: JsonObject = {}): KubeObject {
  return batchJob(status, { name: 'back-restore', owner: 'uid-restore' });
}

function args(job: KubeObject): unknown {
  const spec = job.spec as { template: { spec: { containers: { args: unknown }[] } } };
  return spec.template.spec.containers[0]?.args;
}

describe('a RestoreJob goes from state to state (backups.md B.4)', () => {
  test.each<[name: string, given: Given, state: WorkState, steps: readonly string[]]>([
    ['the Backup is ready', { objects: [restoreJob(), ...READY] }, 'started', START],
    ['the Backup is missing', { objects: [restoreJob()] }, 'pending', NOT_READY],
    [
      'the Backup is pending',
      { objects: [restoreJob(), backup({ phase: 'Pending' })] },
      'pending',
      NOT_READY,
    ],
    ['the Backup has no phase', { objects: [restoreJob(), backup({})] }, 'pending', NOT_READY],
    [
      'the Backup is being deleted',
      { objects: [restoreJob(), backup({ phase: 'Ready' }, { metadata: GONE })] },
      'pending',
      NOT_READY,
    ],
    ['the Backup is missing for half an hour', { objects: [restoreJob()], now: LATE }, 'failed', FAILED],
    ['the Backup failed', { objects: [restoreJob(), backup({ phase: 'Failed' })] }, 'failed', FAILED],
    [
      'backups cannot be read',
      { objects: [restoreJob()], unreadable: [`${GROUP}/Backup`] },
      'unreadable',
      [],
    ],
    [
      'the strategy of the Backup is another driver’s, which failed it',
      { objects: [restoreJob(), backup({ phase: 'Failed' }, { spec: { strategyRef: VELERO } })] },
      'foreign',
      [],
    ],
    [
      'the strategy of the Backup has no group',
      { objects: [restoreJob(), backup(undefined, { spec: { strategyRef: { kind: 'X', name: 'x' } } })] },
      'failed',
      FAILED,
    ],
    [
      'the kind of the strategy is unknown',
      {
        objects: [
          restoreJob(),
          backup(undefined, { spec: { strategyRef: { apiGroup: OUR_GROUP, kind: 'X', name: 'x' } } }),
        ],
      },
      'failed',
      FAILED,
    ],
    [
      'the strategy is missing',
      { objects: [restoreJob(), backup()] },
      'waiting',
      ['status RestoreJob Running StrategyNotReady'],
    ],
    [
      'the target is missing',
      { objects: [restoreJob(), ...READY], live: { state: 'missing' } },
      'waiting',
      ['status RestoreJob Running ApplicationNotReady'],
    ],
    [
      'the longest name',
      { objects: [restoreJob({}, { metadata: { name: LONGEST } }), ...READY] },
      'started',
      START.map((line) => line.replace('back-restore', `${LONGEST}-restore`)),
    ],
    [
      'a name that leaves no room for that of its Job',
      { objects: [restoreJob({}, { metadata: { name: `${LONGEST}n` } }), ...READY] },
      'invalid',
      [],
    ],
    ['the Job runs', { objects: [restoreJob(created('back-restore')), ownJob()] }, 'running', []],
    ['the Job vanished', { objects: [restoreJob(created('back-restore')), ...READY] }, 'failed', FAILED],
    [
      'the Job is complete, and the Backup is gone',
      { objects: [restoreJob(created('back-restore')), ownJob(jobEnd('Complete'))] },
      'succeeded',
      ['status RestoreJob Succeeded RestoreCompleted'],
    ],
    [
      'the Job failed',
      { objects: [restoreJob(created('back-restore')), ownJob(jobEnd('Failed'))] },
      'failed',
      FAILED,
    ],
    ['it is over', { objects: [restoreJob({ phase: 'Succeeded' })] }, 'finished', []],
    [
      'its name is too long',
      { objects: [restoreJob({}, { metadata: { name: 'n'.repeat(56) } }), ...READY] },
      'invalid',
      [],
    ],
    ['its spec does not fit', { objects: [restoreJob({}, { spec: { backupRef: {} } })] }, 'invalid', []],
    ['it is being deleted', { objects: [restoreJob({}, { metadata: GONE }), ...READY] }, 'deleting', []],
    [
      'it is being deleted and waits for its finalizer',
      {
        objects: [
          restoreJob({}, { metadata: { ...GONE, finalizers: [CLEANUP, 'example.org/mine'] } }),
          ...READY,
        ],
      },
      'releasing',
      [`release ${CLEANUP}`],
    ],
    [
      'it is being deleted and waits for another driver',
      {
        objects: [
          restoreJob({}, { metadata: { ...GONE, finalizers: [CLEANUP] } }),
          backup(undefined, { spec: { strategyRef: VELERO } }),
        ],
      },
      'deleting',
      [],
    ],
  ])('%s', (_name, given, state, steps) => {
    const work = workOn(given);
    expect([work.state, linesOf(work)]).toEqual([state, steps]);
  });
});

describe('what is restored', () => {
  it('parameters come from the keys of this driver in the Backup', () => {
    const work = workOn({ objects: [restoreJob(), ...READY] });
    expect(args(made(work, 'Job'))).toEqual(['--host=sessions', '--bucket=silver']);
  });

  it('a success has no Backup to point to', () => {
    const work = workOn({ objects: [restoreJob(created('back-restore')), ownJob(jobEnd('Complete'))] });
    expect(lastStatus(work)).not.toHaveProperty('backupRef');
    expect(lastStatus(work)).toMatchObject({ completedAt: '2026-11-29T03:00:20Z' });
  });

  it('the template for restores goes before the other one', () => {
    const text = '{{ Backup.Name }} {{ Backup.ApplicationRef.Kind }} {{ RestoreJob.Name }} {{ Mode }}';
    const restoreTemplate = { spec: { containers: [{ name: 'r', image: 'i', args: [text] }] } };
    const work = workOn({ objects: [restoreJob(), backup(), strategy({ restoreTemplate })] });
    expect(args(made(work, 'Job'))).toEqual(['nightly-1 Redis back restore']);
  });

  it.each([
    ['the application of the Backup', undefined, 'apps.cozystack.io', 'Redis', 'sessions'],
    ['another name', { kind: 'Redis', name: 'staging' }, 'apps.cozystack.io', 'Redis', 'staging'],
    ['another group', { apiGroup: 'x.org', kind: 'Cache', name: 's' }, 'x.org', 'Cache', 's'],
  ])('the target is %s', (_name, target, group, kind, name) => {
    const spec = { backupRef: { name: 'nightly-1' }, ...(target ? { targetApplicationRef: target } : {}) };
    const { objects } = wantsOf({ objects: [restoreJob({}, { spec }), ...READY] });
    expect(objects).toEqual([{ group, kind, namespace: 'shop', name }]);
  });

  it('a group of the Backup holds where the target has none', () => {
    const taken = backup(undefined, {
      spec: { applicationRef: { apiGroup: 'x.org', kind: 'Cache', name: 'a' } },
    });
    const spec = { backupRef: { name: 'nightly-1' }, targetApplicationRef: { kind: 'Cache', name: 'b' } };
    const { objects } = wantsOf({ objects: [restoreJob({}, { spec }), taken, strategy()] });
    expect(objects).toEqual([{ group: 'x.org', kind: 'Cache', namespace: 'shop', name: 'b' }]);
  });
});

describe('a Backup that is being deleted', () => {
  const finalizers = [CLEANUP, `${GROUP}/cleanup-velero`, 'example.org/mine'];
  it.each<[name: string, object: KubeObject, state: WorkState, steps: readonly string[]]>([
    [
      'is let go by both known finalizers',
      backup({}, { metadata: { ...GONE, finalizers } }),
      'releasing',
      [`release ${CLEANUP} ${GROUP}/cleanup-velero`],
    ],
    [
      'waits for others',
      backup({}, { metadata: { ...GONE, finalizers: ['example.org/mine'] } }),
      'deleting',
      [],
    ],
    [
      'of another driver is left to it',
      backup({}, { metadata: { ...GONE, finalizers }, spec: { strategyRef: VELERO } }),
      'deleting',
      [],
    ],
    ['is not let go before that', backup({}, { metadata: { finalizers } }), 'finished', []],
  ])('%s', (_name, object, state, steps) => {
    const [work] = JOB_DRIVER.works(inputOf({ objects: [object] }));
    if (work === undefined) throw new Error('a Backup is not looked at');
    expect([typeId(work.type), work.state, linesOf(work)]).toEqual([`${GROUP}/Backup`, state, steps]);
  });
});

describe('a creation in the future, from which the half hour would count', () => {
  const creationTimestamp = '2026-11-29T04:00:00Z';

  it('is told while the Backup is waited for', () => {
    const work = workOn({ objects: [restoreJob({}, { metadata: { creationTimestamp } })] });
    expect(work.state).toBe('pending');
    expect(work.findings).toMatchObject([
      { code: 'AnchorInFuture', severity: 'warning', path: ['metadata', 'creationTimestamp'] },
    ]);
  });

  it('is nothing to tell once the Backup is there', () => {
    const objects = [restoreJob({}, { metadata: { creationTimestamp } }), ...READY];
    expect(workOn({ objects }).findings).toEqual([]);
  });
});
