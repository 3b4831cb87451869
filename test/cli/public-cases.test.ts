import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScheduleDocument } from '#core/change/document.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { backupPlan, cronJob, job, list, policy } from './manifests.ts';

const NOW = '2026-06-10T03:00:10Z';
const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };
const COMPLETE = { conditions: [{ type: 'Complete', status: 'True' }] };
const MANAGE = { 'config/managed.yaml': 'cronJob: manage\n' };
const MANAGED = ['--config', 'config/managed.yaml'];

interface Planned extends CliResult {
  readonly schedules: Readonly<Record<string, ScheduleDocument>>;
  /** `verb name` of every change. */
  readonly changes: readonly string[];
}

async function planned(
  files: Readonly<Record<string, string>>,
  argv: readonly string[] = MANAGED,
): Promise<Planned> {
  const cwd = await temporaryFolder({ ...files, ...MANAGE });
  const result = await runMinutehand(['plan', '-f', '.', '-o', 'json', '--now', NOW, ...argv], { cwd });
  const schedules: readonly ScheduleDocument[] = JSON.parse(result.stdout).schedules;
  const changes = schedules.flatMap((one) => one.changes.map(({ verb, object }) => `${verb} ${object.name}`));
  return { ...result, schedules: Object.fromEntries(schedules.map((one) => [one.name, one])), changes };
}

function creates({ changes }: Planned): readonly string[] {
  return changes.filter((change) => change.startsWith('create '));
}

async function validated(files: Readonly<Record<string, string>>): Promise<CliResult> {
  const cwd = await temporaryFolder(files);
  return runMinutehand(['validate', '-f', '.', '--now', NOW], { cwd });
}

/** The head lines of diagnostics. */
function heads(text: string): readonly string[] {
  return text.split('\n').filter((line) => /: (error|warning|note) [A-Z]/.test(line));
}

describe('pub-001: words that YAML 1.1 reads as booleans', () => {
  const files = {
    's.yaml':
      'kind: CronJob\napiVersion: batch/v1\nmetadata: {name: s, namespace: harbor}\nspec:\n  schedule: "0 3 * * *"\n  suspend: no\n',
    't.yaml':
      'kind: EtcdDefragPolicy\napiVersion: etcd-operator.cozystack.io/v1alpha2\nmetadata: {name: t, namespace: vault-a}\nspec:\n  clusterRef: {name: kv}\n  schedule: "0 3 * * *"\n  suspend: off\n',
    'u.yaml':
      'kind: CronJob\napiVersion: batch/v1\nmetadata: {name: u, namespace: harbor, labels: {on: yes, country: NO}}\nspec: {schedule: "0 3 * * *", suspend: "false"}\n',
    'v.yaml':
      'kind: CronJob\napiVersion: batch/v1\nmetadata: {name: v, namespace: harbor}\nspec: {schedule: "0 3 * * *", suspend: "false"}\n',
  };

  test('are never a suspension, and a quoted boolean is a type error', async () => {
    const { schedules } = await planned(files);
    expect(Object.entries(schedules).map(([name, { verdict }]) => [name, verdict.code])).toEqual([
      ['s', 'waiting'],
      ['v', 'invalid'],
      ['t', 'waiting'],
    ]);
  });

  test('are told with their place, and so are labels that would become booleans', async () => {
    const { code, stdout } = await validated(files);
    expect(code).toBe(3);
    expect(heads(stdout)).toEqual(
      expect.arrayContaining([
        'u.yaml:3:53: error InvalidMetadata: metadata.labels.true is the boolean true, not text',
        'u.yaml:3:67: error InvalidMetadata: metadata.labels.country is the boolean false, not text',
        expect.stringMatching(/^v\.yaml:4:\d+: error InvalidField: spec\.suspend is a string, "false"$/),
        's.yaml:6:12: warning AmbiguousScalar: `no` without quotes is read as the boolean false',
      ]),
    );
  });
});

