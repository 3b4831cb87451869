import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { JOB } from '#api/resources.ts';
import { keyOf } from '#core/object/key.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import { POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { SCHEDULE } from '#kinds/snapshot-schedule/resources.ts';
import { metaText } from '#store/directory/meta.ts';
import { stateText } from '#store/directory/state-object.ts';
import { objectPath } from '#store/directory/state-path.ts';
import { failure } from '#test/fakes/api-server/answer.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { CRON_JOB, cronJob } from '#test/store/fixtures.ts';
import { plainKubeconfig } from '#test/support/plain-kubeconfig.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const NOW = ['--now', '2026-06-10T03:00:20Z'];

/** As a state folder holds it that nobody spelled out in a manifest. */
function inState(spec: Readonly<Record<string, Json>> = {}, version = '7'): KubeObject {
  const base = cronJob('shop', 'nightly');
  return {
    ...base,
    metadata: {
      ...base.metadata,
      uid: 'uid-nightly',
      resourceVersion: version,
      generation: 1,
      creationTimestamp: '2026-06-01T12:00:00Z',
    },
    spec: { ...(base.spec as Readonly<Record<string, Json>>), ...spec },
  };
}

const OTHER = `apiVersion: etcd-operator.cozystack.io/v1alpha2
kind: EtcdDefragPolicy
metadata: {name: main, namespace: shop, creationTimestamp: "2026-06-10T02:00:00Z"}
spec: {schedule: "0 4 * * *", clusterRef: {name: etcd}}
---
apiVersion: backups.cozystack.io/v1alpha1
kind: Plan
metadata: {name: db, namespace: shop}
spec:
  applicationRef: {kind: Postgres, name: db}
  backupClassName: daily
  schedule: {type: cron, cron: "0 2 * * *"}
`;

async function folderWith(object: KubeObject): Promise<string> {
  return temporaryFolder({
    'manifests/others.yaml': OTHER,
    [`state/${objectPath(keyOf(object))}`]: stateText({ object, origin: 'store' }),
    'state/meta.json': metaText(100),
  });
}

function minutehand(cwd: string, ...argv: readonly string[]): Promise<CliResult> {
  return runMinutehand([...argv, '-f', 'manifests', '--state', 'state', ...NOW], { cwd });
}

async function stored(cwd: string): Promise<KubeObject> {
  return JSON.parse(await readFile(join(cwd, 'state', objectPath(keyOf(inState()))), 'utf8'));
}

