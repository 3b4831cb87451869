import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { labelValue } from '#core/object/label-value.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { list } from './manifests.ts';

const EXAMPLE = resolve(import.meta.dirname, '..', '..', 'examples', 'restore');
const NOW = ['--now', '2026-11-29T16:30:20Z'];

/** In an empty folder, so that no state folder of somebody else is near. */
async function get(...argv: readonly string[]): Promise<CliResult> {
  return runMinutehand(['get', ...argv, '-f', EXAMPLE, ...NOW], { cwd: await temporaryFolder() });
}

function names({ code, stdout }: CliResult): readonly string[] {
  expect(code).toBe(0);
  const { backups } = JSON.parse(stdout) as { readonly backups: readonly { readonly name: string }[] };
  return backups.map(({ name }) => name);
}

const BOTH = ['sessions-before-upgrade', 'sessions-redis-29932580'];

describe('get backups', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['all, the newest first', [], BOTH],
    ['those of an application', ['--application', 'Redis/sessions'], BOTH],
    ['in any letter case of its kind', ['--application', 'redis/sessions'], BOTH],
    ['of the group that is named', ['--application', 'Redis.apps.cozystack.io/sessions'], BOTH],
    ['those of a Plan', ['--plan', 'sessions-redis'], ['sessions-redis-29932580']],
    ['those of a namespace', ['-n', 'tenant-shop'], BOTH],
  ])('lists %s', async (_name, filter, wanted) => {
    const result = await get('backups', ...filter, '-o', 'json');
    expect(names(result)).toEqual(wanted);
    expect(result.stderr).toBe('');
  });

  test.each<[string, readonly string[], string]>([
    ['a Plan', ['--plan', 'session-redis'], 'is of a Plan named session-redis; did you mean sessions-redis?'],
    ['a Plan that is far off', ['--plan', 'nothing'], 'is of a Plan named nothing'],
    [
      'the name of an application',
      ['--application', 'Redis/session'],
      'is of the application Redis/session; did you mean Redis/sessions?',
    ],
    [
      'its kind',
      ['--application', 'Reddis/sessions'],
      'is of the application Reddis/sessions; did you mean Redis/sessions?',
    ],
    [
      'its group',
      ['--application', 'Redis.app.cozystack.io/sessions'],
      'is of the application Redis.app.cozystack.io/sessions; did you mean Redis.apps.cozystack.io/sessions?',
    ],
    ['a namespace', ['-n', 'tenant-shp'], 'is in the namespace tenant-shp; did you mean tenant-shop?'],
  ])('lists none, and says what was probably meant, where the slip is in %s', async (_name, filter, note) => {
    expect(await get('backups', ...filter)).toEqual({
      code: 0,
      stdout: 'No backups were found.\n',
      stderr: `note: no Backup ${note}\n`,
    });
  });

  test.each([
    [['pods'], '"pods" is nothing that can be listed: write get backups'],
    [['backups', '--application', 'sessions'], 'write KIND/NAME, such as Redis/sessions'],
    [['backups', '--application', 'Redis/Sessions'], '"Sessions" is no name of an application'],
    [['backups', '--application', 'Red is/sessions'], '"Red is" is no kind'],
    [['backups', '--application', 'Redis.Apps/sessions'], '"Apps" is no group of an API'],
  ])('refuses %j', async (argv, message) => {
    const { code, stderr } = await get(...argv);
    expect(code).toBe(64);
    expect(stderr).toContain(message);
  });

  test('says what to write where --state has no manifests beside it', async () => {
    const result = await runMinutehand(['get', 'backups', '--state', 'st'], { cwd: await temporaryFolder() });
    expect(result.code).toBe(64);
    expect(result.stderr).toContain('add -f PATH\n');
  });

  test('speaks of backups where it narrows them', async () => {
    const { stdout } = await get('--help');
    expect(stdout).toMatch(/--namespace NAME +Only backups of this namespace\n/);
    expect(stdout).toMatch(/--all-namespaces +Backups of every namespace/);
  });
});

describe('a state folder is told', () => {
  test('that lies in the current one and is not read', async () => {
    const cwd = await temporaryFolder();
    await mkdir(join(cwd, '.minutehand'));
    const { code, stderr } = await runMinutehand(['get', 'backups', '-f', EXAMPLE, ...NOW], { cwd });
    expect([code, stderr]).toEqual([
      0,
      'note: the state folder ./.minutehand is here and was not read: add --state .minutehand ' +
        'to find what ticks recorded there\n',
    ]);
  });

  test('that is named and is not there', async () => {
    expect((await get('backups', '--state', 'stat')).stderr).toBe(
      'note: there is no state folder stat: only the manifests were looked at\n',
    );
  });
});

const LONG = `ledger-${'x'.repeat(60)}`;

/** A Backup whose record tells less than its labels. */
function labelled(name: string, labels: Readonly<Record<string, string>>, spec: object): object {
  return {
    apiVersion: 'backups.cozystack.io/v1alpha1',
    kind: 'Backup',
    metadata: { name, namespace: 'shop', labels },
    spec: {
      strategyRef: { apiGroup: 'dump.example.net', kind: 'Dump', name: 'd' },
      takenAt: '2026-11-29T12:00:00Z',
      ...spec,
    },
  };
}

describe('labels of the provenance', () => {
  const BACKUPS = 'backups.cozystack.io';
  const files = {
    'a.json': list(
      labelled(
        'by-label',
        { [`${BACKUPS}/plan`]: 'ledger' },
        { applicationRef: { kind: 'Redis', name: 'a' } },
      ),
      labelled(
        'by-cut-label',
        { [`${BACKUPS}/plan`]: labelValue(LONG) },
        { applicationRef: { kind: 'Redis', name: 'a' } },
      ),
      labelled(
        'by-record',
        {},
        { applicationRef: { kind: 'Redis', name: 'a' }, planRef: { name: 'ledger' } },
      ),
      labelled(
        'application-by-label',
        { [`${BACKUPS}/application-kind`]: 'Kafka', [`${BACKUPS}/application-name`]: 'queue' },
        {},
      ),
    ),
  };

  test.each<[string, readonly string[], readonly string[]]>([
    ['the Plan', ['--plan', 'ledger'], ['by-label', 'by-record']],
    ['a Plan of a name that a label cannot hold', ['--plan', LONG], ['by-cut-label']],
    ['the application', ['--application', 'kafka/queue'], ['application-by-label']],
    [
      'the application of the default group',
      ['--application', 'Kafka.apps.cozystack.io/queue'],
      ['application-by-label'],
    ],
    ['no application of another group', ['--application', 'Kafka.example.net/queue'], []],
  ])('tell %s', async (_name, filter, wanted) => {
    const argv = ['get', 'backups', ...filter, '-f', '.', ...NOW, '-o', 'json'];
    expect(names(await runMinutehand(argv, { cwd: await temporaryFolder(files) }))).toEqual(wanted);
  });

  test('are shown where the record tells no Plan', async () => {
    const argv = ['get', 'backups', '--plan', 'ledger', '-f', '.', ...NOW];
    const { stdout } = await runMinutehand(argv, { cwd: await temporaryFolder(files) });
    expect(stdout).toMatch(/^shop +by-label +Redis\/a +ledger /m);
  });
});
