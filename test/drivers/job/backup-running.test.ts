import { describe } from 'vitest';
import { backup, backupClass, backupJob, batchJob, created, GROUP, jobEnd } from './support/given.ts';
import { FAILED, GONE, READY, testStates } from './support/states.ts';

const FOREIGN = { strategyRef: { apiGroup: 'velero.io', kind: 'Velero', name: 'v' } };
const DONE = ['create Backup nightly-1', 'status Backup Ready', 'status BackupJob Succeeded BackupCompleted'];

describe('a BackupJob whose Job is there, or was (backups.md B.4)', () => {
  testStates([
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
  ]);
});
