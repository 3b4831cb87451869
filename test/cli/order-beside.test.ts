import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

function backupJob(
  name: string,
  application: string,
  { namespace = 'tenant-shop', phase = '' } = {},
): string {
  return `---
apiVersion: backups.cozystack.io/v1alpha1
kind: BackupJob
metadata: {name: ${name}, namespace: ${namespace}}
spec:
  backupClassName: silver
  applicationRef: {kind: Redis, name: ${application}}
status: {phase: ${JSON.stringify(phase)}}
`;
}

const BACKUP_JOBS = [
  backupJob('of-other', 'other', { phase: 'Running' }),
  backupJob('odd-of-odd', 'odd', { phase: 'Thawing' }),
  backupJob('new-of-new', 'new'),
  backupJob('second', 'twice', { phase: 'Running' }),
  backupJob('first', 'twice', { phase: 'Pending' }),
  backupJob('elsewhere', 'quiet', { namespace: 'tenant-else', phase: 'Running' }),
  backupJob('over', 'quiet', { phase: 'Succeeded' }),
  backupJob('failed', 'quiet', { phase: 'Failed' }),
  backupJob('of-staging', 'sessions-staging', { phase: 'Pending' }),
].join('');

describe('run restorejob beside what is at work on the application', () => {
  async function restore(...argv: readonly string[]): Promise<CliResult> {
    const cwd = await temporaryFolder();
    await cp('examples/restore', join(cwd, 'manifests'), { recursive: true });
    await writeFile(join(cwd, 'manifests', 'backup-jobs.yaml'), BACKUP_JOBS);
    const restored = [
      'run',
      'restorejob',
      '--backup',
      'sessions-before-upgrade',
      '-f',
      'manifests',
      '--dry-run=client',
    ];
    return runMinutehand([...restored, ...argv, '--now', '2026-11-29T16:30:20Z'], { cwd });
  }

  test.each([
    ['a BackupJob', 'other', 'BackupJob of-other backs up'],
    ['a BackupJob at a phase that nobody knows', 'odd', 'BackupJob odd-of-odd backs up'],
    ['a BackupJob that nobody has looked at', 'new', 'BackupJob new-of-new backs up'],
  ])('%s is named, and nothing is made', async (_name, application, what) => {
    const { code, stdout, stderr } = await restore('--target', `Redis/${application}`);
    expect(stderr).toContain(
      `error: ${what} Redis ${application} of apps.cozystack.io and is not finished; wait for its end, or write --despite-running\n`,
    );
    expect([code, stdout]).toEqual([3, '']);
    expect((await restore('--target', `Redis/${application}`, '--despite-running')).code).toBe(0);
  });

  test('a restore and a backup are both named', async () => {
    const { code, stdout, stderr } = await restore('--target', 'Redis/sessions-staging');
    expect(stderr).toBe(
      'error: RestoreJob sessions-into-staging restores into Redis sessions-staging of apps.cozystack.io and is not finished; ' +
        'BackupJob of-staging backs up Redis sessions-staging of apps.cozystack.io and is not finished; ' +
        'wait for their end, or write --despite-running\n',
    );
    expect([code, stdout]).toEqual([3, '']);
  });

  test('of several of a kind every one is named', async () => {
    expect((await restore('--target', 'Redis/twice')).stderr).toContain(
      'error: BackupJob first and BackupJob second back up Redis twice of apps.cozystack.io and are not finished; ' +
        'wait for their end, or write --despite-running\n',
    );
  });

  test('neither those that are over nor those of another namespace stand in the way', async () => {
    expect((await restore('--target', 'Redis/quiet')).code).toBe(0);
  });

  test('is made with --despite-running, and says what it writes over', async () => {
    const { code, stdout } = await restore('--target', 'Redis/sessions-staging', '--despite-running');
    expect(stdout).toContain('It writes over Redis sessions-staging of apps.cozystack.io.');
    expect(code).toBe(0);
  });
});

describe('a run of a Plan by hand beside a restore', () => {
  const PLAN = `apiVersion: backups.cozystack.io/v1alpha1
kind: Plan
metadata: {name: db, namespace: shop, creationTimestamp: "2026-06-09T12:00:00Z"}
spec:
  applicationRef: {kind: Postgres, name: db}
  backupClassName: daily
  schedule: {type: cron, cron: "0 3 * * *"}
`;
  const BACKUP = `---
apiVersion: backups.cozystack.io/v1alpha1
kind: Backup
metadata: {name: point, namespace: shop}
spec: {applicationRef: {kind: Postgres, name: db}}
status: {phase: Ready}
`;
  const restoreOf = (target: string, phase: string): string => `${BACKUP}---
apiVersion: backups.cozystack.io/v1alpha1
kind: RestoreJob
metadata: {name: undo, namespace: shop}
spec: {backupRef: {name: point}${target}}
status: {phase: ${JSON.stringify(phase)}}
`;
  const INTO_DB = ', targetApplicationRef: {kind: Postgres, name: db}';
  const INTO_COPY = ', targetApplicationRef: {kind: Postgres, name: copy}';

  test.each<readonly [string, string, readonly string[], number]>([
    ['into its application', restoreOf(INTO_DB, 'Running'), [], 3],
    ['of a Backup of its application that names no other', restoreOf('', ''), [], 3],
    ['that is wanted all the same', restoreOf(INTO_DB, 'Running'), ['--despite-running'], 0],
    ['into another one', restoreOf(INTO_COPY, 'Running'), [], 0],
    ['that is over', restoreOf(INTO_DB, 'Succeeded'), [], 0],
  ])('%s', async (_name, restore, argv, code) => {
    const cwd = await temporaryFolder({ 'm/all.yaml': PLAN + restore });
    const where = ['-f', 'm', '--state', 'state', '--now', '2026-06-10T03:00:20Z'];
    const result = await runMinutehand(['run', 'plan/db', ...argv, ...where], { cwd });
    expect(result.stderr).toBe(
      code === 0
        ? ''
        : 'error: RestoreJob undo restores into Postgres db of apps.cozystack.io and is not finished; wait for its end, or write --despite-running\n',
    );
    expect(result.code).toBe(code);
    // What ticks do by themselves stays as it is.
    const tick = JSON.parse((await runMinutehand(['reconcile', ...where, '-o', 'json'], { cwd })).stdout);
    const db = tick.changeSet.schedules.find(({ name }: { name: string }) => name === 'db');
    expect(db.verdict.code).toBe('fired');
  });

  test.each<readonly [readonly string[], number, number]>([
    [[], 3, 0],
    [['--despite-running'], 0, 1],
  ])('backfill %j gives %i, and makes %i', async (argv, code, made) => {
    const cwd = await temporaryFolder({ 'm/all.yaml': PLAN + restoreOf(INTO_DB, 'Running') });
    const asked = ['backfill', 'plan/db', '--from', '2026-06-10T00:00:00Z', ...argv, '-o', 'json'];
    const where = ['-f', 'm', '--state', 'state', '--now', '2026-06-10T03:00:20Z'];
    const result = await runMinutehand([...asked, ...where], { cwd });
    expect([result.code, result.stderr.includes('RestoreJob undo restores into')]).toEqual([
      code,
      code === 3,
    ]);
    const creates = result.stdout === '' ? 0 : JSON.parse(result.stdout).changeSet.counts.creates;
    expect(creates).toBe(made);
  });
});
