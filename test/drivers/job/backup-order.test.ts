import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import type { WorkState } from '#core/run/driver.ts';
import {
  backup,
  backupClass,
  backupJob,
  batchJob,
  created,
  type Given,
  GROUP,
  jobEnd,
  LONG_AGO,
  lastStatus,
  linesOf,
  OUR_GROUP,
  strategy,
  wantsOf,
  workOn,
} from './support/given.ts';

const READY = [backupClass(), strategy()];
const FOREIGN = { strategyRef: { apiGroup: 'velero.io', kind: 'Velero', name: 'v' } };
const NOT_OURS = { owner: 'uid-of-another' };
const RUNNING: JsonObject = { phase: 'Running', startedAt: LONG_AGO };
const GONE = { deletionTimestamp: '2026-11-29T03:00:00Z' };
const FAILED = ['status BackupJob Failed BackupFailed'];
const START = [
  'status BackupJob Running JobStarting',
  'create Job nightly-1-backup',
  'status BackupJob Running JobCreated',
];
const DONE = ['create Backup nightly-1', 'status Backup Ready', 'status BackupJob Succeeded BackupCompleted'];
const CLASS_MISSING = ['status BackupJob Pending BackupClassNotFound'];
const MANAGER = {
  managedFields: [
    {
      manager: 'velero',
      operation: 'Update',
      subresource: 'status',
      fieldsV1: { 'f:status': { 'f:phase': {} } },
    },
  ],
};

