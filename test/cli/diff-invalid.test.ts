import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { backupPlan, cronJob, list, policy, TEMPLATE } from './manifests.ts';

const NOW = ['--now', '2026-06-10T12:00:00Z'];
/** Something that is there on both sides, so that a side is never empty. */
const BESIDE = policy('beside');
const APPLICATION = { kind: 'MariaDB', name: 'ledger' };

function object(apiVersion: string, kind: string, name: string, spec: JsonObject): JsonObject {
  return { apiVersion, kind, metadata: { name, namespace: 'prod' }, spec };
}

function managedJob(name: string, spec: JsonObject = {}): JsonObject {
  return object('batch/v1', 'Job', name, {
    managedBy: 'minutehand.dev/job',
    ...(TEMPLATE['spec'] as JsonObject),
    ...spec,
  });
}

function ofBackups(kind: string, name: string, spec: JsonObject): JsonObject {
  return object('backups.cozystack.io/v1alpha1', kind, name, spec);
}

function clusterWide({ metadata, ...rest }: JsonObject): JsonObject {
  return { ...rest, metadata: { name: (metadata as JsonObject)['name'] ?? '' } };
}

const INDEX_LIMIT = { backoffLimitPerIndex: 1, completions: 3 };

/** What the API refuses on create, with the path of its first fault. */
const REFUSED: readonly (readonly [string, JsonObject, string])[] = [
  ['a managed Job with a negative limit', managedJob('job', { backoffLimit: -1 }), 'spec.backoffLimit'],
  [
    'a managed Job with a limit for indexes that it has not',
    managedJob('job', INDEX_LIMIT),
    'spec.backoffLimitPerIndex',
  ],
  ['a managed Job under a name that none has', managedJob('bad_name'), 'metadata.name'],
  [
    'a BackupJob that names no class',
    ofBackups('BackupJob', 'ledger', { applicationRef: APPLICATION }),
    'spec.backupClassName',
  ],
  ['a RestoreJob of nothing', ofBackups('RestoreJob', 'ledger', {}), 'spec.backupRef'],
  [
    'a BackupClass whose strategies are none',
    clusterWide(ofBackups('BackupClass', 'weekly', { strategies: 'weekly' })),
    'spec.strategies',
  ],
  ['a Backup of nothing', ofBackups('Backup', 'ledger', {}), 'spec.applicationRef'],
  ['a schedule under a name that none has', cronJob('ba_d'), 'metadata.name'],
  [
    'a schedule that is suspended and makes no sense',
    cronJob('night', { spec: { suspend: true, schedule: '61 3 * * *' } }),
    'spec.schedule',
  ],
  [
    'an object that schedules have nothing to do with',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'UPPER', namespace: 'prod' }, data: {} },
    'metadata.name',
  ],
  [
    'a label that none can have',
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'prod', labels: { team: 'a b' } } },
    'metadata.labels.team',
  ],
];

async function diff(
  base: readonly JsonObject[],
  head: readonly JsonObject[],
  argv: readonly string[] = [],
): Promise<CliResult> {
  const cwd = await temporaryFolder({ 'base/a.json': list(...base), 'head/a.json': list(...head) });
  const sides = ['-f', 'head', '--base', 'base', '--fail-on', 'invalid'];
  return runMinutehand(['diff', ...sides, ...NOW, ...argv], { cwd });
}

interface Told {
  readonly code: string;
  readonly severity: string;
  readonly path: readonly string[];
  readonly what: string;
}

function errorsOf(diagnostics: readonly Told[]): readonly Told[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, severity, path, what }) => ({ code, severity, path, what }));
}

async function validated(one: JsonObject): Promise<readonly Told[]> {
  const cwd = await temporaryFolder({ 'a.json': list(BESIDE, one) });
  const { stdout } = await runMinutehand(['validate', '-f', '.', '-o', 'json', ...NOW], { cwd });
  return errorsOf(JSON.parse(stdout).diagnostics);
}

function labelled(one: JsonObject): JsonObject {
  const metadata = one['metadata'] as JsonObject;
  return { ...one, metadata: { ...metadata, annotations: { note: 'another' } } };
}