describe('pub-002: a date that never comes', () => {
  const cron = '0 0 30 2 *';
  const files = {
    'a.json': list(cronJob('feb30', { spec: { schedule: cron } }), backupPlan('feb30-plan', { cron })),
  };

  test('starts nothing and is told as that', async () => {
    const plan = await planned(files);
    expect(creates(plan)).toEqual([]);
    expect(plan.schedules['feb30']?.verdict).toMatchObject({
      code: 'invalid',
      reason: 'InvalidSchedule',
      next: null,
    });
    expect(plan.schedules['feb30-plan']?.verdict).toMatchObject({
      code: 'invalid',
      reason: 'InvalidSchedule',
      next: null,
    });
    expect(plan.stderr.match(/error NeverFires: the schedule "0 0 30 2 \*" names no instant/g)).toHaveLength(
      2,
    );
  });

  test('has no next slot, in words', async () => {
    const cwd = await temporaryFolder(files);
    const { stdout } = await runMinutehand(['next', '-f', '.', '--now', NOW], { cwd });
    expect(stdout).toBe(
      'No next slot for CronJob harbor/feb30: no instant matches the schedule.\n' +
        'No next slot for Plan tenant-elm/feb30-plan: no instant matches the schedule.\n',
    );
  });
});

describe('pub-003: a local time that exists twice', () => {
  const berlin = cronJob('berlin-two', {
    spec: { schedule: '0 2 * * *', timeZone: 'Europe/Berlin', concurrencyPolicy: 'Forbid' },
    status: { lastScheduleTime: '2026-10-24T00:00:00Z' },
  });

  async function slots(
    argv: readonly string[],
  ): Promise<{ readonly slots: readonly string[]; readonly notes: readonly string[] }> {
    const cwd = await temporaryFolder({ 'a.json': list(berlin) });
    const window = ['--now', '2026-10-24T12:00:00Z', '--for', '48h', '-o', 'json'];
    const { stdout } = await runMinutehand(['next', '-f', '.', ...window, ...argv], { cwd });
    const found: readonly { slot: string; note?: string }[] = JSON.parse(stdout).schedules[0].slots;
    return { slots: found.map(({ slot }) => slot), notes: found.flatMap(({ note }) => note ?? []) };
  }

  test('has two slots as in Kubernetes, with a note that names both', async () => {
    const found = await slots([]);
    expect(found.slots).toEqual(['2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z', '2026-10-26T01:00:00Z']);
    expect(found.notes).toHaveLength(2);
    for (const note of found.notes) expect(note).toMatch(/2026-10-25T00:00:00Z and 2026-10-25T01:00:00Z/);
  });

  test('has one slot with --dst safe', async () => {
    expect((await slots(['--dst', 'safe'])).slots).toEqual(['2026-10-25T00:00:00Z', '2026-10-26T01:00:00Z']);
  });

  test('gives the two runs different names, and holds the second while the first is active', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(berlin) });
    const tick = async (now: string): Promise<ScheduleDocument> => {
      const argv = ['reconcile', '-f', 'in', '--state', 'state', '--now', now, '-o', 'json'];
      return JSON.parse((await runMinutehand(argv, { cwd })).stdout).changeSet.schedules[0];
    };
    expect((await tick('2026-10-25T00:00:10Z')).verdict).toMatchObject({
      code: 'fired',
      runs: ['berlin-two-29881440'],
    });
    const second = await tick('2026-10-25T01:00:10Z');
    expect(second.verdict).toMatchObject({
      code: 'held',
      slot: '2026-10-25T01:00:00Z',
      runs: ['berlin-two-29881440'],
    });
  });
});

