import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/object/object.ts';
import type { SimulationDocument } from '#core/simulation/simulation-document.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { cronJob, list, policy, TEMPLATE } from './manifests.ts';

const FROM = '2026-06-10T00:00:00Z';
const NEW = { metadata: { creationTimestamp: FROM } };
const MANAGED = { managedBy: 'minutehand.dev/job' };

function shards(name: string, more: JsonObject = {}): JsonObject {
  const sizes = { completionMode: 'Indexed', completions: 3, parallelism: 3, backoffLimitPerIndex: 2 };
  const metadata = { name, namespace: 'work', uid: `uid-${name}`, creationTimestamp: FROM };
  const spec = { ...(TEMPLATE['spec'] as JsonObject), ...MANAGED, ...sizes, ...more };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec };
}

/** A CronJob on the hour, whose Jobs are carried out here. */
function hourly(name: string, spec: JsonObject = {}): JsonObject {
  const jobTemplate = { spec: { ...(TEMPLATE['spec'] as JsonObject), ...MANAGED } };
  return cronJob(name, { ...NEW, spec: { schedule: '0 * * * *', jobTemplate, ...spec } });
}

async function simulate(items: readonly object[], argv: readonly string[]): Promise<CliResult> {
  const cwd = await temporaryFolder({
    'a.json': list(...items),
    'off.yaml': 'managedJobs: off\n',
    'observe.yaml': 'managedJobs: observe\n',
  });
  return runMinutehand(['simulate', '-f', 'a.json', '--from', FROM, '--for=6h', ...argv], { cwd });
}

