import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVENT } from '#core/object/resource.ts';
import { typesOf } from '#core/types-of.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { failure } from '#test/fakes/api-server/answer.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { cronJob } from '#test/store/fixtures.ts';
import { plainKubeconfig } from '#test/support/plain-kubeconfig.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const CREATED = '2026-06-09T12:00:00Z';
const AT = '2026-06-10T12:00:20Z';
const FROM = ['--from', '2026-06-09T00:00:00Z'] as const;
/** Every six hours from FROM to AT; the last one is what the tick at AT starts. */
const SLOTS = [29682720, 29683080, 29683440, 29683800, 29684160, 29684520, 29684880];

const MANIFESTS = `apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: shop, creationTimestamp: "${CREATED}"}
spec:
  schedule: "0 */6 * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: report}]}}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: broken, namespace: shop, creationTimestamp: "${CREATED}"}
spec:
  schedule: "61 * * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: report}]}}}}
---
apiVersion: etcd-operator.cozystack.io/v1alpha2
kind: EtcdDefragPolicy
metadata: {name: main, namespace: shop, creationTimestamp: "${CREATED}"}
spec: {schedule: "0 */6 * * *", clusterRef: {name: etcd}}
---
apiVersion: backups.cozystack.io/v1alpha1
kind: Plan
metadata: {name: db, namespace: shop, creationTimestamp: "${CREATED}"}
spec:
  applicationRef: {kind: Postgres, name: db}
  backupClassName: daily
  schedule: {type: cron, cron: "0 */6 * * *"}
`;

describe('backfill on files', () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await temporaryFolder({ 'm/all.yaml': MANIFESTS });
  });

  function minutehand(...argv: readonly string[]): Promise<CliResult> {
    return runMinutehand([...argv, '-f', 'm', '--state', 'state', '--now', AT], { cwd });
  }
  function backfill(...argv: readonly string[]): Promise<CliResult> {
    return minutehand('backfill', ...argv);
  }
  async function runs(kind: string): Promise<readonly string[]> {
    try {
      const names = await readdir(join(cwd, `state/${kind}/shop`));
      return names.map((name) => name.replace('.json', '')).sort();
    } catch {
      return [];
    }
  }
  async function statusOf(name: string): Promise<unknown> {
    return JSON.parse(await readFile(join(cwd, `state/batch/cronjob/shop/${name}.json`), 'utf8')).status;
  }

  test('makes what the slots of a range lack under their names, and settles nothing', async () => {
    await minutehand('reconcile');
    const status = await statusOf('report');
    const { code, stdout, stderr } = await backfill('cj/report', ...FROM);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(
      '\n7 slots from Tue 2026-06-09 00:00 UTC to Wed 2026-06-10 12:00:20 UTC: 1 settled, 6 runs to make.\n6 changes applied.\n',
    );
    expect(await runs('batch/job')).toEqual(SLOTS.map((minutes) => `report-${minutes}`));
    expect(await statusOf('report')).toEqual(status);
    const tick = JSON.parse((await minutehand('reconcile', '-o', 'json')).stdout);
    expect(tick.changeSet.counts.creates).toBe(0);
    expect(await statusOf('report')).toMatchObject({ lastScheduleTime: '2026-06-10T12:00:00Z' });
    const again = await backfill('cj/report', ...FROM);
    expect([again.code, again.stdout.includes('7 settled, 0 runs to make.\nNothing to do.')]).toEqual([
      0,
      true,
    ]);
  });

  test('begins with the oldest, says what a budget leaves, and goes on from there', async () => {
    const first = await backfill('cj/report', ...FROM, '--max-creates', '4');
    expect(first.code).toBe(3);
    expect(first.stdout).toContain(
      '\n3 missing runs are left: --max-creates is 4. The same command makes them later.\n',
    );
    expect(await runs('batch/job')).toEqual(SLOTS.slice(0, 4).map((minutes) => `report-${minutes}`));
    expect((await backfill('cj/report', ...FROM, '--max-creates', '4')).code).toBe(0);
    expect(await runs('batch/job')).toHaveLength(7);
  });

  test('makes ten at most where no budget is set', async () => {
    const { code, stdout } = await backfill('cj/report', '--from', '2026-06-01T00:00:00Z', '-o', 'json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      formatVersion: 1,
      from: '2026-06-01T00:00:00Z',
      to: AT,
      slots: 39,
      settled: 0,
      left: 29,
      changeSet: { counts: { creates: 10, statuses: 0, deletes: 0, events: 0 } },
    });
    expect(JSON.parse(stdout).applied.schedules[0].applied).toHaveLength(10);
  });

  test('keeps to both ends of the range, and never goes beyond now', async () => {
    const range = ['--from', '2026-06-09T06:00:00Z', '--to', '2026-06-09T18:00:00Z'];
    const { stdout } = await backfill('cj/report', ...range, '-o', 'json');
    const [{ changes, verdict }] = JSON.parse(stdout).changeSet.schedules;
    expect(changes.map(({ slot }: { slot: string }) => slot)).toEqual([
      '2026-06-09T06:00:00Z',
      '2026-06-09T12:00:00Z',
      '2026-06-09T18:00:00Z',
    ]);
    expect(verdict).toMatchObject({
      code: 'fired',
      slot: '2026-06-09T06:00:00Z',
      next: '2026-06-10T18:00:00Z',
    });
    const later = await backfill('cj/report', '--from', AT, '--to', '2027-01-01T00:00:00Z', '-o', 'json');
    expect(JSON.parse(later.stdout)).toMatchObject({ slots: 0, to: AT });
  });

  test('only shows it in a dry run', async () => {
    await minutehand('reconcile');
    const before = await runs('batch/job');
    const { code, stdout } = await backfill('cj/report', ...FROM, '--dry-run=client');
    expect(code).toBe(0);
    expect(stdout).toContain('+ create        Job shop/report-29682720\n');
    expect(stdout.endsWith('6 runs to make.\nThis was a dry run: nothing was written.\n')).toBe(true);
    expect(await runs('batch/job')).toEqual(before);
  });

  test('makes BackupJobs of a Plan', async () => {
    expect((await backfill('plan/db', ...FROM)).code).toBe(0);
    expect(await runs('backups.cozystack.io/backupjob')).toEqual(SLOTS.map((minutes) => `db-${minutes}`));
  });

  test('starts one slot at a time where runs must not overlap, unless it is told to', async () => {
    const one = await backfill('etcddefragpolicy/main', ...FROM);
    expect(one.code).toBe(3);
    expect(one.stdout).toContain(
      '6 missing runs are left: its concurrencyPolicy lets one slot run at a time',
    );
    const kind = 'etcd-operator.cozystack.io/etcddefrag';
    expect(await runs(kind)).toEqual([`main-${SLOTS.map((minutes) => minutes * 60)[0]}`]);
    const held = await backfill('etcddefragpolicy/main', ...FROM);
    expect([held.code, held.stdout]).toEqual([3, '']);
    expect(held.stderr).toContain('(no phase yet) is unfinished, and concurrencyPolicy');
    expect((await backfill('etcddefragpolicy/main', ...FROM, '--despite-running')).code).toBe(0);
    expect(await runs(kind)).toEqual(SLOTS.map((minutes) => `main-${minutes * 60}`));
  });

  test.each<[readonly string[], number, string]>([
    [['cj/nope', ...FROM], 1, 'no CronJob named nope'],
    [['cj/broken', ...FROM], 1, 'CronJob shop/broken: '],
    [['cj/report', '--from', AT, '--to', CREATED], 64, '--to lies before --from'],
    [['cj/report', '--from', '2026-12-09T00:00:00Z'], 64, `the range ends now, ${AT}: it is empty`],
    [['cj/report', '--from', '2026-12-09T00:00:00Z', '--to', '2026-12-10T00:00:00Z'], 64, 'still to come'],
    [['cj/report', '--from', '1990-01-01T00:00:00Z'], 64, 'more than 5000 slots'],
    [['cj/report'], 64, '--from'],
    [['cj/report', ...FROM, '--dry-run=server'], 64, 'asks the API server of a cluster'],
    [['job/report', ...FROM], 64, 'is no schedule, and has no slots'],
  ])('refuses %j', async (argv, code, message) => {
    const result = await backfill(...argv);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
    expect(await readdir(cwd)).toEqual(['m']);
  });

  test('makes no state folder where there is nothing to make', async () => {
    const range = ['--from', '2026-06-09T06:00:01Z', '--to', '2026-06-09T06:00:02Z'];
    const { code, stdout } = await backfill('cj/report', ...range);
    expect([code, stdout.endsWith('0 runs to make.\nNothing to do.\n')]).toEqual([0, true]);
    expect(await readdir(cwd)).toEqual(['m']);
  });
});