describe('pub-005: schedules that were paused and go on', () => {
  const paused = { status: { lastScheduleTime: '2026-06-07T03:00:00Z' } };
  const suspended = { ...paused, spec: { suspend: true } };

  test('run what each kind documents: the latest slot of a CronJob, nothing of a policy', async () => {
    const cwd = await temporaryFolder({
      'off/a.json': list(cronJob('pause-cj', suspended), policy('pause-ep', suspended)),
      'on/a.json': list(cronJob('pause-cj', paused), policy('pause-ep', paused)),
    });
    const tick = async (folder: string, now: string): Promise<readonly ScheduleDocument[]> => {
      const argv = ['reconcile', '-f', folder, '--state', 'state', '--now', now, '-o', 'json'];
      return JSON.parse((await runMinutehand(argv, { cwd })).stdout).changeSet.schedules;
    };
    const first = await tick('off', '2026-06-10T08:59:10Z');
    expect(first.flatMap(({ changes }) => changes).filter(({ verb }) => verb === 'create')).toEqual([]);
    const second = await tick('on', '2026-06-10T09:00:10Z');
    const runs = second.flatMap(({ changes }) => changes).filter(({ verb }) => verb === 'create');
    expect(runs.map(({ object }) => object.name)).toEqual(['pause-cj-29684340']);
    expect(second.find(({ name }) => name === 'pause-ep')?.verdict.next).toBe('2026-06-11T03:00:00Z');
  });
});

describe('pub-009: a BackupJob that is deleted by hand', () => {
  test('is not made again, since its slot is on record', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(backupPlan('ledger-nightly')) });
    const tick = async (now: string, ...argv: readonly string[]): Promise<CliResult> =>
      runMinutehand(['reconcile', '-f', 'in', '--state', 'state', '--now', now, '-o', 'json', ...argv], {
        cwd,
      });
    const run = ['state', 'backups.cozystack.io', 'backupjob', 'tenant-elm', 'ledger-nightly-29684340.json'];
    expect((await tick(NOW)).stdout).toContain('ledger-nightly-29684340');
    await rm(join(cwd, ...run));
    const { stdout } = await tick('2026-06-10T03:03:10Z');
    expect(JSON.parse(stdout).changeSet.counts).toMatchObject({ creates: 0, deletes: 0 });
    expect(JSON.parse(stdout).changeSet.schedules[0].verdict).toMatchObject({
      code: 'waiting',
      next: '2026-06-11T03:00:00Z',
    });
  });
});

describe('pub-012: the name of a run that belongs to somebody else', () => {
  test('is a conflict; strangers are neither adopted nor deleted', async () => {
    const plan = await planned({
      'a.json': list(
        cronJob('reborn', { ...DUE, metadata: { uid: 'uid-new' }, spec: { successfulJobsHistoryLimit: 0 } }),
        job('reborn-29684340', undefined, COMPLETE),
        job('reborn-29682900', 'reborn', COMPLETE),
      ),
    });
    expect(plan.changes).toEqual([]);
    expect(plan.schedules['reborn']?.verdict).toMatchObject({ code: 'conflict', runs: ['reborn-29684340'] });
    expect(plan.stderr).toContain('error NameTaken: the name reborn-29684340 is taken');
  });
});

describe('pub-023: a phase that this build does not know', () => {
  test('holds a policy under Forbid and is never pruned', async () => {
    const group = 'etcd-operator.cozystack.io';
    const run = {
      apiVersion: `${group}/v1alpha2`,
      kind: 'EtcdDefrag',
      metadata: {
        name: 'newer-ep-1781059200',
        namespace: 'vault-a',
        uid: 'uid-run',
        labels: { [`${group}/defrag-policy`]: 'newer-ep' },
        ownerReferences: [
          {
            apiVersion: `${group}/v1alpha2`,
            kind: 'EtcdDefragPolicy',
            name: 'newer-ep',
            uid: 'uid-newer-ep',
            controller: true,
          },
        ],
      },
      status: { phase: 'Verifying' },
    };
    const plan = await planned({
      'a.json': list(policy('newer-ep', { ...DUE, spec: { historyLimit: 0 } }), run),
    });
    expect(plan.schedules['newer-ep']?.verdict).toMatchObject({
      code: 'held',
      runs: ['newer-ep-1781059200'],
    });
    expect(plan.changes.filter((change) => /^(create|delete)/.test(change))).toEqual([]);
    expect(plan.stderr).toContain('is in phase "Verifying", which this build does not know');
  });
});

