import { describe, expect, test } from 'vitest';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { list } from './manifests.ts';

const GROUP = 'backups.cozystack.io';
const REDIS = { kind: 'Redis', name: 'sessions' };

function object(kind: string, name: string, spec: object, status: object = {}): object {
  const metadata = { name, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: '2026-11-29T03:00:00Z' };
  return { apiVersion: `${GROUP}/v1alpha1`, kind, metadata, spec, status };
}

function backupJob(name: string, backupClassName: string, status: object = {}): object {
  return object('BackupJob', name, { applicationRef: REDIS, backupClassName }, status);
}

const PLAN = object(
  'Plan',
  'daily',
  { applicationRef: REDIS, backupClassName: 'silver', schedule: { cron: '0 3 * * *' } },
  { lastScheduleTime: '2026-11-29T03:00:00Z' },
);
/** Binds no Redis: a BackupJob of it fails at once. */
const OTHERS = {
  apiVersion: `${GROUP}/v1alpha1`,
  kind: 'BackupClass',
  metadata: { name: 'others' },
  spec: { strategies: [] },
};
const ENDED = { completedAt: '2026-11-28T03:05:00Z' };
const FAILED = { phase: 'Failed', message: 'no room', ...ENDED };
const SUCCEEDED = { phase: 'Succeeded', ...ENDED };

async function folderOf(...objects: readonly object[]): Promise<string> {
  return temporaryFolder({ 'in/a.json': list(...objects) });
}

function tick(cwd: string, minute: string, ...argv: readonly string[]): Promise<CliResult> {
  const now = ['--now', `2026-11-29T03:${minute}:10Z`];
  return runMinutehand(['reconcile', '-f', 'in', '--state', 'state', ...now, ...argv], { cwd });
}

const NEXT = 'The first to come is Plan shop/daily: Mon 2026-11-30 03:00 UTC, in 23 h 54 min.\n';

describe('the quiet line of a tick', () => {
  async function quiet(...objects: readonly object[]): Promise<string> {
    const cwd = await folderOf(...objects);
    await tick(cwd, '04');
    const { code, stdout } = await tick(cwd, '05');
    expect(code).toBe(0);
    return stdout;
  }

  test('counts the orders that wait and those that failed, in this tick or long ago', async () => {
    const jobs = [
      backupJob('waits', 'missing'),
      backupJob('unbound', 'others'),
      backupJob('old', 'silver', FAILED),
      backupJob('good', 'silver', SUCCEEDED),
    ];
    expect(await quiet(PLAN, OTHERS, ...jobs)).toBe(
      `Nothing to do for 1 schedule: 1 waiting. 3 orders: 2 failed, 1 pending. ${NEXT}`,
    );
  });

  test('keeps quiet of orders that went well', async () => {
    expect(await quiet(PLAN, backupJob('good', 'silver', SUCCEEDED))).toBe(
      `Nothing to do for 1 schedule: 1 waiting. ${NEXT}`,
    );
  });

  test('is about the orders alone where there is no schedule', async () => {
    expect(await quiet(backupJob('waits', 'missing'))).toBe('Nothing to do for 1 order: 1 pending.\n');
  });

  test('leaves out what is not selected', async () => {
    const cwd = await folderOf(PLAN, backupJob('old', 'silver', FAILED));
    const { stdout } = await tick(cwd, '05', '-l', 'tier=gold');
    expect(stdout).not.toContain('order');
  });
});

describe('the orders of a tick that has something to write', () => {
  const ALL = [
    OTHERS,
    backupJob('waits', 'missing'),
    backupJob('unbound', 'others'),
    backupJob('old', 'silver', FAILED),
    backupJob('good', 'silver', SUCCEEDED),
  ];
  const STATES = { failed: 2, pending: 1 };
  const TOLD = '3 orders: 2 failed, 1 pending';

  test.each([
    ['reconcile', ['--state', 'state']],
    ['plan', []],
  ])('are those of a quiet one, in the text of %s', async (verb, argv) => {
    const cwd = await folderOf(...ALL);
    const now = ['--now', '2026-11-29T03:04:10Z'];
    const { stdout } = await runMinutehand([verb, '-f', 'in', ...now, ...argv], { cwd });
    expect(stdout).toContain(`0 schedules. ${TOLD}.\n`);
    if (verb === 'reconcile') expect((await tick(cwd, '05')).stdout).toBe(`Nothing to do for ${TOLD}.\n`);
  });

  test('are the same in the log and in its last line', async () => {
    const { stdout } = await tick(await folderOf(...ALL), '04', '--log-format', 'json');
    const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(last.orders).toEqual({ total: 3, states: STATES });
    expect(last.msg).toContain(`; ${TOLD}; `);
  });

  test('add up in the data to those that are listed, and those that failed before', async () => {
    const { stdout } = await tick(await folderOf(...ALL), '04', '-o', 'json');
    const { works, counts } = JSON.parse(stdout).changeSet;
    expect(works.map(({ name }: { name: string }) => name)).toEqual(['unbound', 'waits']);
    expect(counts.works).toMatchObject({ orders: 2, states: { failed: 1, pending: 1 }, failedEarlier: 1 });
  });

  test('are told of a plan where nothing else is there', async () => {
    const cwd = await folderOf(backupJob('old', 'silver', FAILED));
    const argv = ['plan', '-f', 'in', '--now', '2026-11-29T03:04:10Z'];
    const { stdout } = await runMinutehand(argv, { cwd });
    expect(stdout).toContain('0 schedules. 1 order: 1 failed.\nNo changes.');
  });
});

describe('--fail-on failed', () => {
  const ALL = [PLAN, OTHERS, backupJob('unbound', 'others')];

  test('ends the tick in which an order fails with 3, and none after it', async () => {
    const cwd = await folderOf(...ALL);
    const failing = await tick(cwd, '04', '--fail-on', 'failed');
    expect(failing.code).toBe(3);
    expect(failing.stdout).toContain('failed  BackupJob shop/unbound (BackupFailed)');
    const after = await tick(cwd, '05', '--fail-on', 'failed');
    expect(after.code).toBe(0);
    expect(after.stdout).toContain('1 order: 1 failed.');
  });

  test.each([
    [['--fail-on', 'invalid'], 0],
    [[], 0],
    [['--fail-on', 'invalid,failed'], 3],
    [['--fail-on', 'invalid', '--fail-on', 'failed'], 3],
  ])('with %j the code is %i', async (argv, code) => {
    expect((await tick(await folderOf(...ALL), '04', ...argv)).code).toBe(code);
  });

  test('holds for a plan, too', async () => {
    const cwd = await folderOf(...ALL);
    const argv = ['plan', '-f', 'in', '--now', '2026-11-29T03:04:10Z'];
    expect((await runMinutehand([...argv, '--fail-on', 'failed'], { cwd })).code).toBe(3);
    expect((await runMinutehand(argv, { cwd })).code).toBe(0);
  });

  test('is not tripped by an order that waits, nor by an invalid object', async () => {
    const broken = object('Plan', 'broken', {
      applicationRef: REDIS,
      backupClassName: 'silver',
      schedule: { cron: '61 * * * *' },
    });
    const cwd = await folderOf(PLAN, broken, backupJob('waits', 'missing'));
    expect((await tick(cwd, '04', '--fail-on', 'failed')).code).toBe(0);
  });
});