describe('a BackupJob goes from state to state (backups.md B.4)', () => {
  test.each<
    [name: string, given: Given, state: WorkState, steps: readonly string[], event: readonly string[]]
  >([
    [
      'nobody has looked at it',
      { objects: [backupJob(), ...READY] },
      'started',
      START,
      ['Normal BackupStarted'],
    ],
    [
      'it was pending',
      { objects: [backupJob({ phase: 'Pending' }), ...READY] },
      'started',
      START,
      ['Normal BackupStarted'],
    ],
    [
      'the class is missing',
      { objects: [backupJob(), strategy()] },
      'pending',
      CLASS_MISSING,
      ['Warning BackupClassNotFound'],
    ],
    [
      'the class is missing for days',
      { objects: [backupJob(), strategy()], now: '2026-12-24T00:00:00Z' },
      'pending',
      CLASS_MISSING,
      ['Warning BackupClassNotFound'],
    ],
    [
      'the class is missing since it was started',
      { objects: [backupJob(RUNNING), strategy()] },
      'failed',
      FAILED,
      ['Warning BackupFailed'],
    ],
    [
      'classes cannot be read',
      { objects: [backupJob(), strategy()], unreadable: [`${GROUP}/BackupClass`] },
      'unreadable',
      [],
      [],
    ],
    [
      'no entry matches',
      { objects: [backupJob(), backupClass({ application: { kind: 'Postgres' } })] },
      'failed',
      FAILED,
      ['Warning BackupFailed'],
    ],
    [
      'the strategy has no group',
      { objects: [backupJob(), backupClass({ strategyRef: { kind: 'JobBackupStrategy', name: 'dump' } })] },
      'pending',
      ['status BackupJob Pending StrategyRefIncomplete'],
      ['Warning StrategyRefIncomplete'],
    ],
    ['the strategy is another driver’s', { objects: [backupJob(), backupClass(FOREIGN)] }, 'foreign', [], []],
    [
      'another driver’s has a long name',
      { objects: [backupJob({}, { metadata: { name: 'n'.repeat(60) } }), backupClass(FOREIGN)] },
      'foreign',
      [],
      [],
    ],
    [
      'the kind of the strategy is unknown',
      {
        objects: [
          backupJob(),
          backupClass({ strategyRef: { apiGroup: OUR_GROUP, kind: 'Other', name: 'x' } }),
        ],
      },
      'failed',
      FAILED,
      ['Warning BackupFailed'],
    ],
    [
      'the strategy is missing',
      { objects: [backupJob(), backupClass()] },
      'waiting',
      ['status BackupJob Running StrategyNotReady'],
      ['Warning StrategyNotReady'],
    ],
    [
      'the strategy is missing for half an hour',
      { objects: [backupJob(RUNNING), backupClass()] },
      'failed',
      FAILED,
      ['Warning BackupFailed'],
    ],
    [
      'the strategy has no container',
      { objects: [backupJob(), backupClass(), strategy({ template: { spec: { containers: [] } } })] },
      'waiting',
      ['status BackupJob Running StrategyNotReady'],
      ['Warning StrategyNotReady'],
    ],
    [
      'strategies cannot be read',
      { objects: [backupJob(RUNNING), backupClass()], unreadable: [`${OUR_GROUP}/JobBackupStrategy`] },
      'unreadable',
      [],
      [],
    ],
    [
      'the application is missing',
      { objects: [backupJob(), ...READY], live: { state: 'missing' } },
      'waiting',
      ['status BackupJob Running ApplicationNotReady'],
      ['Warning ApplicationNotReady'],
    ],
    [
      'the kind of the application is not served for half an hour',
      { objects: [backupJob(RUNNING), ...READY], live: { state: 'unserved' } },
      'failed',
      FAILED,
      ['Warning BackupFailed'],
    ],
    [
      'the application cannot be read, however long',
      { objects: [backupJob(RUNNING), ...READY], live: { state: 'failed', reason: 'timeout' } },
      'unreadable',
      [],
      [],
    ],
    [
      'a template fails',
      { objects: [backupJob(), backupClass({ parameters: {} }), strategy()] },
      'failed',
      FAILED,
      ['Warning BackupFailed'],
    ],
    [
      'the name of its Job belongs to somebody else',
      { objects: [backupJob(), ...READY, batchJob({}, NOT_OURS)] },
      'failed',
      FAILED,
      ['Warning BackupFailed'],
    ],
    [
      'somebody else’s Job of that name is being deleted',
      {
        objects: [backupJob(), ...READY, batchJob({}, { metadata: { ...GONE, ownerReferences: [] } })],
      },
      'waiting',
      ['status BackupJob Running NameConflict'],
      ['Warning NameConflict'],
    ],
    [
      'jobs cannot be read',
      { objects: [backupJob(), ...READY], unreadable: ['batch/Job'] },
      'unreadable',
      [],
      [],
    ],
    [
      'jobs cannot be read and no entry matches',
      {
        objects: [backupJob(created()), backupClass({ application: { kind: 'X' } })],
        unreadable: ['batch/Job'],
      },
      'unreadable',
      [],
      [],
    ],
    [
      'it was killed between the Job and its record',
      { objects: [backupJob(), batchJob()] },
      'running',
      ['status BackupJob Running JobCreated'],
      ['Normal BackupStarted'],
    ],
    ['the Job runs', { objects: [backupJob(created()), batchJob()] }, 'running', [], []],
    [
      'the Job is suspended',
      { objects: [backupJob(created()), batchJob({ conditions: [{ type: 'Suspended', status: 'True' }] })] },
      'running',
      ['status BackupJob Running JobSuspended'],
      [],
    ],
    [
      'the Job is about to fail',
      {
        objects: [
          backupJob(created()),
          batchJob({ conditions: [{ type: 'FailureTarget', status: 'True' }] }),
        ],
      },
      'running',
      [],
      [],
    ],
    [
      'the status of the Job is odd',
      { objects: [backupJob(created()), batchJob({ conditions: [{ type: 'Complete', status: true }] })] },
      'running',
      [],
      [],
    ],
    [
      'the Job vanished',
      { objects: [backupJob(created()), ...READY] },
      'failed',
      FAILED,
      ['Warning BackupFailed'],
    ],
    [
      'it was killed before the Job was made',
      { objects: [backupJob({ phase: 'Running', startedAt: '2026-11-29T03:00:05Z' }), ...READY] },
      'started',
      START,
      ['Normal BackupStarted'],
    ],
    [
      'the Job is complete',
      { objects: [backupJob(created()), batchJob(jobEnd('Complete'))] },
      'succeeded',
      DONE,
      ['Normal BackupCompleted'],
    ],
    [
      'it was killed between the Backup and its record',
      { objects: [backupJob(created()), batchJob(jobEnd('Complete')), backup()] },
      'succeeded',
      ['status BackupJob Succeeded BackupCompleted'],
      ['Normal BackupCompleted'],
    ],
    [
      'it was killed between the Backup and the status of that',
      { objects: [backupJob(created()), batchJob(jobEnd('Complete')), backup({})] },
      'succeeded',
      DONE,
      ['Normal BackupCompleted'],
    ],
    [
      'the name of the Backup belongs to somebody else',
      {
        objects: [
          backupJob(created()),
          batchJob(jobEnd('Complete')),
          backup({}, { metadata: { annotations: { 'minutehand.dev/owner-uid': 'uid-of-another' } } }),
        ],
      },
      'failed',
      FAILED,
      ['Warning BackupFailed'],
    ],
    [
      'the Backup of an earlier order is being deleted',
      {
        objects: [
          backupJob(created()),
          batchJob(jobEnd('Complete')),
          backup({}, { metadata: { ...GONE, annotations: {} } }),
        ],
      },
      'waiting',
      [],
      [],
    ],
    [
      'backups cannot be read',
      { objects: [backupJob(created()), batchJob(jobEnd('Complete'))], unreadable: [`${GROUP}/Backup`] },
      'unreadable',
      [],
      [],
    ],
    [
      'the Job failed',
      { objects: [backupJob(created()), batchJob(jobEnd('Failed'))] },
      'failed',
      FAILED,
      ['Warning BackupFailed'],
    ],
    [
      'the class changed hands meanwhile',
      { objects: [backupJob(created()), batchJob(), backupClass(FOREIGN)] },
      'running',
      [],
      [],
    ],
    [
      'somebody changed what its Job was made from',
      { objects: [backupJob(created()), ...READY, batchJob({}, { pinned: '{' })] },
      'failed',
      FAILED,
      ['Warning BackupFailed'],
    ],
    ['it succeeded', { objects: [backupJob({ phase: 'Succeeded' }), ...READY] }, 'finished', [], []],
    ['it failed', { objects: [backupJob({ phase: 'Failed' }), ...READY] }, 'finished', [], []],
    ['its phase is unknown', { objects: [backupJob({ phase: 'Cancelled' }), ...READY] }, 'invalid', [], []],
    ['it is being deleted', { objects: [backupJob({}, { metadata: GONE }), ...READY] }, 'deleting', [], []],
    [
      'its name is too long',
      { objects: [backupJob({}, { metadata: { name: 'n'.repeat(57) } }), ...READY] },
      'invalid',
      [],
      [],
    ],
    ['its spec does not fit', { objects: [backupJob({}, { spec: {} }), ...READY] }, 'invalid', [], []],
    [
      'somebody else writes its status',
      { objects: [backupJob({ phase: 'Running' }, { metadata: MANAGER }), ...READY] },
      'observed',
      [],
      [],
    ],
    [
      'somebody else writes the status of one whose class is missing',
      { objects: [backupJob({ phase: 'Running' }, { metadata: MANAGER })] },
      'observed',
      [],
      [],
    ],
    [
      'the configuration observes',
      { objects: [backupJob(), ...READY], writer: 'observe' },
      'observed',
      [],
      [],
    ],
  ])('%s', (_name, given, state, steps, events) => {
    const work = workOn(given);
    const told = work.events.map(({ type, reason }) => `${type} ${reason}`);
    expect([work.state, linesOf(work), told]).toEqual([state, steps, events]);
  });
});