async function report(items: readonly object[], ...argv: readonly string[]): Promise<SimulationDocument> {
  const { stdout, code } = await simulate(items, [...argv, '-o', 'json']);
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

describe('simulate of managed Jobs', () => {
  test('an index fails twice with an exit code and then succeeds', async () => {
    const { jobs } = await report([shards('shards')], '--pod=shards=1m', '--pod=shards/2=1m:42,1m:42,30s');
    const [job] = jobs?.list ?? [];
    const of2 = job?.podList.filter(({ index }) => index === 2) ?? [];
    expect(of2.map(({ end, exitCode }) => `${end} ${exitCode}`)).toEqual([
      'failed 42',
      'failed 42',
      'succeeded 0',
    ]);
    expect(jobs?.totals).toEqual({
      jobs: 1,
      succeeded: 1,
      failed: 0,
      deleted: 0,
      notOver: 0,
      pods: { started: 5, succeeded: 3, failed: 2, stopped: 0, running: 0 },
      restarts: 0,
      backoffWaits: job?.backoffWaits,
    });
    expect(job).toMatchObject({ outcome: 'succeeded', reason: 'CompletionsReached' });
    expect(job?.status).toMatchObject({ succeeded: 3, failed: 2, completedIndexes: '0-2' });
  });

  test('the same as a drawing, index by index', async () => {
    const { stdout } = await simulate(
      [shards('shards')],
      ['--pod=shards=1m', '--pod=shards/2=1m:42,1m:42,30s'],
    );
    // A character is 5 s: a minute of work, a minute of back-off up to the next tick, and so on.
    expect(stdout).toMatch(/\n {2}0 ━{12}✓ {44}succeeded\n/);
    expect(stdout).toMatch(/\n {2}2 ━{12}✗ {11}━{12}✗ {11}━{6}✓ {2}2 × exit 42, succeeded\n/);
    expect(stdout).toMatch(/^6 h from .*\n1 managed Job: 1 succeeded, 0 failed; 5 pods started/);
  });

  test('without --pod they end as runs do', async () => {
    const spans = async (...argv: readonly string[]): Promise<unknown> => {
      const { jobs } = await report([shards('shards', { backoffLimitPerIndex: 0 })], ...argv);
      const [{ podList: [pod] = [] } = {}] = jobs?.list ?? [];
      return [pod?.until, pod?.end];
    };
    expect(await spans()).toEqual(['2026-06-10T00:05:00Z', 'succeeded']);
    expect(await spans('--duration=20m')).toEqual(['2026-06-10T00:20:00Z', 'succeeded']);
    expect(await spans('--outcome=failed')).toEqual(['2026-06-10T00:05:00Z', 'failed']);
  });

  test('the Jobs of a CronJob end with their pods, and hold its slots until then', async () => {
    const spec = { concurrencyPolicy: 'Forbid' };
    const { jobs, schedules } = await report([hourly('hourly', spec)], '--pod=hourly=40m:1,40m');
    // Of 01:00 from 01:01 to 02:22, of 02:00 from 02:24 to 03:45, of 03:00 from 03:47 to 05:08: 04:00 waited in vain.
    expect(schedules[0]).toMatchObject({ slots: { fired: 4, superseded: 1 }, successes: { count: 3 } });
    expect(jobs?.list.map(({ schedule, outcome }) => [schedule, outcome])).toEqual([
      ['hourly', 'succeeded'],
      ['hourly', 'succeeded'],
      ['hourly', 'succeeded'],
      ['hourly', undefined],
    ]);
  });

  test('Replace deletes a Job with the pods that are at work', async () => {
    const { jobs, schedules } = await report(
      [hourly('hourly', { concurrencyPolicy: 'Replace' })],
      '--pod=hourly=90m',
    );
    expect(schedules[0]).toMatchObject({ slots: { fired: 5 }, replaced: 4, successes: { count: 0 } });
    expect(jobs?.totals.pods).toEqual({ started: 5, succeeded: 0, failed: 0, stopped: 4, running: 1 });
    expect(jobs?.list[0]).toMatchObject({ state: 'deleted', deletedAt: '2026-06-10T02:00:00Z' });
    expect(jobs?.totals).toMatchObject({ jobs: 5, succeeded: 0, failed: 0, deleted: 4, notOver: 1 });
  });

  test('what replaced Jobs come to is told apart from those at work at the end', async () => {
    const { stdout } = await simulate(
      [hourly('hourly', { concurrencyPolicy: 'Replace' })],
      ['--pod=hourly=90m'],
    );
    expect(stdout).toContain('5 managed Jobs: 0 succeeded, 0 failed, 4 deleted before that, 1 not over; ');
    expect(stdout).toMatch(/\nJob harbor\/hourly-\d+ {2}deleted Wed 2026-06-10 02:00 UTC\n/);
  });

  test('a delete by the time to live is told, and the Job has succeeded', async () => {
    const items = [shards('shards', { ttlSecondsAfterFinished: 120 })];
    const { jobs } = await report(items, '--pod=1m');
    expect(jobs?.list[0]).toMatchObject({
      outcome: 'succeeded',
      endedAt: '2026-06-10T00:01:00Z',
      deletedAt: '2026-06-10T00:03:00Z',
    });
    expect(jobs?.totals).toMatchObject({ succeeded: 1, deleted: 0, notOver: 0 });
    const { stdout } = await simulate(items, ['--pod=1m']);
    expect(stdout).toContain(
      'succeeded Wed 2026-06-10 00:01 UTC (CompletionsReached), deleted Wed 2026-06-10 00:03 UTC: ',
    );
  });

  test('so is one by the history of its schedule', async () => {
    const { jobs } = await report([hourly('hourly', { successfulJobsHistoryLimit: 1 })], '--pod=5m');
    const deleted = jobs?.list.map(({ outcome, deletedAt }) => [outcome, deletedAt !== undefined]);
    expect(deleted).toEqual([...Array.from({ length: 4 }, () => ['succeeded', true]), ['succeeded', false]]);
  });

  test('a Job that had failed before it began, and is pruned then, has failed', async () => {
    const made = hourly('hourly', { failedJobsHistoryLimit: 0 });
    const { uid } = made['metadata'] as { readonly uid: string };
    const job = shards('hourly-29683680');
    const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'hourly', uid, controller: true };
    const at = '2026-06-10T00:00:00Z';
    const condition = {
      type: 'Failed',
      status: 'True',
      reason: 'BackoffLimitExceeded',
      lastTransitionTime: at,
    };
    const status = { startTime: at, failed: 1, conditions: [condition] };
    const own = { namespace: 'harbor', ownerReferences: [owner] };
    const metadata = { ...(job['metadata'] as JsonObject), ...own };
    const { jobs } = await report([made, { ...job, metadata, status }]);
    expect(jobs?.totals).toMatchObject({ jobs: 6, succeeded: 5, failed: 1, deleted: 0, notOver: 0 });
    expect(jobs?.list[0]).toMatchObject({ outcome: 'failed', deletedAt: '2026-06-10T00:00:00Z' });
  });

  test('how long its Jobs take and how they end is what their pods say, not what is assumed', async () => {
    const { schedules } = await report([hourly('hourly')], '--pod=hourly=7m:1,3m');
    // Made at 01:00, its pod begins at 01:01, fails at 01:08, and the next one takes from 01:09 to 01:12.
    expect(schedules[0]?.duration).toEqual({ seconds: 720, from: 'parts', runs: 5 });
    const of = async (items: readonly object[], ...argv: readonly string[]): Promise<string> =>
      (await simulate(items, argv)).stdout;
    const alone = await of([hourly('hourly')], '--pod=hourly=7m:1');
    expect(alone).toMatch(/^1 schedule, .*, a tick every minute; runs end with their pods\n/);
    expect(alone).not.toContain('(assumed)');
    const beside = await of([hourly('hourly'), policy('night', NEW)], '--pod=hourly=7m:1');
    expect(beside).toMatch(
      /^2 schedules, .*; runs of managed Jobs end with their pods, every other run succeeds\n/,
    );
    const replaced = await of([hourly('hourly', { concurrencyPolicy: 'Replace' })], '--pod=hourly=90m');
    expect(replaced).toMatch(/\nCronJob harbor\/hourly .* none ended\n/);
    expect(await of([policy('night', NEW)])).toMatch(/^1 schedule, .*; every run succeeds\n/);
  });

  test('a pod that is taken from its node is drawn as that', async () => {
    const [items, argv] = [[shards('shards')], ['--pod=shards=1m', '--pod=shards/2=1m:disrupted,1m:143,30s']];
    const { stdout } = await simulate(items, argv);
    expect(stdout).toContain('  disrupted, exit 143, succeeded\n');
    const { jobs } = await report(items, ...argv);
    const of2 = jobs?.list[0]?.podList.filter(({ index }) => index === 2) ?? [];
    expect(of2.map(({ exitCode, disrupted }) => [exitCode, disrupted])).toEqual([
      [143, true],
      [143, undefined],
      [0, undefined],
    ]);
  });

  test('a Job that is named is told alone, and of a schedule that is named its Jobs', async () => {
    const items = [shards('shards'), hourly('hourly'), policy('night', NEW)];
    const named = await report(items, 'job/shards');
    expect(named.schedules).toEqual([]);
    expect(named.jobs?.list.map(({ name }) => name)).toEqual(['shards']);
    const made = await report(items, 'cronjob/hourly');
    expect(made.schedules.map(({ name }) => name)).toEqual(['hourly']);
    expect(new Set(made.jobs?.list.map(({ schedule }) => schedule))).toEqual(new Set(['hourly']));
    expect((await report(items, 'etcddefragpolicy/night')).jobs).toBeUndefined();
    const { code, stderr } = await simulate(items, ['job/shard']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^error: no Job named shard is carried out here/),
    });
  });

  test('a name that Jobs of several namespaces have is refused, and they are listed', async () => {
    const of = (namespace: string): JsonObject => {
      const job = shards('shards');
      const own = { ...(job['metadata'] as JsonObject), namespace, uid: `uid-${namespace}` };
      return { ...job, metadata: own };
    };
    const items = [of('east'), of('west')];
    const { code, stdout, stderr } = await simulate(items, ['job/shards']);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(
      'several objects have this name; choose one with -n NAMESPACE or KIND.GROUP/NAME:\n  Job east/shards\n  Job west/shards\n',
    );
    const { jobs } = await report(items, 'job/shards', '-n=west');
    expect(jobs?.list.map(({ namespace }) => namespace)).toEqual(['west']);
  });

  test.each(['off', 'observe'])('with managedJobs: %s those of a CronJob end by themselves', async (mode) => {
    const items = [shards('shards'), hourly('hourly')];
    const { jobs, schedules } = await report(items, `--config=${mode}.yaml`);
    expect(jobs).toBeUndefined();
    expect(schedules[0]).toMatchObject({ runs: 5, successes: { count: 5 } });
  });

  test('thousands of pods are counted, and few of them drawn', async () => {
    const wide = shards('wide', { completions: 2000, parallelism: 500 });
    const { stdout } = await simulate([wide], ['--pod=1m']);
    expect(stdout).toContain('2,000 pods started, 2,000 succeeded, 0 failed');
    expect(stdout).toContain('\n  1,980 indexes more (1,980 pods), counted and not drawn\n');
    const { jobs } = await report([wide], '--pod=1m');
    expect(jobs?.list[0]).toMatchObject({ podsLeftOut: 1500 });
    expect(jobs?.list[0]?.podList.length).toBe(500);
  });

  test('a row shows all that failed in its index, however many indexes there are', async () => {
    const wide = shards('wide', { completions: 600, parallelism: 600, backoffLimitPerIndex: 1 });
    const { stdout } = await simulate([wide], ['--pod=30s:1']);
    expect(stdout.match(/^ *\d+ ━+✗ +━+✗ {2}2 × exit 1$/gm)?.length).toBe(20);
    expect(stdout).toContain('\n  580 indexes more (1,160 pods), counted and not drawn\n');
    const { jobs } = await report([wide], '--pod=30s:1');
    expect(jobs?.list[0]).toMatchObject({ podsLeftOut: 700 });
    expect(jobs?.list[0]?.podList.filter(({ index }) => index === 5).length).toBe(2);
  });

  test.each([
    ['shards/x=1m', 'has the indexes "x": write for example 2, 0-3 or 0-3,7'],
    ['shards/3-1=1m', 'has the indexes "3-1"'],
    ['/2=1m', 'does not begin with the name of a Job'],
    ['work/shards/2=1m', 'has more than JOB/INDEXES before the =: a namespace does not belong there'],
    ['work/shards=1m', 'write for example 2, 0-3 or 0-3,7; a namespace does not belong there'],
    ['1m:256', 'has the exit code "256": write a number from 0 to 255, or disrupted'],
    ['1m:-1', 'has the exit code "-1"'],
    ['1m:1:2', 'has "1m:1:2", which is no DURATION:CODE such as 30s:42'],
    ['shards=', 'is not a duration such as 90s, 5m or 1h30m'],
    ['1m,', 'is not a duration such as 90s, 5m or 1h30m'],
    ['sharps=1m', 'nothing that was read has this name and starts pods here'],
    ['night=1m', 'nothing that was read has this name and starts pods here'],
  ])('--pod %s is refused', async (text, why) => {
    const { code, stdout, stderr } = await simulate(
      [shards('shards'), policy('night', NEW)],
      ['--pod', text],
    );
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(why);
  });

  test.each([
    ['shards/3=1m', 64, '--pod shards/3: its indexes are 0 to 2'],
    ['shards/0-9=1m', 64, '--pod shards/0-9: its indexes are 0 to 2'],
    ['shards/0,2-4=1m', 64, '--pod shards/2-4: its indexes are 0 to 2'],
    ['shards/0-2=1m', 0, ''],
    ['one/1=1m', 64, '--pod one/1: its indexes are just 0'],
    [
      'plain/0=1m',
      64,
      '--pod plain/0: its pods have no index, as it is no Indexed Job; write plain=DURATION',
    ],
    ['hourly/0=1m', 64, '--pod hourly/0: its pods have no index'],
    ['wide/7=1m', 0, ''],
    ['wide/8=1m', 64, '--pod wide/8: its indexes are 0 to 7'],
    // The Jobs of this CronJob are carried out by somebody else.
    ['foreign=1m', 64, '--pod foreign: nothing that was read has this name and starts pods here'],
  ])('of pods that there cannot be: --pod %s', async (text, wanted, why) => {
    const spec = { ...(TEMPLATE['spec'] as JsonObject), ...MANAGED };
    const items = [
      shards('shards'),
      shards('one', { completions: 1 }),
      { ...shards('plain'), spec },
      hourly('hourly'),
      hourly('wide', { jobTemplate: { spec: { ...spec, completionMode: 'Indexed', completions: 8 } } }),
      hourly('foreign', { jobTemplate: TEMPLATE }),
    ];
    const { code, stderr } = await simulate(items, ['--pod', text]);
    expect(code).toBe(wanted);
    expect(stderr).toContain(why);
  });

  test('a capture is simulated like what it was taken from', async () => {
    const argv = ['-f', 'examples/indexed-job', '--now', '2026-11-30T12:01:05Z'];
    const { stdout: capture } = await runMinutehand(['capture', ...argv]);
    const cwd = await temporaryFolder({ 'capture.json': capture });
    const given = ['--for=1h', '--pod=shards=45s', '--pod=shards/2=1m:42,30s'];
    const { stdout } = await runMinutehand(['simulate', '--from=capture.json', ...given], { cwd });
    expect(stdout).toBe(await readFile('examples/indexed-job/expected/simulate.txt', 'utf8'));
  });

  test('the page of the example shows what comes out', async () => {
    const page = await readFile('examples/indexed-job/README.md', 'utf8');
    expect(page).toContain(await readFile('examples/indexed-job/expected/simulate.txt', 'utf8'));
  });
});

test('at a terminal simulate says how far it has come, once it takes a second', async () => {
  let now = Date.parse(FROM);
  const clock = (): number => {
    now += 400;
    return now;
  };
  const world = { clock, terminal: { stderr: true } };
  const cwd = await temporaryFolder({ 'a.json': list(policy('night', NEW)) });
  const { stderr } = await runMinutehand(['simulate', '-f', 'a.json', '--from', FROM], { ...world, cwd });
  expect(stderr).toContain('\r\u001b[Ksimulated 2 of 30 days');
  expect(stderr.endsWith('\r\u001b[K')).toBe(true);
});