describe('pub-025: a status that another manager owns', () => {
  test('makes the object observed, and its owner is named', async () => {
    const managedFields = [
      {
        manager: 'kube-controller-manager',
        operation: 'Update',
        subresource: 'status',
        fieldsV1: { 'f:status': { 'f:lastScheduleTime': {} } },
      },
    ];
    const plan = await planned({
      'a.json': list(cronJob('two-masters', { ...DUE, metadata: { managedFields } })),
    });
    expect(plan.changes).toEqual([]);
    expect(plan.schedules['two-masters']?.verdict).toMatchObject({
      code: 'observed',
      actor: 'kube-controller-manager',
    });
  });
});

describe('pub-028: kinds of other groups, and versions of yesterday', () => {
  const files = {
    'a.json': list(
      {
        apiVersion: 'upgrade.cattle.io/v1',
        kind: 'Plan',
        metadata: { name: 'k3s-server', namespace: 'system-upgrade' },
        spec: {},
      },
      {
        apiVersion: 'snapscheduler.backube/v1',
        kind: 'SnapshotSchedule',
        metadata: { name: 'daily', namespace: 'orchard' },
        spec: { schedule: '@daily' },
      },
      { ...cronJob('legacy', DUE), apiVersion: 'batch/v1beta1' },
      { ...policy('older', DUE), apiVersion: 'etcd-operator.cozystack.io/v1alpha1' },
      { ...cronJob('later', DUE), apiVersion: 'batch/v3' },
      backupPlan('ledger-nightly'),
    ),
  };

  test('start nothing; the versions are told, the other groups are no error', async () => {
    const plan = await planned(files);
    expect({ code: plan.code, creates: creates(plan) }).toEqual({
      code: 0,
      creates: ['create ledger-nightly-29684340'],
    });
    expect(Object.keys(plan.schedules)).toEqual(['ledger-nightly']);
    expect(heads(plan.stderr).map((line) => line.replace(/^\S+ /, ''))).toEqual([
      'error UnknownKind: CronJob of batch/v3 is not known to this build',
      'warning UnknownKind: EtcdDefragPolicy of etcd-operator.cozystack.io/v1alpha1 is not known to this build',
      'note ObsoleteVersion: batch/v1beta1 is no longer served; use batch/v1',
    ]);
  });

  test('are counted by validate', async () => {
    const { code, stdout } = await validated(files);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /\nChecked 1 schedule of 3 objects; 2 objects of other kinds only by their metadata: SnapshotSchedule \(snapscheduler\.backube\/v1\) 1, Plan \(upgrade\.cattle\.io\/v1\) 1\.\n$/,
    );
  });
});

describe('pub-036: Plans whose cron does not parse', () => {
  const files = {
    'a.json': list(
      backupPlan('typo', { cron: '61 * * * *' }),
      backupPlan('six', { cron: '0 0 6 * * *' }),
      backupPlan('blank', { cron: '' }),
      backupPlan('fine'),
    ),
  };

  test('start nothing and are told by their names; the one beside them is served', async () => {
    const plan = await planned(files);
    expect(creates(plan)).toEqual(['create fine-29684340']);
    const invalid = ['blank', 'six', 'typo'];
    for (const name of invalid) {
      expect(plan.schedules[name]?.verdict).toMatchObject({ code: 'invalid', reason: 'InvalidSchedule' });
      expect(plan.stderr).toContain(`object: Plan tenant-elm/${name}`);
    }
    expect(plan.stderr.match(/error InvalidSchedule: /g)).toHaveLength(3);
    expect(plan.stdout).toContain('the schedule \\"61 * * * *\\" cannot be used');
  });

  test('make a tick that failed in part, where that is asked for', async () => {
    const cwd = await temporaryFolder(files);
    const argv = ['reconcile', '-f', '.', '--state', 'state', '--now', NOW, '--fail-on', 'invalid'];
    expect((await runMinutehand(argv, { cwd })).code).toBe(3);
  });
});

