import { describe, expect, test } from 'vitest';
import type { ScheduleDocument } from '#core/change/document.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { backupPlan, cronJob, list, policy } from './manifests.ts';

const DUE = { status: { lastScheduleTime: '2026-06-09T03:00:00Z' } };

async function plan(
  config: string,
  more: readonly string[] = [],
  now = '2026-06-10T03:00:10Z',
): Promise<CliResult> {
  const cwd = await temporaryFolder({
    'in/a.json': list(cronJob('c', DUE), policy('p', DUE), policy('q', DUE)),
    'c.yaml': config,
  });
  return runMinutehand(['plan', '-f', 'in', '--config', 'c.yaml', '--now', now, '-o', 'json', ...more], {
    cwd,
  });
}

function codes({ stdout }: CliResult): Readonly<Record<string, string>> {
  const schedules: readonly ScheduleDocument[] = JSON.parse(stdout).schedules;
  return Object.fromEntries(schedules.map(({ name, verdict }) => [name, verdict.code]));
}

/** The text, and the head line of what is told about it. */
const WRONG: readonly (readonly [string, string])[] = [
  ['cronJob: perhaps\n', 'c.yaml:1:10: error InvalidConfig: cronJob is "perhaps"'],
  ['cronjob: manage\n', 'c.yaml:1:1: error InvalidConfig: cronjob is no setting'],
  ['defaults:\n  timezone: UTC\n', 'c.yaml:2:3: error InvalidConfig: defaults.timezone is no setting'],
  [
    'defaults: {timeZone: Europe/Berln}\n',
    'c.yaml:1:22: error InvalidConfig: defaults.timeZone: unknown time zone "Europe/Berln"',
  ],
  ['snapshots:\n  cronJob: manage\n', 'c.yaml:1:1: error InvalidConfig: snapshots is no setting'],
  ['budgets: {maxRuns: [1, 2]}\n', 'c.yaml:1:11: error InvalidConfig: budgets.maxRuns is no setting'],
  ['defaults: {grace: 1d}\n', 'c.yaml:1:19: error InvalidConfig: defaults.grace is "1d"'],
  ['defaults: {grace: 90}\n', 'c.yaml:1:19: error InvalidConfig: defaults.grace is a number, 90'],
  ['defaults: {dst: clean}\n', 'c.yaml:1:17: error InvalidConfig: defaults.dst is "clean"'],
  ['budgets: {maxCreates: -1}\n', 'c.yaml:1:23: error InvalidConfig: budgets.maxCreates is -1'],
  [
    'budgets: {maxDeletes: many}\n',
    'c.yaml:1:23: error InvalidConfig: budgets.maxDeletes is a string, "many"',
  ],
  ['cronJob: no\n', 'c.yaml:1:10: error InvalidConfig: cronJob is "no"'],
  ['cronJob: false\n', 'c.yaml:1:10: error InvalidConfig: cronJob is false'],
  ['cronJob:\n', 'c.yaml:1:1: error InvalidConfig: cronJob is null'],
  ['snapshotPolicy: manage\n', 'c.yaml:1:17: error InvalidConfig: snapshotPolicy is a string, "manage"'],
  [
    'snapshotPolicy: {retention: off}\n',
    'c.yaml:1:29: error InvalidConfig: snapshotPolicy.retention is "off"',
  ],
  [
    'snapshotSchedule: off\nsnapshotPolicy: {retention: manage}\n',
    'c.yaml:2:29: error InvalidConfig: snapshotPolicy.retention is "manage", and snapshotSchedule is off',
  ],
  ['plan: 600\n', 'c.yaml:1:7: error InvalidConfig: plan is a number, 600'],
  [
    'plan: {startingDeadlineSeconds: 10m}\n',
    'c.yaml:1:33: error InvalidConfig: plan.startingDeadlineSeconds is a string, "10m"',
  ],
  ['plan: {deadline: 600}\n', 'c.yaml:1:8: error InvalidConfig: plan.deadline is no setting'],
  ['namespaces: team-a\n', 'c.yaml:1:13: error InvalidConfig: namespaces is a string, "team-a"'],
  ['namespaces: []\n', 'c.yaml:1:13: error InvalidConfig: namespaces is empty'],
  [
    'namespaces:\n  - team-a\n  - Team_B\n',
    'c.yaml:3:5: error InvalidConfig: namespaces[1] is "Team_B", which is no name of a namespace',
  ],
  ['namespaces: [a, 7]\n', 'c.yaml:1:17: error InvalidConfig: namespaces[1] is a number, 7'],
  [
    'selector: app in web\n',
    'c.yaml:1:11: error InvalidConfig: selector is "app in web", which is no label selector: ',
  ],
  ['selector: {app: web}\n', 'c.yaml:1:11: error InvalidConfig: selector is an object, {…}'],
  [
    'defaults: {grace: 100000h}\n',
    'c.yaml:1:19: error InvalidConfig: defaults.grace is "100000h", which is too long: write at most 87600h',
  ],
  [
    'retries: {budget: 2h}\n',
    'c.yaml:1:19: error InvalidConfig: retries.budget is "2h", which is too long: write at most 1h',
  ],
  [
    'retries: {timeout: 0s}\n',
    'c.yaml:1:20: error InvalidConfig: retries.timeout is "0s", which is too short: write at least 1s',
  ],
  ['retries: {timeout: 500ms}\n', 'c.yaml:1:20: error InvalidConfig: retries.timeout is "500ms", which is'],
  ['retries: {timeOut: 5s}\n', 'c.yaml:1:11: error InvalidConfig: retries.timeOut is no setting'],
  ['- cronJob\n', 'c.yaml:1:1: error InvalidConfig: the configuration is no mapping'],
  ['manage\n', 'c.yaml:1:1: error InvalidConfig: the configuration is no mapping'],
  ['cronJob: [\n', 'c.yaml:2:1: error InvalidYaml: '],
  ['cronJob: manage\ncronJob: observe\n', 'c.yaml:2:1: error DuplicateKey: '],
  [
    'cronJob: manage\n---\ncronJob: observe\n',
    'c.yaml:2:1: error InvalidYaml: the file holds more than one document, and one is read',
  ],
];

