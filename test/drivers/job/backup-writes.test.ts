import { describe, expect, it } from 'vitest';
import {
  backup,
  backupClass,
  backupJob,
  batchJob,
  created,
  jobEnd,
  OUR_GROUP,
  strategy,
  wantsOf,
  workOn,
} from './support/given.ts';
import { GONE, NOT_OURS, READY } from './support/states.ts';

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
