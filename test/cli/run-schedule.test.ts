import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { JOB } from '#api/resources.ts';
import type { KubeObject } from '#core/object/object.ts';
import { SCHEDULE, SNAPSHOT, POLICY as SNAPSHOT_POLICY } from '#kinds/snapshot-schedule/resources.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { CRON_JOB, cronJob, job } from '#test/store/fixtures.ts';
import { plainKubeconfig } from '#test/support/plain-kubeconfig.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** Twenty seconds behind a slot of everything here. */
const AT = '2026-06-10T03:00:20Z';
const MANUAL = { 'minutehand.dev/manual': 'true' };
const SUFFIX = '1781060420-manual';

const MANIFESTS = `apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: shop, uid: uid-nightly, creationTimestamp: "2026-06-09T12:00:00Z"}
spec:
  schedule: "0 3 * * *"
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 1
  jobTemplate:
    metadata: {labels: {app: report}, annotations: {example.com/note: kept}}
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: main, image: report, env: [{name: API_TOKEN, value: hunter2hunter2}]}]
---
apiVersion: etcd-operator.cozystack.io/v1alpha2
kind: EtcdDefragPolicy
metadata: {name: main, namespace: shop, uid: uid-main, creationTimestamp: "2026-06-09T12:00:00Z"}
spec: {schedule: "0 3 * * *", clusterRef: {name: etcd}, suspend: true}
---
apiVersion: backups.cozystack.io/v1alpha1
kind: Plan
metadata: {name: db, namespace: shop, uid: uid-db, creationTimestamp: "2026-06-09T12:00:00Z"}
spec:
  applicationRef: {kind: Postgres, name: db}
  backupClassName: daily
  schedule: {type: cron, cron: "0 3 * * *"}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: broken, namespace: shop}
spec: {schedule: "0 3 * * *", jobTemplate: {spec: {parallelism: many}}}
`;

describe('run KIND/NAME on files', () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await temporaryFolder({ 'm/all.yaml': MANIFESTS });
  });

  function minutehand(...argv: readonly string[]): Promise<CliResult> {
    return runMinutehand([...argv, '-f', 'm', '--state', 'state'], { cwd });
  }
  function run(...argv: readonly string[]): Promise<CliResult> {
    return minutehand('run', ...argv, '--now', AT);
  }

  test('makes the Job that kubectl would make, and the slot of that time fires all the same', async () => {
    expect(await run('cj/nightly')).toEqual({
      code: 0,
      stderr: '',
      stdout: `Job shop/nightly-${SUFFIX} was made. What comes of it: minutehand explain cronjob.batch/nightly -f m --state state\n`,
    });
    const tick = JSON.parse((await minutehand('reconcile', '--now', AT, '-o', 'json')).stdout);
    const nightly = tick.changeSet.schedules.find(({ name }: { name: string }) => name === 'nightly');
    expect(nightly.verdict).toMatchObject({ code: 'fired', slot: '2026-06-10T03:00:00Z' });
    expect(nightly.changes[0].object.name).toBe('nightly-29684340');
  });

  test('marks it, with neither slot nor anchor, and shows it without secrets', async () => {
    const { code, stdout } = await run('cronjob', 'nightly', '--dry-run=client');
    expect(code).toBe(0);
    const [said, shown = ''] = stdout.split('\n\n');
    expect(said).toBe(`Job shop/nightly-${SUFFIX} would be made; nothing was written.`);
    expect(shown).not.toContain('hunter2');
    expect(parse(shown)).toMatchObject({
      kind: 'Job',
      metadata: {
        name: `nightly-${SUFFIX}`,
        namespace: 'shop',
        labels: { app: 'report' },
        ownerReferences: [{ kind: 'CronJob', name: 'nightly', uid: 'uid-nightly', controller: true }],
      },
      spec: { template: { spec: { restartPolicy: 'Never' } } },
    });
    expect(parse(shown).metadata.annotations).toEqual({
      ...MANUAL,
      'cronjob.kubernetes.io/instantiate': 'manual',
      'example.com/note': 'kept',
      'minutehand.dev/owner-uid': 'uid-nightly',
    });
  });

  test.each([
    ['etcddefragpolicy/main', 'EtcdDefrag', 'main', { clusterRef: { name: 'etcd' } }],
    [
      'plan/db',
      'BackupJob',
      'db',
      {
        applicationRef: { apiGroup: 'apps.cozystack.io', kind: 'Postgres', name: 'db' },
        backupClassName: 'daily',
        planRef: { name: 'db' },
      },
    ],
  ])('makes a run of %s', async (ref, kind, owner, spec) => {
    const { code, stdout } = await run(ref, '-o', 'json');
    expect(code).toBe(0);
    const object = JSON.parse(stdout);
    expect(object).toMatchObject({ kind, metadata: { name: `${owner}-${SUFFIX}` }, spec });
    expect(object.metadata.annotations).toEqual({ ...MANUAL, 'minutehand.dev/owner-uid': `uid-${owner}` });
  });

  test('runs what is suspended, and says so', async () => {
    const { code, stderr } = await run('etcddefragpolicy/main');
    expect([code, stderr]).toEqual([
      0,
      'note: EtcdDefragPolicy shop/main is suspended, and is run once all the same\n',
    ]);
  });

  test('asked twice within a second it makes one, whatever the policy', async () => {
    expect((await run('plan/db')).code).toBe(0);
    const again = await run('plan/db');
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toContain(`BackupJob shop/db-${SUFFIX} was not made`);
    expect(again.stderr).toMatch(
      /exists already \(.+\); its name is that of this second: ask again in the next one\n$/,
    );
  });

  test('respects Forbid: an unfinished run is named, unless it is to be started beside it', async () => {
    await minutehand('reconcile', '--now', AT);
    const held = await run('cj/nightly');
    expect([held.code, held.stdout]).toEqual([3, '']);
    expect(held.stderr).toBe(
      'error: Job nightly-29684340 (Active) is unfinished, and concurrencyPolicy of this CronJob is Forbid: ' +
        'wait, or start another beside it with --despite-running\n',
    );
    expect((await run('cj/nightly', '--despite-running')).code).toBe(0);
    const both = await run('cj/nightly');
    expect(both.code).toBe(3);
    expect(both.stderr).toContain(`Job nightly-${SUFFIX} (Active)`);
  });

  test('no budget counts it', async () => {
    await run('plan/db');
    const tick = JSON.parse(
      (await minutehand('reconcile', '--now', AT, '--max-creates', '2', '-o', 'json')).stdout,
    );
    expect(tick.changeSet.counts).toMatchObject({ creates: 2, verdicts: { fired: 2 } });
  });

  test.each<[readonly string[], number, string]>([
    [['cj/nightl'], 1, 'did you mean nightly?'],
    [['cj/broken'], 1, 'CronJob shop/broken is invalid: nothing is started'],
    [['job/nightly'], 64, 'is no schedule, and has no slots'],
    [['cj/nightly', '--name', 'x'], 64, '--name belongs to restorejob'],
    [['cj/nightly', '--backup', 'x'], 64, '--backup belongs to restorejob'],
    [['cj/nightly', '--dry-run=server'], 64, 'asks the API server of a cluster'],
  ])('refuses %j', async (argv, code, message) => {
    const result = await run(...argv);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
  });
});

