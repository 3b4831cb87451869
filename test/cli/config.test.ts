import { describe, expect, test } from 'vitest';
import type { ScheduleDocument } from '#core/change/document.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy } from './manifests.ts';

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
    expect((await plan('snapshots: manage\n')).stderr.replaceAll(/\n {8,}/g, ' ')).toContain(
      'fix:    write one of etcdDefragPolicy, cronJob, snapshotSchedule, snapshotPolicy, defaults, budgets\n',
    );
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
