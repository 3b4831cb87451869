import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BACKUP, BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { plainKubeconfig } from '#test/support/plain-kubeconfig.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const NOW = ['--now', '2026-11-29T16:30:20Z'];
const BACKUP_NAME = 'sessions-before-upgrade';
const NAME = `${BACKUP_NAME}-restore-1795969820`;

async function leaveOrdersOut(file: string): Promise<void> {
  const documents = (await readFile(file, 'utf8')).split('\n---\n');
  await writeFile(file, documents.filter((text) => !text.includes('kind: RestoreJob')).join('\n---\n'));
}

describe('run restorejob on files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    await cp('examples/restore', join(folder, 'manifests'), { recursive: true });
    // Its own orders are not finished, and would stand in the way.
    await leaveOrdersOut(join(folder, 'manifests', 'restore.yaml'));
  });

  function minutehand(...argv: readonly string[]): Promise<CliResult> {
    return runMinutehand([...argv, '-f', 'manifests', '--state', 'state', ...NOW], { cwd: folder });
  }
  function restore(...argv: readonly string[]): Promise<CliResult> {
    return minutehand('run', 'restorejob', '--backup', BACKUP_NAME, ...argv);
  }

  test('makes one that the next tick starts, and makes it once', async () => {
    const made = await restore('--target', 'Redis/sessions-staging');
    expect(made).toEqual({
      code: 0,
      stderr: '',
      stdout: `RestoreJob tenant-shop/${NAME} was made. It writes over Redis sessions-staging of apps.cozystack.io. What comes of it: minutehand explain restorejob/${NAME} -f manifests --state state\n`,
    });
    const again = await restore('--target', 'Redis/sessions-staging');
    expect([again.code, again.stderr]).toEqual([
      3,
      `error: RestoreJob ${NAME} restores into Redis sessions-staging of apps.cozystack.io and is not finished; wait for its end, or write --despite-running and another --name\n`,
    ]);
    const asked = await restore('--target', 'Redis/sessions-staging', '--despite-running');
    expect(asked.code).toBe(1);
    expect(asked.stderr).toMatch(/exists already \(.+\); name this one otherwise with --name\n$/);
    const explained = await minutehand('explain', `restorejob/${NAME}`);
    expect(explained.stdout).toContain(
      `RestoreJob tenant-shop/${NAME}, if a tick came now: started (RestoreStarted)\n`,
    );
    expect(explained.stdout).toContain('Redis sessions-staging of apps.cozystack.io');
    expect((await minutehand('reconcile')).code).toBe(0);
    const running = (await minutehand('explain', `restorejob/${NAME}`)).stdout;
    expect(running).toContain(': running (JobCreated)\n');
    expect(running).toMatch(/target +Redis sessions-staging of apps\.cozystack\.io\n/);
  });

  test('proposes a command that finds what was made, wherever that went', async () => {
    const argv = ['run', 'restorejob', '--backup', BACKUP_NAME, '-f', 'manifests', '-R', '-n', 'tenant-shop'];
    const { stdout } = await runMinutehand([...argv, ...NOW], { cwd: folder });
    const [, command = ''] = stdout.trimEnd().split('What comes of it: minutehand ');
    expect(command).toBe(`explain restorejob/${NAME} -f manifests -R -n tenant-shop --state .minutehand`);
    const followed = await runMinutehand([...command.split(' '), ...NOW], { cwd: folder });
    expect(followed.code).toBe(0);
    expect(followed.stdout).toContain(`RestoreJob tenant-shop/${NAME}`);
  });

  test('shows the object in a dry run, and makes none', async () => {
    const { code, stdout } = await restore(
      '--name',
      'undo',
      '--target',
      'Redis/sessions-staging',
      '--dry-run=client',
    );
    expect(code).toBe(0);
    const [said, shown = ''] = stdout.split('\n\n');
    expect(said).toBe(
      'RestoreJob tenant-shop/undo would be made; nothing was written. It writes over Redis sessions-staging of apps.cozystack.io.',
    );
    expect(parse(shown)).toEqual({
      apiVersion: 'backups.cozystack.io/v1alpha1',
      kind: 'RestoreJob',
      metadata: { name: 'undo', namespace: 'tenant-shop', annotations: { 'minutehand.dev/manual': 'true' } },
      spec: {
        backupRef: { name: BACKUP_NAME },
        targetApplicationRef: { kind: 'Redis', name: 'sessions-staging' },
      },
    });
    const data = await restore('--name', 'undo', '--dry-run=client', '-o', 'json');
    expect(JSON.parse(data.stdout)).toMatchObject({ metadata: { name: 'undo' } });
    expect((await minutehand('explain', 'restorejob/undo')).code).toBe(1);
  });

  test('says in a dry run that the named state folder is not there', async () => {
    const { stderr } = await restore('--target', 'Redis/sessions-staging', '--dry-run=client');
    expect(stderr).toBe('note: there is no state folder state: only the manifests were looked at\n');
  });

  test('looks in a dry run where the real one would', async () => {
    const argv = ['run', 'restorejob', '--backup', BACKUP_NAME, '-f', 'manifests', '--name', 'undo', ...NOW];
    await runMinutehand(['reconcile', '-f', 'manifests', ...NOW], { cwd: folder });
    expect((await runMinutehand(argv, { cwd: folder })).code).toBe(0);
    const dry = await runMinutehand([...argv, '--dry-run=client'], { cwd: folder });
    expect(dry.stderr).not.toContain('state folder');
  });

  test('takes the kind of a target in any letter case, and writes it as the Backup does', async () => {
    const { code, stdout, stderr } = await restore('--target', 'rEDIS/sessions-staging', '-o', 'json');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ spec: { targetApplicationRef: { kind: 'Redis' } } });
  });

  test.each([
    ['its own application', [], 'Redis sessions of apps.cozystack.io in the namespace tenant-shop'],
    [
      'a target, with what was probably meant',
      ['--target', 'Redis/sessions-stagin'],
      'Redis sessions-stagin of apps.cozystack.io in the namespace tenant-shop',
    ],
  ])('warns where the manifests lack %s, and makes it', async (_name, target, what) => {
    const { code, stderr } = await restore(...target);
    const meant = target.length === 0 ? '' : '; did you mean sessions-staging?';
    expect(code).toBe(0);
    expect(stderr).toContain(`warning: ${what} is not among what was read${meant}`);
  });

  test.each<[readonly string[], number, string]>([
    [['pods', '--backup', 'x'], 64, '"pods" is nothing that can be run: write KIND/NAME'],
    [['restorejob', '--backup', 'sessions-before-upgrad'], 1, 'did you mean sessions-before-upgrade?'],
    [['restorejob', '--backup', BACKUP_NAME, '-n', 'shop'], 1, 'there is one in the namespace tenant-shop'],
    [['restorejob', '--backup', 'x', '--target', 'sessions'], 64, 'write KIND/NAME, such as Redis/sessions'],
    [
      ['restorejob', '--backup', 'x', '--target', 'Redis/Sessions'],
      64,
      '"Sessions" is no name of an application',
    ],
    [
      ['restorejob', '--backup', BACKUP_NAME, '--target', 'Postgres/sessions'],
      1,
      '--target names a Postgres, and Backup sessions-before-upgrade was taken of a Redis of apps.cozystack.io',
    ],
    [
      ['restorejob', '--backup', BACKUP_NAME, '--target', 'Redis.redis.example.net/sessions'],
      1,
      '--target names a Redis of redis.example.net, and',
    ],
    [['restorejob', '--backup', 'x', '--name', 'r'.repeat(56)], 64, 'at most 55 are allowed'],
    [['restorejob', '--backup', 'x', '--name', 'Undo'], 64, '--name'],
    [['restorejob'], 64, 'which Backup? Write run restorejob --backup NAME'],
    [['restorejob', 'x', '--backup', 'x'], 64, '"x" is one word too many'],
    [['restorejob', '--backup', 'x', '--dry-run=server'], 64, 'asks the API server of a cluster'],
  ])('refuses %j', async (argv, code, message) => {
    const result = await minutehand('run', ...argv);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
  });
});

