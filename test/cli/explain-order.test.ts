import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { list } from './manifests.ts';

const EXAMPLE = resolve(import.meta.dirname, '..', '..', 'examples', 'backup-plan');
const NOW = ['--now', '2026-11-29T16:20:20Z'];

function explain(...argv: readonly string[]): Promise<CliResult> {
  return runMinutehand(['explain', ...argv, '-f', EXAMPLE, ...NOW]);
}

describe('explain of an order', () => {
  test.each([
    [
      'backupjob/sessions-before-upgrade',
      [
        ', if a tick came now: started (BackupStarted)',
        'silver, entry 1',
        'JobBackupStrategy redis-rdb-to-s3',
      ],
    ],
    ['bj.backups.cozystack.io/x', []],
    [
      'plan/sessions-redis',
      [
        'BackupJob tenant-shop/sessions-redis-29932580, if a tick came now: succeeded (BackupCompleted)',
        'fired (BackupJobCreated)',
      ],
    ],
  ])('tells of %s', async (ref, wanted) => {
    const { code, stdout } = await explain(ref);
    expect(code).toBe(wanted.length === 0 ? 64 : 0);
    for (const text of wanted) expect(stdout).toContain(text);
  });

  test('gives the chain of a Plan as data, too', async () => {
    const { stdout } = await explain('plan/sessions-redis', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'Plan',
      orders: [{ kind: 'BackupJob', driver: 'job-driver', state: 'succeeded', reason: 'BackupCompleted' }],
    });
  });

  test.each(['job/shards', 'jobs/shards', 'job.batch/shards', 'jobs.v1.batch/shards'])(
    'takes job for the Job of the group batch: %s',
    async (ref) => {
      const folder = resolve(EXAMPLE, '..', 'indexed-job');
      const { code, stdout } = await runMinutehand([
        'explain',
        ref,
        '-f',
        folder,
        '--now',
        '2026-11-30T12:01:05Z',
      ]);
      expect({ code, head: stdout.split('\n')[0] }).toEqual({
        code: 0,
        head: 'Job reports/shards, if a tick came now: running',
      });
    },
  );

  test('says of a Job that is not managed that somebody else carries it out', async () => {
    const folder = resolve(EXAMPLE, '..', 'cron-job-dump');
    const { code, stderr } = await runMinutehand(['explain', 'job/pg-backup-29885790', '-f', folder, ...NOW]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'Job pg-backup-29885790 is carried out by somebody else; if a schedule started it, explain that',
    );
  });

  test('says of a Job that the configuration leaves out that nothing is known of it', async () => {
    const cwd = await temporaryFolder({ 'off.yaml': 'managedJobs: "off"\n' });
    const folder = resolve(EXAMPLE, '..', 'cron-job-dump');
    const words = ['explain', 'job/pg-backup-29885790', '-f', folder, '--config', 'off.yaml', ...NOW];
    const { code, stderr } = await runMinutehand(words, { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'of a Job such as "pg-backup-29885790" nothing is known, since the configuration does not say managedJobs: manage; give the one of the tick with --config',
    );
  });

  test('finds no order of a name that is nearly right', async () => {
    const { code, stderr } = await explain('backupjob/sessions-before-upgrad');
    expect(code).toBe(1);
    expect(stderr).toContain('did you mean sessions-before-upgrade?');
  });
});

const STRATEGY = { apiGroup: 'jobdriver.backups.cozystack.io', kind: 'JobBackupStrategy', name: 'dump' };

function object(kind: string, name: string, spec: object, status: object): object {
  return {
    apiVersion: 'backups.cozystack.io/v1alpha1',
    kind,
    metadata: { name, ...(kind === 'BackupClass' ? {} : { namespace: 'shop' }), uid: `uid-${name}` },
    spec,
    status,
  };
}

const ENDED = { startedAt: '2026-11-29T12:00:00Z', completedAt: '2026-11-29T12:05:00Z' };
const BACKED = { applicationRef: { kind: 'Redis', name: 'sessions' }, backupClassName: 'silver' };
const BACKUP = object(
  'Backup',
  'done',
  { applicationRef: BACKED.applicationRef, strategyRef: STRATEGY, takenAt: ENDED.completedAt },
  { phase: 'Ready' },
);
const CLASS = object(
  'BackupClass',
  'silver',
  { strategies: [{ application: { kind: 'Redis' }, strategyRef: STRATEGY }] },
  {},
);

