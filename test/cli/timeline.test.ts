import { describe, expect, test } from 'vitest';
import type { TimelineDocument } from '#core/timeline/document.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, job, list, policy } from './manifests.ts';

const FILES = {
  'a.json': list(
    cronJob('early', {
      spec: { schedule: '0 2 * * *', timeZone: 'Europe/Berlin' },
      status: { lastScheduleTime: '2026-06-10T00:00:00Z' },
    }),
    job('early-29684160', 'early', { conditions: [{ type: 'Failed', status: 'True' }] }),
    policy('night', { spec: { schedule: '30 1 * * *' } }),
    policy('busy', { spec: { schedule: '*/10 * * * *' } }),
    policy('bad', { spec: { schedule: 'every blue moon' } }),
  ),
};
const NOW = '2026-06-10T01:00:00Z';

async function timeline(...argv: readonly string[]): Promise<CliResult> {
  const cwd = await temporaryFolder(FILES);
  return runMinutehand(['timeline', '-f', '.', '--now', NOW, ...argv], { cwd });
}

async function document(...argv: readonly string[]): Promise<TimelineDocument> {
  const { code, stdout } = await timeline(...argv, '-o', 'json');
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describe('timeline', () => {
  test('shows the week that begins with today, as text', async () => {
    const { code, stdout } = await timeline();
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toBe('Wed 10 Jun 2026 to Tue 16 Jun 2026, UTC: 4 schedules, 1,022 slots');
    expect(stdout).toMatch(/^CronJob harbor\/early +X·{7}(?: b·{7}){6}$/m);
    expect(stdout).toMatch(/^EtcdDefragPolicy vault-a\/bad {2,}invalid: /m);
    expect(stdout).toMatch(/^EtcdDefragPolicy vault-a\/night +o·{7}(?: o·{7}){6}$/m);
  });

  test('gives a document of the same', async () => {
    const { from, end, timeZone, schedules, starts, formatVersion, now } = await document('--window', '2d');
    expect({ formatVersion, now, from, end, timeZone }).toEqual({
      formatVersion: 1,
      now: NOW,
      from: '2026-06-10T00:00:00Z',
      end: '2026-06-12T00:00:00Z',
      timeZone: 'UTC',
    });
    const early = schedules.find(({ name }) => name === 'early');
    expect(early).toMatchObject({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      namespace: 'harbor',
      expression: '0 2 * * *',
      timeZone: 'Europe/Berlin',
      observed: true,
      count: 2,
      slots: [
        {
          slot: '2026-06-10T00:00:00Z',
          local: '2026-06-10T02:00:00+02:00',
          code: 'ran',
          phase: 'failed',
          runs: ['early-29684160'],
        },
        { slot: '2026-06-11T00:00:00Z', local: '2026-06-11T02:00:00+02:00', code: 'observed' },
      ],
      bands: [],
    });
    const busy = schedules.find(({ name }) => name === 'busy');
    expect(busy?.bands.at(-1)).toEqual({
      from: '2026-06-11T00:00:00Z',
      to: '2026-06-11T23:50:00Z',
      count: 144,
      stepSeconds: 600,
      counts: [{ code: 'foretold', count: 144 }],
    });
    expect(schedules.find(({ name }) => name === 'bad')).toMatchObject({
      verdict: 'invalid',
      timeZone: null,
      slots: [],
      why: expect.stringMatching(/./),
    });
    expect(starts).toMatchObject({ most: 2, unplaced: 0 });
    expect(starts.minutes.find(({ minute }) => minute === '00:00')).toMatchObject({ most: 2 });
  });

  test('follows the days of --timezone and begins at --start', async () => {
    expect(await document('--timezone', 'Asia/Kathmandu', '--window', '1d')).toMatchObject({
      from: '2026-06-09T18:15:00Z',
      end: '2026-06-10T18:15:00Z',
      timeZone: 'Asia/Kathmandu',
    });
    const { from, schedules } = await document('--start', '2026-07-01T12:00:00+02:00', '--window', '36h');
    expect(from).toBe('2026-07-01T10:00:00Z');
    expect(schedules.find(({ name }) => name === 'night')?.slots.map(({ slot }) => slot)).toEqual([
      '2026-07-02T01:30:00Z',
    ]);
  });

  test('shows the named schedule alone', async () => {
    const { schedules } = await document('etcddefragpolicy/night');
    expect(schedules.map(({ name }) => name)).toEqual(['night']);
    const missing = await timeline('cj/nobody');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('error: no CronJob named nobody was found in what was read');
  });

  test('gives a page and a picture of the same', async () => {
    const html = await timeline('-o', 'html', '--timezone', 'Europe/Berlin');
    expect(html.code).toBe(0);
    expect(html.stdout).toMatch(/^<!doctype html>\n[\s\S]*<\/html>\n$/);
    expect(html.stdout).toContain('<title>Timeline: Wed 10 Jun 2026 to Tue 16 Jun 2026</title>');
    const svg = await timeline('-o', 'svg');
    expect(svg.code).toBe(0);
    expect(svg.stdout).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  });

  test('keeps to the width of a terminal', async () => {
    const cwd = await temporaryFolder(FILES);
    const { stdout } = await runMinutehand(['timeline', '-f', '.', '--now', NOW, '--no-color'], {
      cwd,
      terminal: { stdout: true, columns: 72 },
    });
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(72);
  });

  test('tells what an event says of a slot that has no run', async () => {
    const event = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'missed.1', namespace: 'vault-a', uid: 'uid-event' },
      eventTime: '2026-06-10T00:20:00.000000Z',
      type: 'Warning',
      reason: 'MissSchedule',
      note: 'slot 2026-06-10T00:10:00Z, 10m late',
      regarding: { kind: 'EtcdDefragPolicy', name: 'missed', namespace: 'vault-a', uid: 'uid-missed' },
    };
    const missed = policy('missed', {
      spec: { schedule: '10 */12 * * *' },
      status: { lastScheduleTime: '2026-06-10T00:10:00Z' },
    });
    const cwd = await temporaryFolder({ 'a.json': list(missed, event) });
    const argv = ['timeline', '-f', '.', '--now', NOW, '--window', '1d'];
    const { stdout } = await runMinutehand([...argv, '-o', 'json'], { cwd });
    const { schedules }: TimelineDocument = JSON.parse(stdout);
    expect(schedules[0]?.slots).toMatchObject([
      {
        slot: '2026-06-10T00:10:00Z',
        code: 'settled',
        told: { reason: 'MissSchedule', note: 'slot 2026-06-10T00:10:00Z, 10m late' },
      },
      { slot: '2026-06-10T12:10:00Z', code: 'foretold' },
    ]);
    const { stdout: html } = await runMinutehand([...argv, '-o', 'html'], { cwd });
    expect(html).toContain('"MissSchedule: slot 2026-06-10T00:10:00Z, 10m late"');
  });

  test('tells of an object without a uid where its slots can lie', async () => {
    const cwd = await temporaryFolder({
      'a.yaml': `apiVersion: kopiur.home-operations.com/v1alpha1
kind: SnapshotSchedule
metadata: {name: tank, namespace: orchard}
spec:
  policyRef: {name: tank-policy}
  schedule: {cron: H 22 * * *, jitter: 3h, timezone: UTC}
`,
    });
    const argv = ['timeline', '-f', '.', '--now', NOW, '--window', '2d'];
    const { stdout } = await runMinutehand([...argv, '-o', 'json'], { cwd });
    const { schedules, starts }: TimelineDocument = JSON.parse(stdout);
    expect(schedules[0]?.slots).toEqual([
      {
        slot: '2026-06-10T22:00:00Z',
        until: '2026-06-11T01:58:59Z',
        local: '2026-06-10T22:00:00Z',
        code: 'foretold',
      },
      {
        slot: '2026-06-11T22:00:00Z',
        until: '2026-06-12T01:58:59Z',
        local: '2026-06-11T22:00:00Z',
        code: 'foretold',
      },
    ]);
    expect(starts).toMatchObject({ total: 0, unplaced: 2 });
    const text = await runMinutehand(argv, { cwd });
    expect(text.stdout).toMatch(/^SnapshotSchedule orchard\/tank +·+~~ ~~·+~~$/m);
    expect(text.stdout).toContain('~ = one slot, some time in this range');
    const { stdout: html } = await runMinutehand([...argv, '-o', 'html'], { cwd });
    expect(html).toContain('some time up to Thu 2026-06-11 01:58:59 UTC, fixed once the object has a uid');
  });
});

describe('timeline refuses', () => {
  test.each([
    [['--timezone', 'Mars/Olympus'], /^error: --timezone: /],
    [['--timezone', 'europe/berlin'], /Europe\/Berlin/],
    [['--window', '36d'], /--window.*is too long: write at most 35d/],
    [['--window', '0d'], /--window/],
    [['--start', 'tomorrow'], /--start.*is not an RFC 3339 time/],
    [['-o', 'yaml'], /--output/],
    [['thing/x'], /"thing" is no kind of schedule/],
  ])('%j', async (argv, message) => {
    const { code, stdout, stderr } = await timeline(...argv);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