describe('pub-042: zone names', () => {
  const ROWS: readonly (readonly [string, string | undefined])[] = [
    ['europe/berlin', 'write Europe/Berlin'],
    ['Europe/Berln', 'write Europe/Berlin'],
    ['Local', 'name the zone, such as Europe/Berlin'],
    ['UTC+2', 'write a place, such as Europe/Berlin, or Etc/GMT-2 (the sign is turned round there)'],
    ['+02:00', 'write a place, such as Europe/Berlin, or Etc/GMT-2 (the sign is turned round there)'],
    [' Europe/Berlin', 'write Europe/Berlin'],
    ['US/Pacific-New', 'write US/Pacific'],
    ['Etc/UTC', undefined],
    ['Asia/Calcutta', undefined],
  ];

  test.each(ROWS)('%j', async (timeZone, fix) => {
    const files = { 'a.json': list(cronJob('tz', { spec: { timeZone, suspend: true } })) };
    const { code, stdout } = await validated(files);
    if (fix === undefined)
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'Checked 1 schedule of 1 object.\n' });
    else {
      expect(code).toBe(3);
      expect(stdout).toContain(`error UnknownTimeZone: unknown time zone ${JSON.stringify(timeZone)}`);
      expect(stdout.replaceAll(/\n {8,}/g, ' ')).toContain(`fix:    ${fix}`);
      const plan = await planned({
        'a.json': list(cronJob('tz', { ...DUE, spec: { timeZone } }), policy('fine', DUE)),
      });
      expect(plan.schedules['tz']?.verdict.code).toBe('invalid');
      expect(creates(plan)).toEqual(['create fine-1781060400']);
    }
  });
});

describe('pub-046 and pub-097: names that leave no room', () => {
  test('a CronJob of 53 characters is an error, one of 52 is none and gets its Job of 61', async () => {
    const { code, stdout } = await validated({
      'a.json': list(cronJob('c'.repeat(53)), cronJob('d'.repeat(52))),
    });
    expect(code).toBe(3);
    expect(heads(stdout)).toEqual([
      expect.stringContaining(
        'error NameTooLong: metadata.name has 53 characters: must be no more than 52 characters',
      ),
    ]);
    const plan = await planned({ 'a.json': list(cronJob('d'.repeat(52), DUE)) });
    expect(creates(plan)).toEqual([`create ${'d'.repeat(52)}-29684340`]);
  });

  test('a policy of more than 52 characters is told and not acted on', async () => {
    const name = `defrag-${'q'.repeat(70)}`;
    const plan = await planned({ 'a.json': list(policy(name, DUE), policy('fine', DUE)) });
    expect(creates(plan)).toEqual(['create fine-1781060400']);
    expect(plan.schedules[name]?.verdict.code).toBe('invalid');
    expect(plan.stderr).toContain(
      'error NameTooLong: metadata.name has 77 characters, at most 52 are allowed',
    );
  });
});

test('pub-046: a Plan of 250 characters is told and nothing is tried', async () => {
  const name = 'p'.repeat(250);
  const plan = await planned({ 'a.json': list(backupPlan(name), backupPlan('q'.repeat(47))) });
  expect(plan.changes.filter((change) => change.includes(name))).toEqual([]);
  expect(creates(plan)).toEqual([`create ${'q'.repeat(47)}-29684340`]);
  expect(plan.schedules[name]?.verdict.code).toBe('invalid');
  expect(plan.stderr).toContain(
    'error NameTooLong: metadata.name has 250 characters, at most 47 are allowed',
  );
});

describe('pub-061: one poisoned object costs exactly one object', () => {
  test('the others are planned, and each broken one is told by name', async () => {
    const plan = await planned({
      'a.json': list(
        cronJob('ok-1', DUE),
        cronJob('empty', { spec: { schedule: '' } }),
        { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'nospec', namespace: 'harbor' } },
        cronJob('num', { spec: { schedule: 5 } }),
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          metadata: { name: 'noname-ns' },
          spec: { schedule: null },
        },
        cronJob('toString', DUE),
        cronJob('__proto__', DUE),
      ),
    });
    expect(plan.code).toBe(0);
    expect(creates(plan)).toEqual([
      'create __proto__-29684340',
      'create ok-1-29684340',
      'create toString-29684340',
    ]);
    for (const name of ['default/noname-ns', 'harbor/empty', 'harbor/nospec', 'harbor/num']) {
      expect(plan.stderr).toContain(`object: CronJob ${name}`);
    }
  });
});