describe.each(REFUSED)('%s', (_name, refused, path) => {
  const { kind = '', metadata } = refused;
  const { name = '', namespace } = metadata as JsonObject;

  test('is as invalid as validate says, once it is added', async () => {
    const errors = await validated(refused);
    expect(errors[0]?.path.join('.')).toBe(path);
    const { code, stdout } = await diff([BESIDE], [BESIDE, refused], ['-o', 'json']);
    const { totals, schedules, referents, tripped } = JSON.parse(stdout);
    const [one, ...others] = [...schedules, ...referents];
    expect(others).toEqual([]);
    expect(one).toMatchObject({ kind, name, change: 'added' });
    expect(errorsOf(one.broken)).toEqual(errors);
    expect(totals.invalid).toBe(1);
    expect(tripped).toMatchObject([{ guard: 'invalid', schedules: [{ kind, name }] }]);
    expect(code).toBe(3);
  });

  test('is no news where it was so before, whatever else is altered', async () => {
    for (const head of [refused, labelled(refused)]) {
      const { code, stdout, stderr } = await diff([BESIDE, refused], [BESIDE, head]);
      expect(stdout).not.toContain('broken');
      expect(stderr).not.toContain('guard');
      expect(code).toBe(0);
    }
  });

  test('does not trip the guard where it goes, or where somebody acknowledged it', async () => {
    expect((await diff([BESIDE, refused], [BESIDE])).code).toBe(0);
    const whose = namespace === undefined ? name : `${namespace}/${name}`;
    const acknowledged = ['--acknowledge', `invalid=${whose}`];
    expect((await diff([BESIDE], [BESIDE, refused], acknowledged)).code).toBe(0);
  });
});

test('every form tells what is invalid, and whose it is', async () => {
  const asked = (output: string): Promise<CliResult> =>
    diff([BESIDE], [BESIDE, managedJob('job', { backoffLimit: -1 })], ['-o', output]);
  const what = 'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0';
  const text = (await asked('text')).stdout;
  expect(text).toContain('At the moment of merging: 1 object would be invalid.');
  expect(text).toContain(`added  Job prod/job  head/a.json:1\n    broken    InvalidField: ${what}\n`);
  expect(text).toContain('guard  invalid: Job prod/job\n');
  const comment = (await asked('markdown')).stdout;
  expect(comment).toContain('**Would be invalid** (1): Job `prod/job`');
  expect(comment).toContain('**broken**: InvalidField: spec.backoffLimit');
  const annotations = (await asked('github')).stdout;
  expect(annotations).toMatch(
    /^::error file=head\/a\.json,line=1,col=\d+,title=InvalidField%3A Job prod\/job::/,
  );
  for (const output of ['sarif', 'junit']) expect((await asked(output)).stdout).toContain(what);
});

test('a change that makes an order invalid is told with its field, and the other way round as mended', async () => {
  const [fine, broken] = [managedJob('job', { backoffLimit: 1 }), managedJob('job', { backoffLimit: -1 })];
  const there = await diff([BESIDE, fine], [BESIDE, broken]);
  expect(there.stdout).toContain('changed  Job prod/job');
  expect(there.stdout).toContain('fields    spec.backoffLimit: 1 → -1');
  expect(there.code).toBe(3);
  const back = await diff([BESIDE, broken], [BESIDE, fine]);
  expect(back.stdout).toContain('mended    spec.backoffLimit: Invalid value: -1');
  expect(back.code).toBe(0);
});

test('another fault of an object that was invalid before is news', async () => {
  const { code, stdout } = await diff(
    [BESIDE, managedJob('job', { backoffLimit: -1 })],
    [BESIDE, managedJob('job', { backoffLimit: -1, parallelism: -2 })],
  );
  expect(stdout).toContain('broken    InvalidField: spec.parallelism');
  expect(stdout).not.toContain('InvalidField: spec.backoffLimit');
  expect(code).toBe(3);
});

test('what only may be missing elsewhere is a warning, for orders as for schedules', async () => {
  const order = ofBackups('BackupJob', 'ledger', { applicationRef: APPLICATION, backupClassName: 'nowhere' });
  const other = clusterWide(ofBackups('BackupClass', 'other', { strategies: [] }));
  const base = [BESIDE, other];
  const { code, stdout } = await diff(base, [...base, order, backupPlan('nightly')], ['-o', 'json']);
  const { totals, schedules, referents } = JSON.parse(stdout);
  const severities = [...schedules, ...referents].flatMap(({ broken }) =>
    broken.map(({ severity }: Told) => severity),
  );
  expect(severities).toEqual(['warning', 'warning']);
  expect(totals.invalid).toBe(0);
  expect(code).toBe(0);
});

describe('what is not looked at', () => {
  const refused = managedJob('job', { backoffLimit: -1 });
  const wide = clusterWide(ofBackups('BackupClass', 'weekly', { strategies: 'weekly' }));

  test.each([
    ['an order in another namespace', refused, ['-n', 'vault-a'], 0],
    ['an order in that namespace', refused, ['-n', 'prod'], 3],
    ['an order with other labels', refused, ['-l', 'team=a'], 0],
    ['what belongs to no namespace', wide, ['-n', 'vault-a'], 3],
    ['what belongs to no namespace, beside labels', wide, ['-l', 'team=a'], 3],
  ])('%s', async (_name, one, flags, want) => {
    expect((await diff([BESIDE], [BESIDE, one], flags)).code).toBe(want);
  });
});
