import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScheduleDocument } from '#core/change/document.ts';
import { lockHolder } from '#store/directory/holder.ts';
import { openDirectoryStore } from '#store/directory/open-directory-store.ts';
import { type CliResult, type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, job, list, policy } from './manifests.ts';

const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };
const LABELLED = { ...DUE, metadata: { labels: { tier: 'gold' } } };
const ELSEWHERE = { ...DUE, metadata: { namespace: 'orchard', labels: { tier: 'gold' } } };
const NOW = ['--now', '2026-06-10T03:00:10Z'];

async function folder(config: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  return temporaryFolder({
    'in/a.json': list(
      cronJob('c', DUE),
      policy('p', DUE),
      policy('gold', LABELLED),
      policy('far', ELSEWHERE),
    ),
    'c.yaml': config,
    ...more,
  });
}

function run(cwd: string, argv: readonly string[], world: CliWorld = {}): Promise<CliResult> {
  return runMinutehand([...argv, '-f', 'in', '--config', 'c.yaml', ...NOW], { ...world, cwd });
}

async function names(config: string, more: readonly string[] = []): Promise<readonly string[]> {
  const { stdout } = await run(await folder(config), ['plan', '-o', 'json', ...more]);
  const schedules: readonly ScheduleDocument[] = JSON.parse(stdout).schedules;
  return schedules.map(({ name }) => name).sort();
}

/** The kinds that a plan asks its store for. */
async function listedKinds(config: string): Promise<readonly string[]> {
  const cwd = await folder(config);
  const kinds: string[] = [];
  const { code } = await run(cwd, ['plan'], {
    openStore: async (request) => {
      const store = await openDirectoryStore({ ...request, cwd, holder: lockHolder(), clock: Date.now });
      return {
        ...store,
        list: (type) => {
          kinds.push(type.kind);
          return store.list(type);
        },
      };
    },
  });
  expect(code).toBe(0);
  return kinds.sort();
}

const SNAPSHOTS = [
  'ClusterRepository',
  'PersistentVolumeClaim',
  'Repository',
  'Snapshot',
  'SnapshotPolicy',
  'SnapshotSchedule',
];

const DEFRAGS = ['EtcdDefrag', 'EtcdDefragPolicy'];
/** What the driver needs of the family, and the Job that every backup has. */
const BACKUPS = ['Backup', 'BackupClass', 'BackupJob', 'JobBackupStrategy', 'RestoreJob'];
const ALL = ['CronJob', 'Event', 'Job', 'Plan', ...DEFRAGS, ...SNAPSHOTS, ...BACKUPS];

describe('a kind that is off', () => {
  test.each([
    ['{}', ALL],
    ['cronJob: observe', ALL],
    // The Job of a Snapshot or of a backup is a Job too.
    ['cronJob: off', ALL.filter((kind) => kind !== 'CronJob')],
    ['{cronJob: off, snapshotSchedule: off}', ['Event', 'Job', 'Plan', ...DEFRAGS, ...BACKUPS]],
    [
      '{cronJob: off, snapshotSchedule: off, jobDriver: off, managedJobs: off}',
      ['BackupJob', 'Event', 'Plan', ...DEFRAGS],
    ],
    ['snapshotSchedule: "off"', ['CronJob', 'Event', 'Job', 'Plan', ...DEFRAGS, ...BACKUPS]],
    ['backupPlan: off', ALL.filter((kind) => kind !== 'Plan')],
    [
      '{"cronJob": "off", "snapshotSchedule": "off", "etcdDefragPolicy": "off", "backupPlan": "off", "jobDriver": "off", "managedJobs": "off"}',
      ['Event'],
    ],
  ])('is not even listed, nor what only it needs: %s', async (config, kinds) => {
    expect(await listedKinds(config)).toEqual([...kinds].sort());
  });

  test('has no verdict', async () => {
    expect(await names('cronJob: manage')).toEqual(['c', 'far', 'gold', 'p']);
    expect(await names('cronJob: off')).toEqual(['far', 'gold', 'p']);
    expect(await names('etcdDefragPolicy: off')).toEqual(['c']);
  });

  test('is left alone in a state folder, where every other kind is managed', async () => {
    const groups = async (config: string): Promise<readonly string[]> => {
      const cwd = await folder(config);
      expect((await run(cwd, ['reconcile', '--state', 'state'])).code).toBe(0);
      return (await readdir(join(cwd, 'state'))).filter((name) => /batch|etcd/.test(name)).sort();
    };
    expect(await groups('{}')).toEqual(['batch', 'etcd-operator.cozystack.io']);
    expect(await groups('cronJob: off')).toEqual(['etcd-operator.cozystack.io']);
    expect(await groups('etcdDefragPolicy: off')).toEqual(['batch']);
  });

  test('costs no exit code when its manifests or runs cannot be used', async () => {
    const broken = {
      'in/b.json': list({ ...cronJob('x'), kind: 'Cronjob' }, { ...job('c-1', 'c', {}), kind: 'Jobs' }),
    };
    const both = await run(await folder('{}', broken), ['plan']);
    expect({ code: both.code, told: both.stderr.includes('UnknownKind') }).toEqual({ code: 3, told: true });
    const off = 'cronJob: off\nsnapshotSchedule: off\njobDriver: off\nmanagedJobs: off\n';
    expect(await run(await folder(off, broken), ['plan'])).toMatchObject({ code: 0, stderr: '' });
  });

  test('is named where one of its objects is asked for', async () => {
    const { code, stderr } = await run(await folder('cronJob: off\n'), ['explain', 'cj/c']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'error: no CronJob named c was found in what was read (3 schedules); the configuration says cronJob: off, so none is read\n',
    });
    const next = await run(await folder('cronJob: off\n'), ['next', 'policy/c']);
    expect(next.stderr).not.toContain('off');
  });

  test('is checked as far as any other object', async () => {
    const wrong = { 'in/b.json': list(cronJob('wrong', { spec: { schedule: 'never' } })) };
    expect((await run(await folder('cronJob: observe\n', wrong), ['validate'])).code).toBe(3);
    expect(await run(await folder('cronJob: off\n', wrong), ['validate'])).toMatchObject({
      code: 0,
      stdout:
        'Checked 3 schedules of 5 objects; 2 objects of other kinds only by their metadata: CronJob (batch/v1) 2.\n',
    });
  });
});

