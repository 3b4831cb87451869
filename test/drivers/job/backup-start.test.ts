import { describe } from 'vitest';
import { backupClass, backupJob, batchJob, created, GROUP, OUR_GROUP, strategy } from './support/given.ts';
import { FAILED, GONE, NOT_OURS, READY, RUNNING, START, testStates } from './support/states.ts';

const CLASS_MISSING = ['status BackupJob Pending BackupClassNotFound'];

describe('a BackupJob before its Job is there (backups.md B.4)', () => {
  testStates([
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
      'the class has no list of entries',
      { objects: [backupJob(), { ...backupClass(), spec: { strategies: 'all' } }, strategy()] },
      'pending',
      ['status BackupJob Pending BackupClassInvalid'],
      ['Warning BackupClassInvalid'],
    ],
    [
      'a parameter is a number',
      { objects: [backupJob(), backupClass({ parameters: { bucket: 5 } }), strategy()] },
      'waiting',
      ['status BackupJob Running BackupClassInvalid'],
      ['Warning BackupClassInvalid'],
    ],
    [
      'a parameter is a number for half an hour',
      { objects: [backupJob(RUNNING), backupClass({ parameters: { bucket: 5 } }), strategy()] },
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
      'it was killed before the Job was made',
      { objects: [backupJob({ phase: 'Running', startedAt: '2026-11-29T03:00:05Z' }), ...READY] },
      'started',
      START,
      ['Normal BackupStarted'],
    ],
  ]);
});