describe('suspend and resume in a state folder', () => {
  test('suspend what no manifest spells out, and ticks pass it over', async () => {
    const cwd = await folderWith(inState());
    expect(await minutehand(cwd, 'suspend', 'cj/nightly')).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'CronJob shop/nightly was suspended: no slot of it is run until it is resumed, and runs at work go on. ' +
        'The latest slot that passes meanwhile is due once it is resumed, if its deadline allows.\n',
    });
    const { spec, metadata } = await stored(cwd);
    expect([spec, metadata.generation]).toEqual([{ ...(inState().spec as object), suspend: true }, 2]);
    const tick = await minutehand(cwd, 'reconcile', '-o', 'json');
    expect(tick.code).toBe(0);
    expect(JSON.parse(tick.stdout).changeSet.counts).toMatchObject({
      creates: 0,
      verdicts: { suspended: 1 },
    });
    expect((await minutehand(cwd, 'suspend', 'cj/nightly')).stdout).toBe(
      'CronJob shop/nightly is suspended already: nothing was written.\n',
    );
  });

  test('resume shows the slot that fires, and then the tick fires it', async () => {
    const cwd = await folderWith(inState({ suspend: true }));
    const dry = await minutehand(cwd, 'resume', 'cronjob/nightly', '--dry-run=client');
    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain(
      'Once CronJob shop/nightly is resumed, a tick at Wed 2026-06-10 03:00:20 UTC does this:\n\nfired  CronJob shop/nightly (SuccessfulCreate)\n',
    );
    expect(dry.stdout).toMatch(/create +Job shop\/nightly-29684340/);
    expect(dry.stdout.endsWith('\nThis was a dry run: nothing was written.\n')).toBe(true);
    expect((await stored(cwd)).metadata.resourceVersion).toBe('7');

    const done = await minutehand(cwd, 'resume', 'cronjob/nightly');
    expect(done.stdout).toBe(
      dry.stdout.replace('This was a dry run: nothing was written.', 'CronJob shop/nightly was resumed.'),
    );
    expect((await stored(cwd)).spec).toMatchObject({ suspend: false });
    const tick = await minutehand(cwd, 'reconcile', '-o', 'json');
    const { schedules } = JSON.parse(tick.stdout).changeSet;
    const fired = schedules.find(({ name }: { name: string }) => name === 'nightly');
    expect(fired.verdict.code).toBe('fired');
    expect(fired.changes[0].object.name).toBe('nightly-29684340');
    const again = await minutehand(cwd, 'resume', 'cronjob/nightly');
    expect(again).toEqual({
      code: 0,
      stderr: '',
      stdout: 'CronJob shop/nightly is not suspended: nothing was written.\n',
    });
  });

  test('resume shows nothing that fires where the slot is far', async () => {
    const cwd = await folderWith(inState({ suspend: true, schedule: '0 9 11 6 *' }));
    const { stdout } = await minutehand(cwd, 'resume', 'cronjob/nightly');
    expect(stdout).toContain('waiting  CronJob shop/nightly\n');
    expect(stdout).not.toContain('create');
  });

  test('as data, with the change set of the effect', async () => {
    const cwd = await folderWith(inState({ suspend: true }));
    const { stdout } = await minutehand(cwd, 'resume', 'cj', 'nightly', '-o', 'json', '--dry-run=client');
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      formatVersion: 1,
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      name: 'nightly',
      namespace: 'shop',
      suspended: false,
      outcome: 'client',
    });
    expect(document.effect.schedules).toHaveLength(1);
    expect(document.effect.counts).toMatchObject({ schedules: 1, creates: 1 });
  });

  test('a schedule that cannot be used can be suspended all the same', async () => {
    const cwd = await folderWith(inState({ schedule: '61 * * * *' }));
    expect((await minutehand(cwd, 'suspend', 'cj/nightly')).code).toBe(0);
    expect((await stored(cwd)).spec).toMatchObject({ suspend: true });
    const { code, stdout } = await minutehand(cwd, 'resume', 'cj/nightly', '--dry-run=client');
    expect([code, stdout.includes('invalid  CronJob shop/nightly')]).toEqual([0, true]);
  });

  test('a manifest keeps its spec, and what resuming it would do is shown all the same', async () => {
    const manifest = (suspend: boolean): string => `apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: shop, creationTimestamp: "2026-06-01T12:00:00Z"}
spec:
  schedule: "0 3 * * *"
  suspend: ${suspend}
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: report}]}}}}
`;
    const cwd = await temporaryFolder({ 'manifests/a.yaml': manifest(true) });
    const way =
      'error: CronJob shop/nightly is spelled out by manifests/a.yaml:5, and so is its spec: write spec.suspend: false there, or remove it\n';
    const refused = await minutehand(cwd, 'resume', 'cj/nightly');
    expect([refused.code, refused.stdout, refused.stderr.startsWith(way)]).toEqual([1, '', true]);
    const dry = await minutehand(cwd, 'resume', 'cj/nightly', '--dry-run=client');
    expect([dry.code, dry.stderr.startsWith(way)]).toEqual([1, true]);
    expect(dry.stdout).toContain('create        Job shop/nightly-29684340\n');
    expect(dry.stdout).toMatch(/\nThis was a dry run, and the real one is refused: .*\n$/);
    const data = await minutehand(cwd, 'resume', 'cj/nightly', '--dry-run=client', '-o', 'json');
    expect(JSON.parse(data.stdout)).toMatchObject({ outcome: 'refused', effect: { counts: { creates: 1 } } });
    // What the error says works.
    await writeFile(join(cwd, 'manifests/a.yaml'), manifest(false));
    const tick = await minutehand(cwd, 'reconcile', '-o', 'json');
    expect(JSON.parse(tick.stdout).changeSet.counts.creates).toBe(1);
  });

  test('a schedule whose manifest is gone is not found, and that is told', async () => {
    const cwd = await temporaryFolder({
      'manifests/others.yaml': OTHER,
      'more/a.yaml': OTHER.replace('main', 'gone').split('---')[0] ?? '',
    });
    await runMinutehand(['reconcile', '-f', 'manifests', '-f', 'more', '--state', 'state', ...NOW], { cwd });
    for (const verb of ['suspend', 'resume', 'explain', 'run']) {
      const { code, stderr } = await minutehand(cwd, verb, 'etcddefragpolicy/gone');
      expect(code).toBe(1);
      expect(stderr).toContain(
        'note ManifestGone: one object of the state has no manifest any more: EtcdDefragPolicy shop/gone\n',
      );
    }
  });

  test.each<[readonly string[], number, string]>([
    [
      ['suspend', 'etcddefragpolicy/main'],
      1,
      'EtcdDefragPolicy shop/main is spelled out by manifests/others.yaml:4, and so is its spec: write spec.suspend: true there',
    ],
    [['suspend', 'plan/db'], 64, 'a Plan has no field that suspends it: give it a label'],
    [['suspend', 'cj/nightl'], 1, 'did you mean nightly?'],
    [['suspend', 'job/nightly'], 64, 'is no schedule, and has no slots'],
    [['suspend', 'cj/nightly', '--dry-run=server'], 64, 'asks the API server of a cluster'],
  ])('refuse %j, and write nothing', async (argv, code, message) => {
    const cwd = await folderWith(inState());
    const result = await minutehand(cwd, ...argv);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
    expect((await stored(cwd)).metadata.resourceVersion).toBe('7');
  });
});