describe('pub-063: expressions without quotes that begin with a star', () => {
  const files = {
    'a.yaml':
      'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a, namespace: harbor}\nspec:\n  schedule: */5 * * * *\n',
    'b.yaml':
      'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: b, namespace: harbor}\nspec:\n  schedule: "0 3 * * *"\n',
    'c.yaml':
      'spec: {x: &nightly "0 0 1 1 *"}\n---\napiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c, namespace: harbor}\nspec:\n  schedule: *nightly\n',
  };

  test('are errors with place and hint; the file beside them is evaluated', async () => {
    const plan = await planned(files);
    expect(plan.code).toBe(3);
    expect(Object.keys(plan.schedules)).toEqual(['b']);
    expect(heads(plan.stderr)).toEqual(
      expect.arrayContaining([
        'a.yaml:5:13: error InvalidYaml: `*/5 * * * *` is not text without quotes',
        'c.yaml:7:13: error UnknownAlias: the alias `*nightly` has no anchor `&nightly` before it in this document',
      ]),
    );
    expect(plan.stderr).toContain('fix:    quote the cron expression: "*/5 * * * *"');
    expect(plan.stderr).toContain('  5 |   schedule: */5 * * * *\n    |             ^\n');
  });

  test('do not count as deleted', async () => {
    const cwd = await temporaryFolder({ 'in/a.json': list(cronJob('a', DUE), cronJob('b', DUE)) });
    const argv = ['reconcile', '--state', 'state', '--now', NOW, '--prune', '-o', 'json'];
    await runMinutehand([...argv, '-f', 'in'], { cwd });
    const broken = await temporaryFolder(files);
    expect((await runMinutehand([...argv, '-f', broken], { cwd })).code).toBe(3);
    const again = JSON.parse((await runMinutehand([...argv, '-f', 'in'], { cwd })).stdout);
    expect(again.changeSet.counts).toMatchObject({ creates: 0, deletes: 0 });
  });
});

describe('pub-064: a key that stands twice', () => {
  test('is an error that names the object, both lines and the document; the others are evaluated', async () => {
    const good = Array.from({ length: 38 }, (_, index) => JSON.stringify(cronJob(`good-${index}`, DUE)));
    const dup =
      'kind: CronJob\napiVersion: batch/v1\nmetadata: {name: dup, namespace: harbor}\nspec:\n  schedule: "0 3 * * *"\n  suspend: true\n  schedule: "* * * * *"';
    const after =
      'kind: CronJob\napiVersion: batch/v1\nmetadata: {name: after, namespace: harbor}\nspec: {schedule: "0 4 * * *"}';
    const plan = await planned({ 'many.yaml': [...good, dup, after].join('\n---\n') });
    expect(plan.code).toBe(3);
    expect(Object.keys(plan.schedules)).toHaveLength(39);
    expect(plan.schedules['dup']).toBeUndefined();
    expect(plan.stderr).toContain(
      'many.yaml:83:3: error DuplicateKey: the key `schedule` stands twice in one mapping, on lines 81 and 83',
    );
    expect(plan.stderr).toContain('object: CronJob harbor/dup');
    const { diagnostics } = JSON.parse(plan.stdout);
    expect(diagnostics.find(({ code }: { code: string }) => code === 'DuplicateKey')?.place.document).toBe(
      39,
    );
  });

  test('neither of two objects of one name is used', async () => {
    const plan = await planned({
      'a.json': list(cronJob('twice', DUE)),
      'b.json': list(cronJob('twice', DUE), policy('p', DUE)),
    });
    expect(Object.keys(plan.schedules)).toEqual(['p']);
    expect(heads(plan.stderr).join('\n')).toMatch(
      /error DuplicateObject: CronJob harbor\/twice is defined 2 times: a\.json:1 .*b\.json:1 /,
    );
  });
});

test('an object without a namespace and one of default are the same object, and neither is used', async () => {
  const plan = await planned({
    'a.json': list(
      policy('x', { metadata: { namespace: '' } }),
      policy('x', { metadata: { namespace: 'default' } }),
    ),
  });
  expect(plan.schedules).toEqual({});
  expect(plan.stderr).toContain('error DuplicateObject: ');
});

