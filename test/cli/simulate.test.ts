import { describe, expect, test } from 'vitest';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { backupPlan, cronJob, job, list, policy } from './manifests.ts';

const FROM = '2026-06-10T00:00:00Z';

async function simulate(items: readonly object[], ...argv: readonly string[]): Promise<CliResult> {
  const cwd = await temporaryFolder({ 'a.json': list(...items) });
  const from = argv.includes('--from') ? [] : ['--from', FROM];
  return runMinutehand(['simulate', '-f', 'a.json', ...from, ...argv], { cwd });
}

interface Report {
  readonly formatVersion: number;
  readonly from: string;
  readonly until: string;
  readonly totals: { readonly slots: Readonly<Record<string, number>>; readonly runs: number };
  readonly schedules: readonly {
    readonly name: string;
    readonly slots: Readonly<Record<string, number>>;
    readonly duration?: { readonly seconds: number; readonly from: string; readonly runs?: number };
    readonly held: { readonly slots: number; readonly seconds: number };
    readonly replaced: number;
    readonly starts: { readonly count: number; readonly first?: string; readonly longestGap?: object };
    readonly missed: readonly object[];
    readonly actor?: string;
    readonly example?: true;
    readonly why?: string;
  }[];
}

async function report(items: readonly object[], ...argv: readonly string[]): Promise<Report> {
  const { stdout, code } = await simulate(items, ...argv, '-o', 'json');
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

/** New, so that nothing is owed yet. */
const NEW = { metadata: { creationTimestamp: FROM } };

describe('simulate', () => {
  test('counts what fires in thirty days', async () => {
    const { formatVersion, from, until, totals, schedules } = await report([policy('night', NEW)]);
    expect({ formatVersion, from, until, totals }).toEqual({
      formatVersion: 1,
      from: FROM,
      until: '2026-07-10T00:00:00Z',
      totals: expect.objectContaining({ schedules: 1, slots: { fired: 30 }, runs: 30, replaced: 0 }),
    });
    expect(schedules[0]?.starts).toEqual({
      count: 30,
      first: '2026-06-10T03:00:00Z',
      last: '2026-07-09T03:00:00Z',
      longestGap: { seconds: 86_400, from: '2026-06-10T03:00:00Z', until: '2026-06-11T03:00:00Z' },
    });
  });

  test('a run that takes longer than the period makes Forbid wait, and Replace replace', async () => {
    const often = { schedule: '*/10 * * * *' };
    const { schedules } = await report(
      [
        cronJob('waits', { ...NEW, spec: { ...often, concurrencyPolicy: 'Forbid' } }),
        cronJob('replaces', { ...NEW, spec: { ...often, concurrencyPolicy: 'Replace' } }),
      ],
      '--for=1h',
      '--duration=25m',
    );
    // Slots at 10, 20, 30, 40 and 50: runs from 10 to 35 and from 35 on; 40 and 50 wait for it.
    expect(schedules.find(({ name }) => name === 'waits')).toMatchObject({
      slots: { fired: 2, superseded: 2, pending: 1 },
      held: { slots: 4, seconds: (10 + 5 + 10 + 10) * 60 },
      starts: { count: 2, longestGap: { seconds: 25 * 60 } },
      missed: [
        { fate: 'superseded', first: '2026-06-10T00:20:00Z', by: '2026-06-10T00:30:00Z', heldSeconds: 600 },
        { fate: 'superseded', first: '2026-06-10T00:40:00Z', by: '2026-06-10T00:50:00Z', heldSeconds: 600 },
      ],
    });
    expect(schedules.find(({ name }) => name === 'replaces')).toMatchObject({
      slots: { fired: 5 },
      replaced: 4,
    });
  });

  test('durations come from the flag of the kind, the flag for all, the history, an assumption', async () => {
    const ended = (name: string, seconds: number): object => {
      const made = job(name, 'known', {
        completionTime: new Date(Date.parse('2026-06-09T03:00:00Z') + seconds * 1000).toISOString(),
        conditions: [{ type: 'Complete', status: 'True' }],
      });
      const { metadata } = made as { readonly metadata: object };
      return { ...made, metadata: { ...metadata, creationTimestamp: '2026-06-09T03:00:00Z' } };
    };
    const items = [
      cronJob('known', NEW),
      ended('known-29683860', 60),
      ended('known-29682420', 100),
      ended('known-29680980', 900),
      policy('night', NEW),
    ];
    const durations = async (...flags: readonly string[]): Promise<readonly unknown[]> => {
      const { schedules } = await report(items, '--for=1h', ...flags);
      return [...schedules].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ duration }) => duration);
    };
    expect(await durations()).toEqual([
      { seconds: 100, from: 'history', runs: 3 },
      { seconds: 300, from: 'assumed' },
    ]);
    expect(await durations('--duration', 'cj=2m', '--duration', '20m')).toEqual([
      { seconds: 120, from: 'given' },
      { seconds: 1200, from: 'given' },
    ]);
  });

  test('reports the schedule that is named, and still lets the others take part', async () => {
    const items = [policy('night', NEW), cronJob('early', NEW)];
    const { schedules, totals } = await report(items, 'cronjob/early', '--max-creates', '1', '--for=4h');
    expect(schedules.map(({ name }) => name)).toEqual(['early']);
    expect(totals.slots).toEqual({ fired: 1 });
    expect(schedules[0]?.starts.first).toBe('2026-06-10T03:00:00Z');
  });

  test('says who acts on it, what is only an example, and why nothing starts', async () => {
    const { schedules } = await report([
      cronJob('early', NEW),
      policy('bad', { spec: { schedule: 'every blue moon' } }),
      {
        apiVersion: 'kopiur.home-operations.com/v1alpha1',
        kind: 'SnapshotSchedule',
        metadata: { name: 'fresh', namespace: 'vault-a' },
        spec: { policyRef: { name: 'p' }, schedule: { cron: 'H 3 * * *' } },
      },
    ]);
    const byName = new Map(schedules.map((schedule) => [schedule.name, schedule]));
    expect(byName.get('early')?.actor).toBe('the built-in CronJob controller');
    expect(byName.get('fresh')?.example).toBe(true);
    expect(byName.get('bad')?.why).toMatch(/.+/);
    expect(byName.get('early')?.example).toBeUndefined();
  });

  test('a BackupJob ends by itself, without a driver', async () => {
    const { schedules } = await report([backupPlan('nightly')], '--for=48h');
    expect(schedules[0]).toMatchObject({
      slots: { fired: 2 },
      starts: { count: 2 },
      successes: { count: 2 },
    });
  });

  test('a capture is simulated as what it was made from', async () => {
    const cwd = await temporaryFolder({ 'a.json': list(policy('night', NEW), cronJob('early', NEW)) });
    const captured = await runMinutehand(['capture', '-f', 'a.json', '--now', FROM], { cwd });
    const given = await runMinutehand(['simulate', '-f', 'a.json', '--from', FROM, '-o', 'json'], { cwd });
    const replayed = await runMinutehand(['simulate', '--from', '-', '-o', 'json'], {
      cwd,
      stdin: captured.stdout,
    });
    expect(replayed).toMatchObject({ code: 0, stdout: given.stdout });
  });

  test('--outcome failed ends every run without success', async () => {
    const { schedules } = await report([policy('night', NEW)], '--outcome=failed');
    expect(schedules[0]).toMatchObject({ starts: { count: 30 }, successes: { count: 0 } });
  });

  test('tells the totals first, then each schedule, then what did not run', async () => {
    const spec = { schedule: '0 * * * *', concurrencyPolicy: 'Forbid' };
    const { stdout } = await simulate([cronJob('slow', { ...NEW, spec })], '--for=4h', '--duration=90m');
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      '1 schedule, 4 h from Wed 2026-06-10 00:00 UTC, a tick every minute; every run succeeds',
      '2 fired, 1 waiting at the end',
      '2 runs started, 0 replaced',
      '2 slots waited for 1 h 30 min together: RunActive 2 for 1 h 30 min',
      'longest gap between two starts: 1 h 30 min, CronJob harbor/slow, from Wed 2026-06-10 01:00 UTC',
      '',
      expect.stringMatching(/^OBJECT +FIRED +MISSED +HELD +REPLACED +GAP/),
      expect.stringMatching(/^CronJob harbor\/slow +2 +0 +1 h 30 min +0 +1 h 30 min/),
      '',
      'Slots that did not run:',
      expect.stringMatching(
        /^ {2}Wed 2026-06-10 03:00 UTC {2}CronJob harbor\/slow: held at the end, held for 1 h, JobAlreadyActive, slow-/,
      ),
      '',
      'CronJob harbor/slow is acted on by the built-in CronJob controller; here as Minutehand would.',
      '',
    ]);
  });

  test('tells the slots that did not run by schedule and reason, and the document each of them', async () => {
    const items = [
      policy('pause', { ...NEW, spec: { schedule: '*/30 * * * *', suspend: true } }),
      cronJob('slow', { ...NEW, spec: { schedule: '*/10 * * * *', concurrencyPolicy: 'Forbid' } }),
    ];
    const { stdout } = await simulate(items, '--for=24h', '--duration=25m');
    expect(stdout.slice(stdout.indexOf('Slots that')).split('\n').slice(0, 3)).toEqual([
      'Slots that did not run:',
      '  85 slots, first Wed 2026-06-10 00:20 UTC, last Wed 2026-06-10 23:40 UTC  CronJob harbor/slow: superseded, ' +
        'held for 14 h 10 min together, JobAlreadyActive',
      '  47 slots, first Wed 2026-06-10 00:30 UTC, last Wed 2026-06-10 23:30 UTC  EtcdDefragPolicy vault-a/pause: suspended',
    ]);
    const { schedules } = await report(items, '--for=24h', '--duration=25m');
    expect(schedules.map(({ missed }) => missed.length)).toEqual([85, 47]);
  });

  test('names what never starts and what never succeeds, beside the longest gap', async () => {
    const items = [
      cronJob('hourly', { ...NEW, spec: { schedule: '0 * * * *' } }),
      cronJob('once', { ...NEW, spec: { schedule: '0 3 11 6 *' } }),
      ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => policy(name, { ...NEW, spec: { suspend: true } })),
    ];
    const { stdout } = await simulate(items, '--for=48h');
    expect(stdout).toContain(
      'never starts: EtcdDefragPolicy vault-a/a, EtcdDefragPolicy vault-a/b, EtcdDefragPolicy vault-a/c, ' +
        'EtcdDefragPolicy vault-a/d, EtcdDefragPolicy vault-a/e and 2 more\n',
    );
    expect(stdout).not.toContain('never succeeds');
    expect(stdout).toMatch(/^EtcdDefragPolicy vault-a\/a +0 +2 +0 +never +never +5 min/m);
    expect(stdout).toMatch(/^CronJob harbor\/once +1 +0 +0 +once +once +Thu/m);
    const failed = await simulate(items, '--for=48h', '--outcome=failed');
    expect(failed.stdout).toContain(
      'starts, and never succeeds: CronJob harbor/hourly and CronJob harbor/once\n',
    );
    expect(failed.stdout).toMatch(/^CronJob harbor\/hourly +47 +0 +0 +1 h +never +/m);
  });

  test('the help says whose kind a duration is for, and what --from is', async () => {
    const { stdout } = await simulate([], '--help');
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/--duration \[KIND=\]DURATION [^-]*one KIND of schedule \(CronJob=20m\)/);
    expect(text).toContain('--from FILE What capture wrote, instead of -f and of a cluster;');
    expect(text).toContain('an RFC 3339 time here is --now');
    expect(text).toContain(
      '--now RFC3339 When it begins, instead of the clock; the first tick is at the next --tick-offset of a minute',
    );
  });

  test('what objects say stays text', async () => {
    const evil = cronJob('early', {
      ...NEW,
      spec: { schedule: '0 3 * * \u001b[31m' },
    });
    const { stdout } = await simulate([evil], '--for=24h');
    expect(stdout).not.toContain('\u001b');
  });

  test.each([
    [['--for', '10s'], /--for/],
    [['--duration', 'soon'], /--duration soon is not a duration/],
    [['--duration', 'pod=3m'], /"pod" is no kind of schedule/],
    [['--tick-offset', '75s'], /--tick-offset/],
    [['--from', 'tomorrow'], /--from reads a capture and -f manifests/],
    [['--from', '2026-06-10'], /--from: "2026-06-10" is neither a file.* nor an RFC 3339 time .*--now takes/],
    [['--now', FROM], /--from and --now both say when it begins/],
  ])('%j is refused by name', async (argv, message) => {
    const { code, stderr } = await simulate([policy('night', NEW)], ...argv);
    expect(stderr).toMatch(message);
    expect(code).toBe(64);
  });

  test('a schedule that is not there is told', async () => {
    const { code, stderr } = await simulate([policy('night', NEW)], 'cronjob/night');
    expect(stderr).toContain('no CronJob named night');
    expect(code).toBe(1);
  });
});