describe('backfill on a cluster', () => {
  let server: FakeApiServer;
  beforeAll(async () => {
    server = await fakeApiServer({ kinds: [...typesOf(KINDS, DRIVERS), EVENT] });
  });
  beforeEach(() => {
    server.configure({ admit: () => undefined });
    server.reset([cronJob('shop', 'nightly')]);
  });
  afterAll(() => server.close());

  async function backfill(config: string, ...argv: readonly string[]): Promise<CliResult> {
    const cwd = await temporaryFolder({ kubeconfig: plainKubeconfig(server.url), 'config.yaml': config });
    const where = ['--kubeconfig', `${cwd}/kubeconfig`, '--config', 'config.yaml', '--now', AT];
    return runMinutehand(['backfill', 'cj/nightly', ...FROM, ...where, ...argv], { cwd });
  }
  const jobs = (): readonly string[] =>
    server.objects().flatMap(({ kind, metadata }) => (kind === 'Job' ? [metadata.name] : []));

  test('leaves what somebody else acts on alone', async () => {
    const { code, stderr } = await backfill('cronJob: observe\n');
    expect([code, jobs()]).toEqual([1, []]);
    expect(stderr).toContain('CronJob shop/nightly is left to the built-in CronJob controller');
  });

  test('stores nothing in a dry run of the server, and the budget of the configuration counts', async () => {
    const config = 'cronJob: manage\nbudgets: {maxCreates: 1}\n';
    const dry = await backfill(config, '--dry-run=server');
    expect([dry.code, jobs()]).toEqual([3, []]);
    expect(dry.stdout).toContain('the server checked every write and stored none');
    expect((await backfill(config)).code).toBe(3);
    expect(jobs()).toEqual(['nightly-29682900']);
  });

  test('of a CronJob has no lane that could be full', async () => {
    const config = 'cronJob: manage\nbudgets: {maxCreatesPerLane: 0}\n';
    expect((await backfill(config, '--dry-run=server')).code).toBe(0);
  });

  test('goes on where one run is refused, and says so', async () => {
    server.configure({
      admit: ({ object }) =>
        object.metadata.name === 'nightly-29682900'
          ? failure({ code: 403, reason: 'Forbidden', message: 'no' })
          : undefined,
    });
    const { code, stdout } = await backfill('cronJob: manage\n');
    expect([code, jobs()]).toEqual([3, ['nightly-29684340']]);
    expect(stdout).toContain('nightly-29682900');
  });
});