const EVERY_KIND = `${MANIFESTS}---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: SnapshotSchedule
metadata: {name: uploads, namespace: shop, uid: uid-uploads, creationTimestamp: "2026-06-09T12:00:00Z"}
spec: {policyRef: {name: uploads}, schedule: {cron: "0 3 * * *", concurrencyPolicy: Forbid}}
---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: SnapshotPolicy
metadata: {name: uploads, namespace: shop}
spec:
  repository: {kind: Repository, name: nas}
  sources: [{pvc: {name: uploads}}]
`;

describe('the explanation that run KIND/NAME points to', () => {
  const lineOf = (text: string, label: string): string => {
    const found = text.match(new RegExp(`^ {4}${label} .*(?:\\n {20}.*)*`, 'm'));
    return (found?.[0] ?? '').replaceAll(/\s+/g, ' ').trim();
  };

  test.each([
    ['cj/nightly', `nightly-${SUFFIX}`, 'Active'],
    ['plan/db', `db-${SUFFIX}`, 'pending'],
    ['etcddefragpolicy/main', `main-${SUFFIX}`, 'pending'],
    ['kopiasched/uploads', 'uploads-20260610030020-manual', 'pending'],
  ])('of %s tells of what was made, which moves no anchor', async (ref, name, phase) => {
    const cwd = await temporaryFolder({ 'm/all.yaml': EVERY_KIND });
    const ask = (...argv: readonly string[]): Promise<CliResult> =>
      runMinutehand([...argv, '-f', 'm', '--state', 'state', '--now', AT], { cwd });
    const anchors = (text: string): string => lineOf(text, '(?:anchor|pinned)');
    const before = (await ask('explain', ref)).stdout;
    expect(lineOf(before, 'last run')).toBe('last run none is left');
    const made = await ask('run', ref);
    const [, command = ''] = made.stdout.trimEnd().split('What comes of it: minutehand ');
    const told = await runMinutehand([...command.split(' '), '--now', '2026-06-10T03:02:20Z'], { cwd });
    expect(told.code).toBe(0);
    expect(lineOf(told.stdout, 'last run')).toBe('last run none of a slot is left');
    expect(lineOf(told.stdout, 'by hand')).toBe(
      `by hand ${name}, ${phase}, made Wed 2026-06-10 03:00:20 UTC, 2 min ago`,
    );
    expect(lineOf(told.stdout, 'unfinished')).toBe(`unfinished ${name} (made by hand)`);
    expect(anchors(told.stdout)).toBe(anchors(before));
    const data = JSON.parse((await ask('explain', ref, '-o', 'json')).stdout);
    expect(data).toMatchObject({ lastRun: null, active: [name], byHand: [{ name, finishedAt: null }] });
  });

  test('a Snapshot made by hand that nobody has looked at holds another one made by hand', async () => {
    const cwd = await temporaryFolder({ 'm/all.yaml': EVERY_KIND });
    const run = (...argv: readonly string[]): Promise<CliResult> =>
      runMinutehand(['run', 'kopiasched/uploads', '-f', 'm', '--state', 'state', ...argv], { cwd });
    await run('--now', AT);
    const again = await run('--now', '2026-06-10T03:00:40Z');
    expect(again.code).toBe(3);
    expect(again.stderr).toContain('Snapshot uploads-20260610030020-manual (no phase yet) is unfinished');
    expect((await run('--now', '2026-06-10T03:00:40Z', '--despite-running')).code).toBe(0);
  });
});