describe('a configuration', () => {
  test.each(WRONG)('%j is an error 64 with its place', async (text, head) => {
    const { code, stdout, stderr } = await plan(text);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr.slice(0, head.length)).toBe(head);
  });

  test('that names a setting nearly right gets the right one told', async () => {
    expect((await plan('cronjob: manage\n')).stderr).toContain('fix:    write cronJob\n');
    expect((await plan('defaults: {grace: 90}\n')).stderr).toContain('fix:    write a text such as "90s"\n');
    expect((await plan('snapshots: manage\n')).stderr.replaceAll(/\n {8,}/g, ' ')).toContain(
      'fix:    write one of etcdDefragPolicy, cronJob, snapshotSchedule, backupPlan, jobDriver, managedJobs, snapshotPolicy, plan, namespaces, selector, events, lease, defaults, budgets, retries, telemetry\n',
    );
    expect((await plan('retries: {buget: 1s}\n')).stderr).toContain('fix:    write budget\n');
  });

  test('with a URL that cannot be used does not show it', async () => {
    const { stderr } = await plan('telemetry: {ping: "htps://ping.example/5ecret-id"}\n');
    expect(stderr.split('\n')[0]).toBe(
      'c.yaml:1:19: error InvalidConfig: telemetry.ping is no http or https URL',
    );
    expect(stderr).not.toContain('5ecret');
  });

  test('gets every fault told, from top to bottom, with the way out', async () => {
    const { stderr } = await plan(
      'cronJob: no\nbudgets: {most: 1, maxCreates: x}\nsnapshotPolicy: off\nnamespaces: [A]\ndefaults: {timeZone: Europe/Berln}\n',
    );
    const told = stderr.split('\n').flatMap((line) => /^c\.yaml:(\d+):|^ +fix: +(.*)$/.exec(line)?.[0] ?? []);
    expect(told.map((line) => line.trim())).toEqual([
      'c.yaml:1:',
      'fix:    write one of manage, observe, off',
      'c.yaml:2:',
      'fix:    write one of maxCreates, maxCreatesPerLane, maxDeletes',
      'c.yaml:2:',
      'fix:    write a number',
      'c.yaml:3:',
      'fix:    write settings below snapshotPolicy: retention',
      'c.yaml:4:',
      'fix:    write at most 63 lower-case letters, digits and -, with a letter or digit at both ends',
      'c.yaml:5:',
      'fix:    write Europe/Berlin',
    ]);
  });

  test.each([
    ['nowhere.yaml', 'error: the configuration nowhere.yaml does not exist\n'],
    ['in', 'error: the configuration in is a folder\n'],
    [
      'in/a.json/c.yaml',
      'error: the configuration in/a.json/c.yaml goes through a file as if it were a folder\n',
    ],
  ])('that cannot be read, such as %s, is an error 64 in words', async (path, text) => {
    const cwd = await temporaryFolder({ 'in/a.json': list() });
    const result = await runMinutehand(['plan', '-f', 'in', '--config', path], { cwd });
    expect(result).toEqual({ code: 64, stdout: '', stderr: text });
  });

  test.each(['', '# nothing yet\n', '{}\n'])('of %j changes nothing', async (text) => {
    expect(codes(await plan(text))).toEqual({ c: 'observed', p: 'fired', q: 'fired' });
  });

  test('says who acts, per kind', async () => {
    expect(codes(await plan('cronJob: manage\netcdDefragPolicy: observe\n'))).toEqual({
      c: 'fired',
      p: 'observed',
      q: 'observed',
    });
  });

  test('gives the zone of schedules that name none and have no rule of their own', async () => {
    const zoned = await plan(
      'cronJob: manage\ndefaults: {timeZone: Asia/Tokyo}\n',
      [],
      '2026-06-09T18:00:10Z',
    );
    const schedules: readonly ScheduleDocument[] = JSON.parse(zoned.stdout).schedules;
    expect(schedules.map(({ name, verdict }) => [name, verdict.slot])).toEqual([
      ['c', '2026-06-09T18:00:00Z'],
      ['p', undefined],
      ['q', undefined],
    ]);
  });

  test('gives the grace and the budgets, and flags win over both', async () => {
    const text = 'defaults: {grace: 5m}\nbudgets: {maxCreates: 1}\n';
    const configured = await plan(text);
    expect(JSON.parse(configured.stdout).graceSeconds).toBe(300);
    expect({ code: configured.code, ...codes(configured) }).toMatchObject({
      code: 3,
      p: 'fired',
      q: 'deferred',
    });
    const flagged = await plan(text, ['--grace', '10s', '--max-creates', '5']);
    expect(JSON.parse(flagged.stdout).graceSeconds).toBe(10);
    expect({ code: flagged.code, ...codes(flagged) }).toMatchObject({ code: 0, p: 'fired', q: 'fired' });
  });

  test('gives the deadline of Plans, which have no field for it, and of nothing else', async () => {
    const due = backupPlan('b');
    const cwd = await temporaryFolder({
      'in/a.json': list({ ...due, ...DUE }, policy('p', DUE)),
      'c.yaml': 'plan: {startingDeadlineSeconds: 600}\n',
    });
    const argv = ['plan', '-f', 'in', '--now', '2026-06-10T03:10:01Z', '-o', 'json'];
    expect(codes(await runMinutehand(argv, { cwd }))).toEqual({ b: 'fired', p: 'fired' });
    const limited = await runMinutehand([...argv, '--config', 'c.yaml'], { cwd });
    expect(codes(limited)).toEqual({ b: 'expired', p: 'fired' });
  });

  test('gives the rule at clock changes', async () => {
    const cwd = await temporaryFolder({
      'in/a.json': list(cronJob('c', { spec: { schedule: '30 2 * * *', timeZone: 'Europe/Berlin' } })),
      'c.yaml': 'defaults: {dst: safe}\n',
    });
    const argv = ['next', '-f', 'in', '--now', '2026-10-25T00:00:00Z', '--for', '12h', '-o', 'json'];
    const count = async (more: readonly string[]): Promise<number> =>
      JSON.parse((await runMinutehand([...argv, ...more], { cwd })).stdout).schedules[0].slots.length;
    expect(await count([])).toBe(2);
    expect(await count(['--config', 'c.yaml'])).toBe(1);
  });
});