/** What is told of the first of these, which alone are there. */
async function told(...objects: readonly [object, ...object[]]): Promise<string> {
  const cwd = await temporaryFolder({ 'a.json': list(...objects) });
  const { kind, metadata } = objects[0] as { kind: string; metadata: { name: string } };
  const { code, stdout } = await runMinutehand(['explain', `${kind}/${metadata.name}`, '-f', '.', ...NOW], {
    cwd,
  });
  expect(code).toBe(0);
  return stdout;
}

describe('an order that is over', () => {
  test('is headed by how it ended, and still tells its strategy', async () => {
    const done = object('BackupJob', 'done', BACKED, {
      phase: 'Succeeded',
      backupRef: { name: 'done' },
      ...ENDED,
    });
    expect(await told(done, BACKUP)).toBe(`BackupJob shop/done: succeeded (BackupCompleted)
    application     Redis sessions of apps.cozystack.io
    class           silver
    strategy        JobBackupStrategy dump of jobdriver.backups.cozystack.io
    started         2026-11-29T12:00:00Z
    job             done-backup
    completed       2026-11-29T12:05:00Z
    backup          done
`);
  });

  test('says whose word it is where only the class tells the strategy', async () => {
    const failed = object('BackupJob', 'bad', BACKED, { phase: 'Failed', message: 'no room', ...ENDED });
    expect(await told(failed, CLASS)).toBe(`BackupJob shop/bad: failed (BackupFailed)
    because         no room
    application     Redis sessions of apps.cozystack.io
    class           silver
    strategy        JobBackupStrategy dump of jobdriver.backups.cozystack.io, by the class as it is
                    now
    started         2026-11-29T12:00:00Z
    completed       2026-11-29T12:05:00Z
`);
  });

  const OWN_JOB = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: 'bad-backup',
      namespace: 'shop',
      ownerReferences: [
        {
          apiVersion: 'backups.cozystack.io/v1alpha1',
          kind: 'BackupJob',
          name: 'bad',
          uid: 'uid-bad',
          controller: true,
        },
      ],
    },
  };
  const FOREIGN_BACKUP = object(
    'Backup',
    'bad',
    { strategyRef: { apiGroup: 'velero.io', kind: 'Velero', name: 'v' } },
    { phase: 'Ready' },
  );
  const FAILED_LATE = { phase: 'Failed', message: 'ApplicationNotReady: no Redis, for more than 30 minutes' };

  test.each<[string, object, readonly object[], string | undefined]>([
    ['not where it failed before there was one', FAILED_LATE, [CLASS], undefined],
    [
      'not where the API refused it',
      { phase: 'Failed', message: 'creating Job bad-backup was refused: no quota' },
      [CLASS],
      undefined,
    ],
    [
      'not where its name is somebody else’s',
      { phase: 'Failed', message: 'NameConflict: Job bad-backup exists and belongs to somebody else' },
      [CLASS, { ...OWN_JOB, metadata: { name: 'bad-backup', namespace: 'shop' } }],
      undefined,
    ],
    [
      'not where another driver did the work',
      { phase: 'Succeeded', backupRef: { name: 'bad' } },
      [FOREIGN_BACKUP],
      undefined,
    ],
    ['where it is there', FAILED_LATE, [CLASS, OWN_JOB], 'bad-backup'],
    [
      'where it failed and is gone',
      { phase: 'Failed', message: 'BackoffLimitExceeded: Job has reached the specified backoff limit' },
      [CLASS],
      'bad-backup',
    ],
    [
      'where it vanished',
      {
        phase: 'Failed',
        message: 'Job bad-backup vanished before its end was seen; it is not started again',
      },
      [CLASS],
      'bad-backup',
    ],
    ['where it succeeded', { phase: 'Succeeded' }, [CLASS], 'bad-backup'],
  ])('names its Job %s', async (_name, status, more, wanted) => {
    const text = await told(object('BackupJob', 'bad', BACKED, { ...ENDED, ...status }), ...more);
    expect(text).toContain('    started  ');
    expect(/^ {4}job +(.*)$/m.exec(text)?.[1]).toBe(wanted);
  });

  test.each<[string, object, readonly object[], string | undefined]>([
    ['its own', { kind: 'Redis', name: 'copy' }, [BACKUP], 'Redis copy of apps.cozystack.io'],
    ['that of the Backup', {}, [BACKUP], 'Redis sessions of apps.cozystack.io'],
    ['its own, without the Backup', { kind: 'Redis', name: 'copy' }, [], 'Redis copy of apps.cozystack.io'],
    ['none, where only a Backup that is gone tells it', {}, [], undefined],
  ])('tells as the target of a restore %s', async (_name, target, more, wanted) => {
    const spec = {
      backupRef: { name: 'done' },
      ...(Object.keys(target).length === 0 ? {} : { targetApplicationRef: target }),
    };
    const restored = object('RestoreJob', 'back', spec, { phase: 'Failed', message: 'no room', ...ENDED });
    const text = await told(restored, ...more);
    expect(text.split('\n')[0]).toBe('RestoreJob shop/back: failed (RestoreFailed)');
    expect(/^ {4}target +(.*)$/m.exec(text)?.[1]).toBe(wanted);
    const strategy =
      more.length === 0 ? undefined : 'JobBackupStrategy dump of jobdriver.backups.cozystack.io';
    expect(/^ {4}strategy +(.*)$/m.exec(text)?.[1]).toBe(strategy);
  });

  test('says in its document how it ended', async () => {
    const failed = object('BackupJob', 'bad', BACKED, { phase: 'Failed', ...ENDED });
    const cwd = await temporaryFolder({ 'a.json': list(failed) });
    const { stdout } = await runMinutehand(['explain', 'backupjob/bad', '-f', '.', ...NOW, '-o', 'json'], {
      cwd,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'finished',
      outcome: 'failed',
      reason: 'BackupFailed',
    });
  });
});