const REDIS: ResourceType = {
  group: 'apps.cozystack.io',
  version: 'v1alpha1',
  kind: 'Redis',
  plural: 'redises',
  singular: 'redis',
  shortNames: [],
  namespaced: true,
};

function backupOf(kind: string, name: string): KubeObject {
  return {
    apiVersion: 'backups.cozystack.io/v1alpha1',
    kind: 'Backup',
    metadata: { name: `${name}-1`, namespace: 'shop' },
    spec: {
      applicationRef: { kind, name },
      strategyRef: { apiGroup: 'jobdriver.backups.cozystack.io', kind: 'JobBackupStrategy', name: 'dump' },
      takenAt: '2026-11-29T12:00:00Z',
    },
    status: { phase: 'Ready' },
  };
}

function redis(name: string): KubeObject {
  return {
    apiVersion: 'apps.cozystack.io/v1alpha1',
    kind: 'Redis',
    metadata: { name, namespace: 'shop' },
    spec: {},
  };
}

describe('run restorejob on a cluster', () => {
  let server: FakeApiServer;
  beforeAll(async () => {
    server = await fakeApiServer({ kinds: [BACKUP, BACKUP_JOB, RESTORE_JOB, REDIS] });
  });
  beforeEach(() => {
    server.configure({ isForbidden: () => false });
    server.reset([
      backupOf('Redis', 'sessions'),
      backupOf('Redis', 'gone'),
      backupOf('Kafka', 'queue'),
      redis('sessions'),
      redis('staging'),
    ]);
  });
  afterAll(() => server.close());

  async function restore(...argv: readonly string[]): Promise<CliResult> {
    const cwd = await temporaryFolder({ 'my kubeconfig': plainKubeconfig(server.url) });
    const where = ['--kubeconfig', `${cwd}/my kubeconfig`, '--context', 'test', '-n', 'shop'];
    const result = await runMinutehand(['run', 'restorejob', ...argv, ...where, ...NOW], { cwd });
    return { ...result, stdout: result.stdout.replaceAll(cwd, '/home/me') };
  }

  test('proposes a command for the same cluster', async () => {
    expect(await restore('--backup', 'sessions-1', '--target', 'redis/staging', '--name', 'undo')).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'RestoreJob shop/undo was made. It writes over Redis staging of apps.cozystack.io. ' +
        'What comes of it: minutehand explain restorejob/undo -n shop ' +
        "--kubeconfig '/home/me/my kubeconfig' --context test\n",
    });
  });

  test('shows the object that the server checked', async () => {
    const { stdout } = await restore('--backup', 'sessions-1', '--name', 'undo', '--dry-run=server');
    const [said, shown = ''] = stdout.split('\n\n');
    expect(said).toBe(
      'RestoreJob shop/undo was checked by the server; nothing was stored. It writes over Redis sessions of apps.cozystack.io.',
    );
    expect(parse(shown)).toMatchObject({ kind: 'RestoreJob', spec: { backupRef: { name: 'sessions-1' } } });
  });

  test('refuses a target that does not exist', async () => {
    expect(await restore('--backup', 'sessions-1', '--target', 'Redis/stagin')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: --target: Redis stagin of apps.cozystack.io in the namespace shop does not exist\n',
    });
  });

  test('only warns where the application of the Backup is gone: it may be on its way back', async () => {
    const { code, stderr } = await restore('--backup', 'gone-1');
    expect([code, stderr]).toEqual([
      0,
      'warning: Redis gone of apps.cozystack.io in the namespace shop does not exist\n',
    ]);
  });

  test('refuses a target of a kind that is not served', async () => {
    const { code, stderr } = await restore('--backup', 'queue-1', '--target', 'Kafka/other');
    expect(code).toBe(1);
    expect(stderr).toContain('this cluster knows no such kind');
  });

  test.each([['backupjobs'], ['restorejobs']])(
    'is made only on demand where %s cannot be read',
    async (plural) => {
      server.configure({ isForbidden: ({ resource }) => resource === plural });
      const { code, stdout, stderr } = await restore('--backup', 'sessions-1', '--dry-run=client');
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toMatch(
        new RegExp(`^error: ${plural} could not be read: .+; write --despite-running\n$`),
      );
      const anyway = await restore('--backup', 'sessions-1', '--dry-run=client', '--despite-running');
      expect(anyway.code).toBe(0);
    },
  );

  test('only warns where nobody may look', async () => {
    server.configure({ isForbidden: ({ resource }) => resource === 'redises' });
    const { code, stderr } = await restore('--backup', 'sessions-1', '--target', 'Redis/stagin');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: whether there is a Redis stagin .* lacks the right to get redises/);
  });
});