describe('what the status tells', () => {
  it('a start has a time, and the Job by its name', () => {
    expect(lastStatus(workOn({ objects: [backupJob(), ...READY] }))).toEqual({
      phase: 'Running',
      startedAt: '2026-11-29T03:00:30Z',
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'JobCreated',
          message: 'Job nightly-1-backup was created',
          lastTransitionTime: '2026-11-29T03:00:30Z',
        },
      ],
    });
  });

  it('a wait that began is not told again', () => {
    const status = lastStatus(workOn({ objects: [backupJob(), backupClass()] }));
    const again = workOn({ objects: [backupJob(status), backupClass()], now: '2026-11-29T03:10:00Z' });
    expect([again.state, again.steps, again.events]).toEqual(['waiting', [], []]);
  });

  it('a failure of the Job is told in the Job’s own words, at its own time', () => {
    const failed = jobEnd('Failed', { reason: 'BackoffLimitExceeded', message: 'too many retries' });
    const work = workOn({ objects: [backupJob(created()), batchJob(failed)] });
    expect(lastStatus(work)).toEqual({
      phase: 'Failed',
      startedAt: '2026-11-29T03:00:05Z',
      completedAt: '2026-11-29T03:00:20Z',
      message: 'BackoffLimitExceeded: too many retries',
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'BackupFailed',
          message: 'BackoffLimitExceeded: too many retries',
          lastTransitionTime: '2026-11-29T03:00:05Z',
        },
      ],
    });
    expect(work.events[0]?.note).toBe('BackoffLimitExceeded: too many retries');
  });

  it('a failure without a start has no start', () => {
    const work = workOn({ objects: [backupJob(), backupClass({ application: { kind: 'Postgres' } })] });
    const message = 'BackupClass silver has no strategy for Redis of apps.cozystack.io';
    expect(lastStatus(work)).toMatchObject({ phase: 'Failed', completedAt: '2026-11-29T03:00:30Z', message });
    expect(lastStatus(work)).not.toHaveProperty('startedAt');
  });

  it('a success points to the Backup, at the time of the Job', () => {
    const work = workOn({ objects: [backupJob(created()), batchJob(jobEnd('Complete'))] });
    expect(lastStatus(work)).toMatchObject({
      phase: 'Succeeded',
      backupRef: { name: 'nightly-1' },
      completedAt: '2026-11-29T03:00:20Z',
      conditions: [{ reason: 'BackupCompleted', status: 'True', lastTransitionTime: '2026-11-29T03:00:30Z' }],
    });
  });

  it('conditions of others are sent along', () => {
    const other = { type: 'Seen', status: 'True', reason: 'Seen', message: '', lastTransitionTime: LONG_AGO };
    const work = workOn({ objects: [backupJob({ conditions: [other] })] });
    expect(lastStatus(work).conditions).toMatchObject([other, { type: 'Ready' }]);
  });

  it.each([
    [
      'a template that fails names the field',
      { objects: [backupJob(), backupClass({ parameters: {} }), strategy()] },
      'JobBackupStrategy dump: spec.template.spec.containers[0].args[1]: undefined variable: Parameters.bucket, line:1, col:13',
    ],
    [
      'an unknown kind names those that are known',
      {
        objects: [
          backupJob(),
          backupClass({ strategyRef: { apiGroup: OUR_GROUP, kind: 'Other', name: 'x' } }),
        ],
      },
      `strategy Other x of ${OUR_GROUP} is not supported; supported kinds: JobBackupStrategy`,
    ],
    [
      'a wait that is over names what was missing',
      { objects: [backupJob(RUNNING), backupClass()] },
      'StrategyNotReady: JobBackupStrategy dump does not exist, for more than 30 minutes',
    ],
    [
      'a Job that vanished is not started again',
      { objects: [backupJob(created()), ...READY] },
      'Job nightly-1-backup vanished before its end was seen; it is not started again',
    ],
    [
      'a name that is taken is a conflict',
      { objects: [backupJob(), ...READY, batchJob({}, NOT_OURS)] },
      'NameConflict: Job nightly-1-backup exists and belongs to somebody else',
    ],
  ])('%s', (_name, given, message) => {
    expect(lastStatus(workOn(given)).message).toBe(message);
  });

  it('thirty minutes to the second are still a wait', () => {
    const objects = [backupJob({ ...RUNNING, startedAt: '2026-11-29T02:30:30Z' }), backupClass()];
    expect(workOn({ objects }).state).toBe('waiting');
  });
});