test('an order on which a tick would write nothing is told as it stands', async () => {
  const waiting = object('RestoreJob', 'back', { backupRef: { name: 'none' } }, {});
  expect((await told(waiting)).split('\n')[0]).toBe(
    'RestoreJob shop/back, if a tick came now: pending (BackupNotReady)',
  );
  const cwd = await temporaryFolder({ 'in/a.json': list(waiting) });
  const argv = ['-f', 'in', '--state', 'state', ...NOW];
  expect((await runMinutehand(['reconcile', ...argv], { cwd })).code).toBe(0);
  const { stdout } = await runMinutehand(['explain', 'restorejob/back', ...argv], { cwd });
  expect(stdout.split('\n')[0]).toBe('RestoreJob shop/back: pending (BackupNotReady)');
});

describe('a Plan of a type that nobody knows', () => {
  const plan = {
    apiVersion: 'backups.cozystack.io/v1alpha1',
    kind: 'Plan',
    metadata: { name: 'p', namespace: 'shop', uid: 'uid-p', creationTimestamp: '2026-11-01T00:00:00Z' },
    spec: { ...BACKED, schedule: { type: 'calendar', cron: '20 */4 * * *' } },
  };

  test('has the type blamed, and not the expression beside it', async () => {
    const text = await told(plan);
    expect(text).toContain('schedule        20 */4 * * *, not looked at: spec.schedule.type is "calendar"\n');
    expect(text).toContain('because         spec.schedule.type is "calendar"\n');
    expect(text).toMatch(
      /would change +write cron, or remove the field, and say when in spec\.schedule\.cron\n/,
    );
    expect(text).not.toContain('an expression and a zone');
  });

  test('of which a missing expression is told as missing', async () => {
    const text = await told({ ...plan, spec: { ...BACKED, schedule: { type: 'cron', cron: '' } } });
    expect(text).toContain('schedule        none: spec.schedule.cron is missing or empty\n');
    expect(text).toMatch(/would change +write five fields, such as 0 3 \* \* \*\n/);
  });
});