describe('pub-092: history limits of zero', () => {
  test('keep nothing that is finished and never touch what runs; absent limits are three and one', async () => {
    const failed = { conditions: [{ type: 'Failed', status: 'True' }] };
    const now = ['--now', '2026-06-10T10:00:30Z'];
    const done = { status: { lastScheduleTime: '2026-06-10T10:00:00Z' } };
    const limits = { schedule: '0 * * * *', successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 };
    const cwd = await temporaryFolder({
      ...MANAGE,
      'a.json': list(
        cronJob('zero', { ...done, spec: limits }),
        job('zero-29684760', 'zero', { active: 1 }),
        job('zero-29684700', 'zero', COMPLETE),
        job('zero-29684640', 'zero', failed),
        cronJob('unset', { ...done, spec: { schedule: '0 * * * *' } }),
        ...[1, 2, 3, 4].map((hour) => job(`unset-2968470${hour}`, 'unset', COMPLETE)),
        ...[5, 6].map((hour) => job(`unset-2968470${hour}`, 'unset', failed)),
      ),
    });
    const { stdout } = await runMinutehand(['plan', '-f', '.', '-o', 'json', ...now, ...MANAGED], { cwd });
    const schedules: readonly ScheduleDocument[] = JSON.parse(stdout).schedules;
    const deletes = schedules.flatMap(({ changes }) => changes).filter(({ verb }) => verb === 'delete');
    expect(deletes.map(({ object }) => object.name).sort()).toEqual([
      'unset-29684701',
      'unset-29684705',
      'zero-29684640',
      'zero-29684700',
    ]);
  });
});

describe('pub-101 and pub-102: where the dialects end', () => {
  const REFUSED: readonly (readonly [string, RegExp])[] = [
    ['0 6 * * 7', /write `0` or `sun`/],
    ['0 6 * * 6,7', /write/],
    ['0 0 6 * * *', /expected exactly 5 fields, found 6/],
    ['@reboot', /@reboot/],
    ['0 6 L * *', /L/],
    ['5-1 * * * *', /5-1/],
    ['*/0 * * * *', /\*\/0|step/],
  ];

  test.each(REFUSED)('%s is refused with a reason, for a CronJob', async (schedule, wanted) => {
    const { code, stdout } = await validated({ 'a.json': list(cronJob('c', { spec: { schedule } })) });
    expect(code).toBe(3);
    expect(stdout).toContain('error InvalidSchedule: ');
    expect(stdout).toMatch(wanted);
  });

  test.each([
    ['a policy', policy('p', { spec: { schedule: '0 6 * * 7' } })],
    ['a Plan', backupPlan('p', { cron: '0 6 * * 7' })],
  ])('7 as a weekday is refused for %s, too', async (_kind, object) => {
    const { code, stdout } = await validated({ 'a.json': list(object) });
    expect(code).toBe(3);
    expect(stdout).toMatch(/write `0` or `sun`/);
    expect(stdout).toContain('error InvalidSchedule: ');
  });

  const NEXT: readonly (readonly [string, string])[] = [
    ['@weekly', '2026-05-03T00:00:00Z'],
    ['0 0 * * 1', '2026-05-04T00:00:00Z'],
    ['0 0 * * sun', '2026-05-03T00:00:00Z'],
    ['?/5 ? * * ?', '2026-05-01T00:05:00Z'],
    ['0  2  *  *  *', '2026-05-01T02:00:00Z'],
  ];

  test.each(NEXT)('%s comes next at %s', async (schedule, slot) => {
    const cwd = await temporaryFolder({ 'a.json': list(cronJob('c', { spec: { schedule } })) });
    const argv = ['next', 'cj/c', '-f', '.', '--count', '1', '--now', '2026-05-01T00:00:00Z', '-o', 'json'];
    expect(JSON.parse((await runMinutehand(argv, { cwd })).stdout).schedules[0].slots[0].slot).toBe(slot);
  });
});