describe('suspend and resume on a cluster', () => {
  let server: FakeApiServer;
  beforeAll(async () => {
    server = await fakeApiServer({ kinds: [CRON_JOB, JOB, POLICY, SCHEDULE] });
  });
  beforeEach(() => {
    server.configure({ isForbidden: () => false, admit: () => undefined });
    server.reset([
      cronJob('shop', 'nightly'),
      {
        apiVersion: 'kopiur.home-operations.com/v1alpha1',
        kind: 'SnapshotSchedule',
        metadata: { name: 'mail', namespace: 'shop' },
        spec: { policyRef: { name: 'mail' }, schedule: { cron: '0 3 * * *' } },
      },
    ]);
  });
  afterAll(() => server.close());

  async function onCluster(...argv: readonly string[]): Promise<CliResult> {
    const cwd = await temporaryFolder({ kubeconfig: plainKubeconfig(server.url) });
    return runMinutehand([...argv, '--kubeconfig', `${cwd}/kubeconfig`, '-n', 'shop', ...NOW], { cwd });
  }
  function patches(): readonly unknown[] {
    const sent = server.requests().filter(({ method }) => method === 'PATCH');
    return sent.map(({ path, query, body }) => [path, query['dryRun'], JSON.parse(body)]);
  }

  test('patch the one field with the version that was read', async () => {
    const before = server.objects().find(({ kind }) => kind === 'SnapshotSchedule');
    const { code, stdout } = await onCluster('suspend', 'kopiasched/mail');
    expect(code).toBe(0);
    expect(stdout).toContain('Slots that pass meanwhile are not made up for.');
    expect(patches()).toEqual([
      [
        '/apis/kopiur.home-operations.com/v1alpha1/namespaces/shop/snapshotschedules/mail',
        undefined,
        [
          { op: 'test', path: '/metadata/uid', value: before?.metadata.uid },
          { op: 'test', path: '/metadata/resourceVersion', value: before?.metadata.resourceVersion },
          { op: 'add', path: '/spec/schedule/suspend', value: true },
        ],
      ],
    ]);
    expect((await onCluster('resume', 'kopiasched/mail')).code).toBe(0);
    const after = server.objects().find(({ kind }) => kind === 'SnapshotSchedule');
    expect(after?.spec).toMatchObject({ schedule: { cron: '0 3 * * *', suspend: false } });
  });

  test('dry runs of the client ask for no write, those of the server store none', async () => {
    expect((await onCluster('suspend', 'cj/nightly', '--dry-run=client')).stdout).toContain(
      'would be suspended',
    );
    expect(patches()).toEqual([]);
    const { code, stdout } = await onCluster('suspend', 'cj/nightly', '--dry-run=server');
    expect([code, stdout.includes('the server checked it and stored nothing')]).toEqual([0, true]);
    expect(patches()).toMatchObject([[expect.anything(), 'All', expect.anything()]]);
    expect(server.objects()[0]?.spec).not.toHaveProperty('suspend');
  });

  test('without the right, nothing is written, and whose rights count is told', async () => {
    server.configure({ isForbidden: ({ verb }) => verb === 'patch' });
    const { code, stdout, stderr } = await onCluster('suspend', 'cj/nightly');
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('error: nothing was written: ');
    expect(stderr).toContain(
      'to patch cronjobs takes a right of your own, which no role of policies/rbac has',
    );
  });

  test('what changed since it was read is left as it is', async () => {
    server.configure({
      admit: ({ access }) => {
        if (access.verb !== 'patch') return undefined;
        return failure({
          code: 422,
          message: 'the server rejected our request due to an error in our request',
        });
      },
    });
    const { code, stderr } = await onCluster('suspend', 'cj/nightly');
    expect([code, stderr.includes('it changed since it was read')]).toEqual([3, true]);
  });
});
