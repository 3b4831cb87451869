import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import { KINDS } from '#kinds/index.ts';
import { type CliResult, type CliWorld, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy, TEMPLATE } from './manifests.ts';

async function validate(
  files: Readonly<Record<string, string>>,
  more: readonly string[] = [],
  world: CliWorld = {},
): Promise<CliResult> {
  const cwd = await temporaryFolder(files);
  return runMinutehand(['validate', '-f', '.', '--now', '2026-06-10T03:00:10Z', ...more], { cwd, ...world });
}

describe('validate', () => {
  test('shows each finding with its place, the line, the reason and the remedy', async () => {
    const { code, stdout, stderr } = await validate({
      'nightly.yaml': `apiVersion: etcd-operator.cozystack.io/v1alpha2
kind: EtcdDefragPolicy
metadata:
  name: nightly
  namespace: vault-a
spec:
  clusterRef:
    name: kv
  shedule: "0 4 * * *"
  schedule: "0 25 * * *"
  suspend: true
  historyLimit: -1
`,
    });
    expect({ code, stderr }).toEqual({ code: 3, stderr: '2 rules evaluated.\n' });
    expect(stdout).toBe(`nightly.yaml:10:13: error InvalidSchedule: hour \`25\` cannot be read
  10 |   schedule: "0 25 * * *"
     |             ^
  why:    \`25\` is not in 0 to 23
  fix:    write a value from 0 to 23
  object: EtcdDefragPolicy vault-a/nightly
nightly.yaml:12:17: error InvalidField: spec.historyLimit is -1
  12 |   historyLimit: -1
     |                 ^
  fix:    write 0 or more
  object: EtcdDefragPolicy vault-a/nightly
nightly.yaml:9:3: warning UnknownField: spec.shedule is no field of EtcdDefragPolicy
  9 |   shedule: "0 4 * * *"
    |   ^
  why:    the API server drops it, so it has no effect
  fix:    write schedule
  object: EtcdDefragPolicy vault-a/nightly
2 errors, 1 warning.
Checked 1 schedule of 1 object.
`);
  });

  const UNKNOWN: readonly (readonly [string, string | undefined])[] = [
    ['timezone', 'timeZone'],
    ['concurencyPolicy', 'concurrencyPolicy'],
    ['startingDeadlineSecond', 'startingDeadlineSeconds'],
    ['jobTempalte', 'jobTemplate'],
    ['paused', undefined],
    ['managedBy', undefined],
  ];

  test.each(UNKNOWN)('warns of the unknown field %s of a CronJob', async (field, meant) => {
    const { code, stdout } = await validate({ 'a.json': list(cronJob('c', { spec: { [field]: 'x' } })) });
    expect(code).toBe(0);
    expect(stdout).toContain(`warning UnknownField: spec.${field} is no field of CronJob`);
    if (meant === undefined) expect(stdout).not.toContain('fix:');
    else expect(stdout).toContain(`fix:    write ${meant}`);
  });

  test.each([
    ['rule.freeSpaceAbov', policy('p', { spec: { rule: { freeSpaceAbov: '1Gi' } } }), 'freeSpaceAbove'],
    ['clusterRef.nmae', policy('p', { spec: { clusterRef: { name: 'kv', nmae: 'b' } } }), 'name'],
    [
      'jobTemplate.spec.backofLimit',
      cronJob('c', { spec: { jobTemplate: { spec: { backofLimit: 1 } } } }),
      'backoffLimit',
    ],
  ])('warns of the unknown field spec.%s', async (path, object, meant) => {
    const { stdout } = await validate({ 'a.json': list(object) });
    expect(stdout).toContain(`warning UnknownField: spec.${path} is no field of`);
    expect(stdout).toContain(`fix:    write ${meant}`);
  });

  test('warns of a word for clock changes that it does not know', async () => {
    const annotations = { 'minutehand.dev/dst': 'save' };
    const { stdout } = await validate({ 'a.json': list(cronJob('c', { metadata: { annotations } })) });
    expect(stdout).toContain('the annotation minutehand.dev/dst is "save", which has no effect');
  });

  test.each([
    [[], 0],
    [['--strict'], 3],
  ])('lets warnings pass, but with --strict: %j', async (argv, want) => {
    const files = {
      'a.json': list(cronJob('a', { metadata: { annotations: { 'minutehand.dev/dst': 'sfe' } } })),
    };
    const { code, stdout } = await runMinutehand(['validate', '-f', '.', ...argv], {
      cwd: await temporaryFolder(files),
    });
    expect(stdout).toContain('1 warning.');
    expect(code).toBe(want);
  });

  test('knows every field that the documents name', () => {
    const fields = Object.fromEntries(
      KINDS.map(({ id, knownFields }) => [id, [...(knownFields.spec ?? [])].sort()]),
    );
    expect(fields['cron-job']).toEqual([
      'concurrencyPolicy',
      'failedJobsHistoryLimit',
      'jobTemplate',
      'schedule',
      'startingDeadlineSeconds',
      'successfulJobsHistoryLimit',
      'suspend',
      'timeZone',
    ]);
    expect(fields['etcd-defrag-policy']).toEqual([
      'clusterRef',
      'concurrencyPolicy',
      'historyLimit',
      'rule',
      'schedule',
      'startingDeadlineSeconds',
      'suspend',
      'ttlSecondsAfterFinished',
    ]);
  });

  test.each([
    ['a CronJob', cronJob('s', { spec: { schedule: '0 6 * * 7', suspend: true } })],
    ['a policy', policy('s', { spec: { schedule: '@daily', suspend: true } })],
  ])('finds the bad timing of %s while it is suspended', async (_name, object) => {
    const { code, stdout } = await validate({ 'a.json': list(object) });
    expect(code).toBe(3);
    expect(stdout).toContain('error InvalidSchedule: ');
  });

  test.each([
    ['a CronJob', cronJob('s', { spec: { schedule: '0 6 * * 7', jobTemplate: { spec: {} } } })],
    ['a policy', policy('s', { spec: { schedule: '0 6 * * 7', rule: { minReclaim: '1Gi' } } })],
    ['a policy of wrong types', policy('s', { spec: { schedule: '0 6 * * 7', suspend: 'false' } })],
    ['a CronJob of wrong types', cronJob('s', { spec: { schedule: '0 6 * * 7', suspend: 'false' } })],
  ])('finds the bad timing of %s beside its other faults', async (_name, object) => {
    const { stdout } = await validate({ 'a.json': list(object) });
    expect(stdout).toContain('error InvalidSchedule: ');
    expect(stdout).toContain('error InvalidField: ');
  });

  test('tells of a CronJob whose Jobs would be refused for their name', async () => {
    const spec = { ...(TEMPLATE['spec'] as JsonObject), completionMode: 'Indexed', completions: 3 };
    const { code, stdout } = await validate({
      'a.json': list(cronJob('a.b', { spec: { jobTemplate: { spec } } })),
    });
    expect(code).toBe(3);
    expect(stdout).toContain(
      'error InvalidField: metadata.name: Invalid value: "a.b-MINUTES": will not able to create pod with invalid DNS label: a.b-MINUTES-2\n',
    );
    expect(stdout).toContain('why:    the API server takes the CronJob and refuses each of its Jobs\n');
    expect(stdout).toContain('fix:    take a shorter name without dots, or fewer completions\n');
  });

  test('finds a date that never comes while the schedule is suspended', async () => {
    const { code, stdout } = await validate({
      'a.json': list(policy('never', { spec: { schedule: '0 0 30 2 *', suspend: true } })),
    });
    expect(code).toBe(3);
    expect(stdout).toContain('error NeverFires: ');
  });

  test('holds the metadata of all objects against the rules of the API', async () => {
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'Web', namespace: 'harbor', labels: { tier: 'a b' } },
    };
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'system:viewer' },
    };
    const { code, stdout } = await validate({ 'a.json': list(deployment, role) });
    expect(code).toBe(3);
    expect(stdout).toContain(
      'error InvalidMetadata: metadata.name: Invalid value: "Web": a lowercase RFC 1123 subdomain',
    );
    expect(stdout).toContain('error InvalidMetadata: metadata.labels.tier: Invalid value: "a b"');
    expect(stdout).not.toContain('system:viewer');
    expect(stdout).toMatch(
      /\n2 errors\.\nChecked 0 schedules of 2 objects; 2 objects of other kinds only by their metadata: /,
    );
  });

  test('never shows a line that may hold a secret', async () => {
    const container = '{name: main, env: [{name: PASSWORD, value: hunter2, valueFrom: 5}]}';
    const pod = `{restartPolicy: Never, containers: [${container}]}`;
    const { code, stdout } = await validate({
      'a.yaml': `apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c, namespace: harbor}\nspec: {schedule: "0 3 * * *", jobTemplate: {spec: {template: {spec: ${pod}}}}}\n`,
    });
    expect(code).toBe(3);
    expect(stdout).toContain('a.yaml:4:');
    expect(stdout).not.toContain('hunter2');
  });

  test('reads standard input, and shows its lines', async () => {
    const stdin = 'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec:\n  schedule: 5 * * *\n';
    const { stdout } = await runMinutehand(['validate', '-f', '-'], { stdin });
    expect(stdout).toContain('-:5:13: error InvalidSchedule: ');
    expect(stdout).toContain('\n  5 |   schedule: 5 * * *\n    |             ^\n');
  });

  test('warns of a deadline below the grace where CronJobs are managed', async () => {
    const files = {
      'a.json': list(cronJob('c', { spec: { startingDeadlineSeconds: 30 } })),
      'config/c.yaml': 'cronJob: manage\n',
    };
    const managed = await validate(files, ['--config', 'config/c.yaml']);
    expect({ code: managed.code, warned: managed.stdout.includes('warning DeadlineBelowGrace: ') }).toEqual({
      code: 0,
      warned: true,
    });
    const patient = await validate(files, ['--config', 'config/c.yaml', '--grace', '20s']);
    expect(patient.stdout).not.toContain('DeadlineBelowGrace');
  });

  test('gives one JSON document, and nothing on stderr', async () => {
    const other = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'harbor' } };
    const files = {
      'a.json': list(
        cronJob('c', { spec: { paused: true } }),
        cronJob('d', { spec: { schedule: '' } }),
        other,
      ),
    };
    const { code, stdout, stderr } = await validate(files, ['-o', 'json']);
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      formatVersion: 1,
      objects: 3,
      schedules: 2,
      others: [{ apiVersion: 'v1', kind: 'Secret', count: 1 }],
      counts: { errors: 1, warnings: 1, notes: 0 },
      diagnostics: [
        {
          code: 'InvalidField',
          severity: 'error',
          path: ['spec', 'schedule'],
          object: { kind: 'CronJob', name: 'd' },
        },
        {
          code: 'UnknownField',
          severity: 'warning',
          path: ['spec', 'paused'],
          place: { file: 'a.json', line: 1 },
        },
      ],
    });
  });

  test('accepts what it should', async () => {
    const { code, stdout } = await validate({
      'a.json': list(
        cronJob('c', { spec: { jobTemplate: TEMPLATE } }),
        policy('p', { spec: { rule: { all: true } } }),
      ),
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Checked 2 schedules of 2 objects.\n' });
  });
});
