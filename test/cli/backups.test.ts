import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runMinutehand } from '#test/support/run-cli.ts';

const RESTORE = ['-f', 'examples/restore', '--now', '2026-11-29T16:30:20Z'];
const PLAN = ['-f', 'examples/backup-plan', '--now', '2026-11-29T16:20:20Z'];

function names(stdout: string): readonly string[] {
  const { backups } = JSON.parse(stdout) as { readonly backups: readonly { readonly name: string }[] };
  return backups.map(({ name }) => name);
}

async function listed(...filter: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await runMinutehand([
    'get',
    'backups',
    ...filter,
    ...RESTORE,
    '-o',
    'json',
  ]);
  expect([code, stderr]).toEqual([0, '']);
  return names(stdout);
}

const BOTH = ['sessions-before-upgrade', 'sessions-redis-29932580'];

describe('get backups', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['all, the newest first', [], BOTH],
    ['those of an application', ['--application', 'Redis/sessions'], BOTH],
    ['in any letter case of its kind', ['--application', 'redis/sessions'], BOTH],
    ['of the group that is named', ['--application', 'Redis.apps.cozystack.io/sessions'], BOTH],
    ['and of no other group', ['--application', 'Redis.redis.example.net/sessions'], []],
    ['and of no other name', ['--application', 'Redis/session'], []],
    ['those of a Plan', ['--plan', 'sessions-redis'], ['sessions-redis-29932580']],
    ['those of a namespace', ['-n', 'tenant-other'], []],
  ])('lists %s', async (_name, filter, wanted) => {
    expect(await listed(...filter)).toEqual(wanted);
  });

  test('says that there are none', async () => {
    const { code, stdout } = await runMinutehand(['get', 'backups', '--plan', 'nothing', ...RESTORE]);
    expect([code, stdout]).toEqual([0, 'No backups were found.\n']);
  });

  test.each([
    [['get', 'pods'], '"pods" is nothing that can be listed: write get backups'],
    [['get', 'backups', '--application', 'sessions'], 'write KIND/NAME, such as Redis/sessions'],
  ])('refuses %j', async (argv, message) => {
    const { code, stderr } = await runMinutehand([...argv, ...RESTORE]);
    expect(code).toBe(64);
    expect(stderr).toContain(message);
  });
});

describe('run restorejob', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'minutehand-restore-'));
    await cp('examples/restore', join(folder, 'manifests'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  function minutehand(...argv: readonly string[]) {
    const now = ['--now', '2026-11-29T16:30:20Z'];
    return runMinutehand([...argv, '-f', 'manifests', '--state', 'state', ...now], { cwd: folder });
  }

  test('makes one that the next tick starts, and makes it once', async () => {
    const argv = [
      'run',
      'restorejob',
      '--backup',
      'sessions-before-upgrade',
      '--target',
      'Redis/sessions-staging',
    ];
    const made = await minutehand(...argv);
    expect([made.code, made.stderr]).toEqual([0, '']);
    const name = 'sessions-before-upgrade-restore-1795969820';
    expect(made.stdout).toBe(
      `RestoreJob tenant-shop/${name} was made. What comes of it: minutehand explain restorejob/${name}\n`,
    );
    const again = await minutehand(...argv);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('exists already');
    const explained = await minutehand('explain', `restorejob/${name}`);
    expect(explained.stdout).toContain(`RestoreJob tenant-shop/${name}: started (RestoreStarted)`);
    expect(explained.stdout).toContain('Redis sessions-staging of apps.cozystack.io');
    expect((await minutehand('reconcile')).code).toBe(0);
    expect((await minutehand('explain', `restorejob/${name}`)).stdout).toContain(': running (JobCreated)');
  });

  test('only shows it in a dry run', async () => {
    const argv = [
      'run',
      'restorejob',
      '--backup',
      'sessions-before-upgrade',
      '--name',
      'undo',
      '--dry-run=client',
    ];
    const { code, stdout } = await minutehand(...argv, '-o', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'RestoreJob',
      metadata: { name: 'undo', namespace: 'tenant-shop', annotations: { 'minutehand.dev/manual': 'true' } },
      spec: { backupRef: { name: 'sessions-before-upgrade' } },
    });
    expect((await minutehand('explain', 'restorejob/undo')).code).toBe(1);
  });

  test.each<[readonly string[], number, string]>([
    [['pods', '--backup', 'x'], 64, '"pods" is nothing that can be made: write run restorejob'],
    [['restorejob', '--backup', 'sessions-before-upgrad'], 1, 'did you mean sessions-before-upgrade?'],
    [['restorejob', '--backup', 'x', '--target', 'sessions'], 64, 'write KIND/NAME, such as Redis/sessions'],
    [['restorejob', '--backup', 'x', '--name', 'r'.repeat(56)], 64, 'at most 55 are allowed'],
    [['restorejob', '--backup', 'x', '--name', 'Undo'], 64, '--name'],
    [['restorejob', '--backup', 'x', '--dry-run=server'], 64, 'asks the API server of a cluster'],
  ])('refuses %j', async (argv, code, message) => {
    const result = await minutehand('run', ...argv);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
  });
});

describe('explain', () => {
  test.each([
    [
      'backupjob/sessions-before-upgrade',
      ['started (BackupStarted)', 'silver, entry 1', 'JobBackupStrategy redis-rdb-to-s3'],
    ],
    ['bj.backups.cozystack.io/x', []],
    [
      'plan/sessions-redis',
      ['BackupJob tenant-shop/sessions-redis-29932580: succeeded', 'fired (BackupJobCreated)'],
    ],
  ])('tells of %s', async (ref, wanted) => {
    const { code, stdout } = await runMinutehand(['explain', ref, ...PLAN]);
    expect(code).toBe(wanted.length === 0 ? 64 : 0);
    for (const text of wanted) expect(stdout).toContain(text);
  });

  test('gives the chain of a Plan as data, too', async () => {
    const { stdout } = await runMinutehand(['explain', 'plan/sessions-redis', ...PLAN, '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'Plan',
      orders: [{ kind: 'BackupJob', driver: 'job-driver', state: 'succeeded', reason: 'BackupCompleted' }],
    });
  });

  test('finds no order of a name that is nearly right', async () => {
    const { code, stderr } = await runMinutehand(['explain', 'backupjob/sessions-before-upgrad', ...PLAN]);
    expect(code).toBe(1);
    expect(stderr).toContain('did you mean sessions-before-upgrade?');
  });
});