describe('a write that is refused, or meets a name that is taken', () => {
  const start = workOn({ objects: [backupJob(), ...READY] }).steps[1];
  const done = workOn({ objects: [backupJob(created()), batchJob(jobEnd('Complete'))] }).steps[0];

  it('a refused Job fails the order, which stays started', () => {
    expect(start?.verb === 'create' && start.refused('quota')).toMatchObject({
      state: 'failed',
      detail: 'creating Job nightly-1-backup was refused: quota',
      status: { phase: 'Failed', startedAt: '2026-11-29T03:00:30Z' },
      event: { type: 'Warning', reason: 'BackupFailed' },
    });
  });

  it('a refused Backup fails the order', () => {
    expect(done?.verb === 'create' && done.refused('no')).toMatchObject({
      status: { phase: 'Failed', message: 'creating Backup nightly-1 was refused: no' },
    });
  });

  it.each([
    ['its own Job is what is wanted', batchJob(), true],
    ['its own Job under deletion is not', batchJob({}, { metadata: { ...GONE } }), false],
    ['a stranger’s Job is not', batchJob({}, NOT_OURS), false],
  ])('%s', (_name, existing, isWanted) => {
    expect(start?.verb === 'create' && start.isWanted(existing)).toBe(isWanted);
  });

  it('a stranger’s Job ends the order, and one that is being deleted is waited for', () => {
    if (start?.verb !== 'create') throw new Error('no Job is made');
    const leaving = batchJob({}, { ...NOT_OURS, metadata: { ...GONE } });
    expect(start.taken(batchJob({}, NOT_OURS))?.status).toMatchObject({ phase: 'Failed' });
    expect(start.taken(leaving)).toBe(undefined);
  });

  it.each([
    ['its own Backup', backup(), true],
    ['its own Backup under deletion', backup({}, { metadata: { ...GONE } }), false],
    ['a stranger’s Backup', backup({}, { metadata: { annotations: {} } }), false],
  ])('%s', (_name, existing, isWanted) => {
    expect(done?.verb === 'create' && done.isWanted(existing)).toBe(isWanted);
  });
});