function snapshotPolicy(name: string, spec: KubeObject['spec'] = {}): KubeObject {
  return {
    apiVersion: 'kopiur.home-operations.com/v1alpha1',
    kind: 'SnapshotPolicy',
    metadata: { name, namespace: 'shop', labels: { tier: 'daily' } },
    spec: {
      repository: { kind: 'Repository', name: 'nas' },
      sources: [{ pvc: { name } }],
      ...(spec as object),
    },
  };
}

function snapshot(name: string, phase: string, labels: Readonly<Record<string, string>> = {}): KubeObject {
  return {
    apiVersion: 'kopiur.home-operations.com/v1alpha1',
    kind: 'Snapshot',
    metadata: { name, namespace: 'shop', labels },
    spec: { policyRef: { name: 'mail' } },
    status: { phase },
  };
}

describe('run KIND/NAME on a cluster', () => {
  let server: FakeApiServer;
  beforeAll(async () => {
    server = await fakeApiServer({ kinds: [CRON_JOB, JOB, SCHEDULE, SNAPSHOT, SNAPSHOT_POLICY] });
  });
  afterAll(() => server.close());

  const schedule: KubeObject = {
    apiVersion: 'kopiur.home-operations.com/v1alpha1',
    kind: 'SnapshotSchedule',
    metadata: { name: 'daily', namespace: 'shop' },
    spec: {
      policySelector: { matchLabels: { tier: 'daily' } },
      schedule: { cron: '0 3 * * *', concurrencyPolicy: 'Forbid' },
    },
  };

  async function run(...argv: readonly string[]): Promise<CliResult> {
    const cwd = await temporaryFolder({ kubeconfig: plainKubeconfig(server.url) });
    const where = ['--kubeconfig', `${cwd}/kubeconfig`, '-n', 'shop', '--now', AT];
    return runMinutehand(['run', ...argv, ...where], { cwd });
  }

  function made(): readonly KubeObject[] {
    return server.objects().filter(({ metadata }) => metadata.name.includes('manual'));
  }

  test('makes a Snapshot for every policy, of the origin manual and without the label of the schedule', async () => {
    server.reset([
      schedule,
      snapshotPolicy('mail'),
      snapshotPolicy('files'),
      snapshotPolicy('old', { suspend: true }),
    ]);
    const { code, stdout, stderr } = await run('kopiasched/daily', '-o', 'json');
    expect([code, stderr]).toEqual([
      0,
      'warning: SnapshotPolicy old is suspended: nothing is started for it\n',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'List', items: [{}, {}] });
    expect(made().map(({ metadata }) => metadata.name)).toEqual([
      'daily-files-20260610030020-manual',
      'daily-mail-20260610030020-manual',
    ]);
    expect(made()[1]?.metadata.labels).toEqual({
      'app.kubernetes.io/managed-by': 'kopiur',
      'kopiur.home-operations.com/origin': 'manual',
      'kopiur.home-operations.com/config': 'mail',
    });
    expect(made()[1]?.metadata.annotations).toMatchObject(MANUAL);
    expect(made()[1]?.metadata.annotations).not.toHaveProperty('minutehand.dev/slot');
  });

  test.each([
    ['Running', 3],
    ['Succeeded', 0],
  ])('a Snapshot of the policy at %s that somebody else made: exit %i', async (phase, code) => {
    server.reset([schedule, snapshotPolicy('mail'), snapshot('by-hand', phase)]);
    const result = await run('kopiasched/daily');
    expect(result.code).toBe(code);
    expect(made()).toHaveLength(code === 0 ? 1 : 0);
    if (code === 3) expect(result.stderr).toContain('Snapshot by-hand (Running) is unfinished');
  });

  test('says why there is nothing to start', async () => {
    server.reset([schedule, snapshotPolicy('mail', { suspend: true })]);
    const { code, stderr } = await run('kopiasched/daily');
    expect([code, stderr]).toEqual([
      1,
      'error: there is nothing to start: SnapshotPolicy mail is suspended: nothing is started for it\n',
    ]);
  });

  test('runs a CronJob that its own controller acts on, and stores nothing in a dry run of the server', async () => {
    server.reset([cronJob('shop', 'nightly'), job('shop', 'other')]);
    const { code, stdout } = await run('cj/nightly', '--dry-run=server');
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      `Job shop/nightly-${SUFFIX} was checked by the server; nothing was stored.`,
    ]);
    expect(made()).toEqual([]);
    expect((await run('cj/nightly')).code).toBe(0);
    expect(made()).toHaveLength(1);
  });
});