describe('namespaces and selector', () => {
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['{}', [], ['c', 'far', 'gold', 'p']],
    ['namespaces: [vault-a]', [], ['gold', 'p']],
    ['namespaces: [harbor, orchard, harbor]', [], ['c', 'far']],
    ['namespaces: [nowhere]', [], []],
    ['namespaces: [vault-a]', ['-n', 'harbor'], ['c']],
    ['namespaces: [vault-a]', ['-A'], ['c', 'far', 'gold', 'p']],
    ['selector: tier=gold', [], ['far', 'gold']],
    ['selector: tier notin (gold)', [], ['c', 'p']],
    ['selector: ""', [], ['c', 'far', 'gold', 'p']],
    ['selector: tier=gold', ['-l', '!tier'], ['c', 'p']],
    ['{selector: tier=gold, namespaces: [orchard]}', [], ['far']],
    ['{selector: tier=gold, namespaces: [orchard]}', ['-n', 'vault-a'], ['gold']],
    ['{selector: tier=gold, namespaces: [orchard]}', ['-l', ''], ['far']],
  ])('%s with %j look at %j', async (config, argv, wanted) => {
    expect(await names(config, argv)).toEqual(wanted);
  });

  test.each<readonly [string, readonly string[], string]>([
    ['{}', ['-n', 'nowhere'], 'no schedules were found in namespace nowhere; 4 schedules were left out'],
    [
      'namespaces: [nowhere, vault-a, void]',
      [],
      'no schedules were found in the namespaces nowhere and void; 2 schedules were left out',
    ],
    ['{}', ['-l', 'tier=lead'], 'no schedules with these labels were found; 4 schedules were left out'],
    ['selector: tier=lead', [], 'no schedules with these labels were found; 4 schedules were left out'],
    ['{}', ['-l', 'tier=gold'], ''],
    ['namespaces: [nowhere]', ['-n', 'vault-a'], ''],
    ['namespaces: [nowhere]', ['-A'], ''],
    ['{}', [], ''],
  ])('%s with %j say where no schedule was found', async (config, argv, told) => {
    const note = told === '' ? '' : `note: ${told}\n`;
    for (const verb of [['plan'], ['next'], ['reconcile']]) {
      const { code, stderr } = await run(await folder(config), [...verb, ...argv]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: note });
    }
  });

  test('say that labels may be the reason, and nothing where something could not be read', async () => {
    const config = 'namespaces: [orchard, harbor]\n';
    const gold = await run(await folder(config), ['plan', '-l', 'tier=gold']);
    expect(gold.stderr).toBe(
      'note: no schedules with these labels were found in namespace harbor; 3 schedules were left out\n',
    );
    const broken = await run(await folder(config, { 'in/b.yaml': 'kind: [' }), ['plan', '-n', 'nowhere']);
    expect([broken.code, broken.stderr.includes('were found')]).toEqual([1, false]);
  });

  test('are told of where they leave out what is named', async () => {
    for (const verb of ['explain', 'next', 'timeline', 'run', 'suspend']) {
      const found = await run(await folder('{}'), [verb, 'cj/c', '-n', 'vault-a']);
      expect([found.code, found.stderr.split('\n')[0]]).toEqual([
        1,
        'error: no CronJob named c was found in what was read (2 schedules); left out by what was selected: CronJob harbor/c',
      ]);
    }
  });

  test('narrow the schedules and not the runs: one that is left out still holds', async () => {
    const forbid = cronJob('busy', { ...LABELLED, spec: { concurrencyPolicy: 'Forbid' } });
    const running = { 'in/b.json': list(forbid, job('busy-29684280', 'busy', { active: 1 })) };
    const cwd = await folder('{cronJob: manage, selector: tier=gold, namespaces: [harbor]}', running);
    const { stdout } = await run(cwd, ['plan', '-o', 'json']);
    const schedules: readonly ScheduleDocument[] = JSON.parse(stdout).schedules;
    expect(schedules.map(({ name, verdict }) => [name, verdict.code])).toEqual([['busy', 'held']]);
  });

  test.each(['namespaces: [vault-a]', 'selector: tier=gold', 'cronJob: off'])(
    'keep --prune from running, which looks at everything: %s',
    async (config) => {
      for (const dry of [[], ['--dry-run=client']]) {
        const { code, stderr } = await run(await folder(config), ['reconcile', '--prune', ...dry]);
        expect({ code, stderr }).toEqual({
          code: 64,
          stderr:
            'error: --prune looks at the whole state folder, and the configuration narrows it by namespaces, selector or a kind that is off\n',
        });
      }
      expect((await run(await folder('cronJob: observe'), ['reconcile', '--prune'])).code).toBe(0);
    },
  );
});