describe('what is read for it alone', () => {
  const redis = { group: 'apps.cozystack.io', kind: 'Redis', namespace: 'shop', name: 'sessions' };
  const withArtifact = {
    pinned: JSON.stringify({
      parameters: {},
      strategyRef: { apiGroup: OUR_GROUP, kind: 'JobBackupStrategy', name: 'dump' },
      artifact: { uri: 's3://b/x' },
    }),
  };
  it.each([
    ['the application, to start', [backupJob(), ...READY], [redis], 0],
    ['nothing while the class is missing', [backupJob(), strategy()], [], 0],
    ['nothing while the strategy is missing', [backupJob(), backupClass()], [], 0],
    ['nothing while the Job runs', [backupJob(created()), batchJob({}, withArtifact)], [], 0],
    [
      'pods of a Job that is complete',
      [backupJob(created()), batchJob(jobEnd('Complete'), withArtifact)],
      [],
      1,
    ],
    ['no pods without an artifact', [backupJob(created()), batchJob(jobEnd('Complete'))], [], 0],
    [
      'no pods once the Backup stands',
      [backupJob(created()), batchJob(jobEnd('Complete'), withArtifact), backup()],
      [],
      0,
    ],
    ['nothing for what is over', [backupJob({ phase: 'Failed' }), ...READY], [], 0],
  ])('%s', (_name, objects, applications, pods) => {
    const wanted = wantsOf({ objects });
    expect([wanted.objects, wanted.labelled.length]).toEqual([applications, pods]);
  });
});
