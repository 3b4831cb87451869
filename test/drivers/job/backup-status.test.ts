import { describe, expect, it } from 'vitest';
import {
  backupClass,
  backupJob,
  batchJob,
  created,
  jobEnd,
  LONG_AGO,
  lastStatus,
  OUR_GROUP,
  strategy,
  workOn,
} from './support/given.ts';
import { NOT_OURS, READY, RUNNING } from './support/states.ts';

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

describe('a start in the future, from which the half hour would count', () => {
  const future = backupJob({ phase: 'Running', startedAt: '2026-11-29T04:00:00Z' });

  it('is told while something is waited for', () => {
    const work = workOn({ objects: [future, backupClass()] });
    expect(work.state).toBe('waiting');
    expect(work.findings).toEqual([
      {
        code: 'AnchorInFuture',
        severity: 'warning',
        path: ['status', 'startedAt'],
        what: 'status.startedAt is 2026-11-29T04:00:00Z, later than now (2026-11-29T03:00:30Z)',
        why: 'the 30 minutes for what is missing count from that time',
        fix: 'check the clock; create the order again if the time is wrong',
      },
    ]);
  });

  it.each([
    ['of now', [backupJob({ phase: 'Running', startedAt: '2026-11-29T03:00:30Z' }), backupClass()]],
    ['of this tick', [backupJob(), backupClass()]],
    ['of an order that lacks nothing', [future, ...READY]],
  ])('one %s is not', (_name, objects) => {
    expect(workOn({ objects }).findings).toEqual([]);
  });
});
