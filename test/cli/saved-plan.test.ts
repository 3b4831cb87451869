import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { EVENT } from '#core/object/resource.ts';
import { typesOf } from '#core/types-of.ts';
import { DRIVERS } from '#drivers/index.ts';
import { KINDS } from '#kinds/index.ts';
import { type FakeApiServer, fakeApiServer } from '#test/fakes/api-server/fake-api-server.ts';
import { cronJob } from '#test/store/fixtures.ts';
import { plainKubeconfig } from '#test/support/plain-kubeconfig.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

function manifest(schedule: string): string {
  return `apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: shop, creationTimestamp: "2026-06-01T00:00:00Z"}
spec:
  schedule: "${schedule}"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: report}]}}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: other, namespace: shop, creationTimestamp: "2026-06-10T12:00:00Z"}
spec:
  schedule: "30 4 * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: other}]}}}}
`;
}

interface Folder {
  readonly cwd: string;
  readonly at: (time: string, ...argv: readonly string[]) => Promise<CliResult>;
  readonly plan: (time: string) => Promise<void>;
  readonly jobs: () => Promise<readonly string[]>;
}

async function folderWith(schedule: string): Promise<Folder> {
  const cwd = await temporaryFolder({ 'm/all.yaml': manifest(schedule) });
  const at: Folder['at'] = (time, ...argv) =>
    runMinutehand([...argv, '-f', 'm', '--state', 'state', '--now', time], { cwd });
  return {
    cwd,
    at,
    plan: async (time) => {
      const { code, stdout } = await at(time, 'plan', '-o', 'json');
      expect(code).toBe(0);
      await writeFile(join(cwd, 'plan.json'), stdout);
    },
    jobs: async () => {
      try {
        return await readdir(join(cwd, 'state/batch/job/shop'));
      } catch {
        return [];
      }
    },
  };
}

const APPLY = ['reconcile', '--plan', 'plan.json'] as const;

describe('a saved plan on files', () => {
  test('pub-031: Git moves the time between plan and apply: the old one does not fire once more', async () => {
    const { cwd, at, plan, jobs } = await folderWith('0 23 * * *');
    expect((await at('2026-06-09T23:00:05Z', 'reconcile')).code).toBe(0);
    const before = await jobs();
    await plan('2026-06-10T23:00:01Z');
    await writeFile(join(cwd, 'm/all.yaml'), manifest('0 5 * * *'));
    const applied = await at('2026-06-10T23:00:06Z', ...APPLY);
    expect([applied.code, applied.stdout]).toEqual([4, '']);
    expect(applied.stderr).toMatch(/^error: stale plan plan\.json, nothing was applied: /);
    expect(applied.stderr).toContain('CronJob shop/report: ');
    expect(await jobs()).toEqual(before);
    expect((await at('2026-06-10T23:00:06Z', 'reconcile')).code).toBe(0);
    expect(await jobs()).not.toContain('report-29685300.json');
  });

  test('is applied as it stands, at its own time, and once', async () => {
    const { at, plan, jobs, cwd } = await folderWith('0 23 * * *');
    await at('2026-06-10T22:00:00Z', 'reconcile');
    const before = await jobs();
    await plan('2026-06-10T23:00:01Z');
    const saved = JSON.parse(await readFile(join(cwd, 'plan.json'), 'utf8'));
    const applied = await at('2026-06-10T23:07:00Z', ...APPLY, '-o', 'json');
    expect([applied.code, applied.stderr]).toEqual([0, '']);
    const { schedules, now } = JSON.parse(applied.stdout).changeSet;
    expect({ schedules, now }).toEqual({ schedules: saved.schedules, now: '2026-06-10T23:00:01Z' });
    const made = (await jobs()).filter((name) => !before.includes(name));
    expect(made).toEqual(['report-29685540.json']);
    const again = await at('2026-06-10T23:07:00Z', ...APPLY);
    expect(again.code).toBe(4);
    expect(again.stderr).toBe(
      'error: stale plan plan.json, nothing was applied: it was applied already, and nothing of it is left to do\n',
    );
    // What a later tick has done since is another matter.
    await at('2026-06-11T23:00:01Z', 'reconcile');
    expect((await at('2026-06-10T23:07:00Z', ...APPLY)).stderr).toContain('verdict fired, now waiting');
  });

  test('may be the first tick of all, and come with changed manifests', async () => {
    const { cwd, at, plan, jobs } = await folderWith('0 23 * * *');
    await plan('2026-06-10T23:00:01Z');
    expect((await at('2026-06-10T23:00:06Z', ...APPLY)).code).toBe(0);
    const first = await jobs();
    expect(first).toHaveLength(1);
    await writeFile(join(cwd, 'm/all.yaml'), manifest('0 5 * * *'));
    await plan('2026-06-11T05:00:01Z');
    expect((await at('2026-06-11T05:00:06Z', ...APPLY)).code).toBe(0);
    expect(await jobs()).toHaveLength(3);
  });

  test('may come from standard input', async () => {
    const { cwd, at, plan, jobs } = await folderWith('0 23 * * *');
    await plan('2026-06-10T23:00:01Z');
    const stdin = await readFile(join(cwd, 'plan.json'), 'utf8');
    const argv = ['reconcile', '--plan', '-', '--state', 'state', '--now', '2026-06-10T23:00:06Z'];
    expect((await runMinutehand([...argv, '-f', 'm'], { cwd, stdin })).code).toBe(0);
    expect(await jobs()).toHaveLength(1);
    const none = await runMinutehand([...argv, '-f', 'm'], { cwd, stdin: '{' });
    expect([none.code, none.stderr]).toEqual([
      64,
      'error: --plan: standard input is not JSON: write it with plan -o json\n',
    ]);
    const both = await runMinutehand([...argv, '-f', '-'], { cwd, stdin });
    expect([both.code, both.stderr]).toEqual([
      64,
      'error: --plan - and -f - both read standard input: give one of them as a file\n',
    ]);
    expect((await at('2026-06-10T23:00:06Z', ...APPLY)).code).toBe(4);
  });

  test('that was formatted anew is the same plan', async () => {
    const { cwd, at, plan, jobs } = await folderWith('0 23 * * *');
    await plan('2026-06-10T23:00:01Z');
    const text = await readFile(join(cwd, 'plan.json'), 'utf8');
    await writeFile(join(cwd, 'plan.json'), JSON.stringify(JSON.parse(text)));
    expect((await at('2026-06-10T23:00:06Z', ...APPLY)).code).toBe(0);
    expect(await jobs()).toHaveLength(1);
  });

  test.each<[string, (document: Record<string, unknown>) => unknown]>([
    [
      'another image',
      (document) => JSON.parse(JSON.stringify(document).replace('"image":"report"', '"image":"evil"')),
    ],
    [
      'one schedule less',
      ({ schedules, ...rest }) => ({ ...rest, schedules: (schedules as unknown[]).slice(1) }),
    ],
    ['a member more', (document) => ({ ...document, more: true })],
    ['another grace', (document) => ({ ...document, graceSeconds: 1 })],
  ])('in which somebody wrote %s is refused', async (_what, edit) => {
    const { cwd, at, plan, jobs } = await folderWith('0 23 * * *');
    await plan('2026-06-10T23:00:01Z');
    const text = await readFile(join(cwd, 'plan.json'), 'utf8');
    await writeFile(join(cwd, 'plan.json'), JSON.stringify(edit(JSON.parse(text))));
    expect((await at('2026-06-10T23:00:06Z', ...APPLY)).code).toBe(4);
    expect(await jobs()).toEqual([]);
  });

  test('is checked in a dry run, which writes nothing', async () => {
    const { at, plan, jobs } = await folderWith('0 23 * * *');
    await plan('2026-06-10T23:00:01Z');
    const dry = await at('2026-06-10T23:00:06Z', ...APPLY, '--dry-run=client');
    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain('Plan for Wed 2026-06-10 23:00:01 UTC');
    expect(dry.stdout.endsWith('\nThe plan holds. This was a dry run: nothing was written.\n')).toBe(true);
    expect(await jobs()).toEqual([]);
  });

  test.each<[string, readonly string[], number, string]>([
    ['2026-06-10T23:10:02Z', [], 4, '10m1s ago, and --plan-max-age is 10m'],
    ['2026-06-10T23:10:02Z', ['--plan-max-age', '11m'], 0, ''],
    ['2026-06-10T23:00:00Z', [], 4, 'it was made for 2026-06-10T23:00:01Z, which is still to come'],
    ['2026-06-10T23:00:06Z', ['--grace', '10m'], 4, 'graceSeconds differ'],
    ['2026-06-10T23:00:06Z', ['-n', 'harbor'], 4, 'CronJob shop/other: it is not there any more'],
    ['2026-06-10T23:00:06Z', ['--prune'], 64, '--prune removes what no plan tells of'],
  ])('at %s with %j: exit %i', async (time, flags, code, message) => {
    const { at, plan } = await folderWith('0 23 * * *');
    await plan('2026-06-10T23:00:01Z');
    const result = await at(time, ...APPLY, ...flags);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
  });

  test.each<[string, number, string]>([
    ['{', 64, '--plan: plan.json is not JSON'],
    ['[]', 64, '--plan: plan.json is no plan'],
    ['{"formatVersion":1,"changeSet":{}}', 64, 'it is not what plan -o json prints'],
    ['{"formatVersion":1,"now":"soon","schedules":[]}', 64, 'it is not what plan -o json prints'],
    ['{"formatVersion":2,"now":"2026-06-10T23:00:01Z","schedules":[]}', 4, 'its format is 2'],
  ])('%s is none: exit %i', async (text, code, message) => {
    const { cwd, at } = await folderWith('0 23 * * *');
    await writeFile(join(cwd, 'plan.json'), text);
    const result = await at('2026-06-10T23:00:06Z', ...APPLY);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(message);
  });

  test('that is missing, and an age without one, are errors of the command line', async () => {
    const { at } = await folderWith('0 23 * * *');
    const missing = await at('2026-06-10T23:00:06Z', ...APPLY);
    expect([missing.code, missing.stderr.includes('plan.json')]).toEqual([64, true]);
    const age = await at('2026-06-10T23:00:06Z', 'reconcile', '--plan-max-age', '1h');
    expect([age.code, age.stderr.includes('give one with --plan')]).toEqual([64, true]);
  });
});

describe('a saved plan on a cluster', () => {
  let server: FakeApiServer;
  beforeAll(async () => {
    server = await fakeApiServer({ kinds: [...typesOf(KINDS, DRIVERS), EVENT] });
  });
  afterAll(() => server.close());

  const policy: KubeObject = {
    apiVersion: 'etcd-operator.cozystack.io/v1alpha2',
    kind: 'EtcdDefragPolicy',
    metadata: { name: 'main', namespace: 'shop', creationTimestamp: '2026-06-10T00:00:00Z' },
    spec: { schedule: '0 3 * * *', clusterRef: { name: 'etcd' } },
  };

  async function planned(): Promise<(...argv: readonly string[]) => Promise<CliResult>> {
    server.reset([policy, cronJob('shop', 'nightly')]);
    const cwd = await temporaryFolder({ kubeconfig: plainKubeconfig(server.url) });
    const where = ['--kubeconfig', `${cwd}/kubeconfig`];
    const plan = await runMinutehand(['plan', '-o', 'json', ...where, '--now', '2026-06-10T03:00:10Z'], {
      cwd,
    });
    await writeFile(join(cwd, 'plan.json'), plan.stdout);
    return (...argv) =>
      runMinutehand(
        ['reconcile', '--plan', 'plan.json', ...where, '--now', '2026-06-10T03:01:10Z', ...argv],
        {
          cwd,
        },
      );
  }
  const runs = (): number => server.objects().filter(({ kind }) => kind === 'EtcdDefrag').length;

  test('is applied, and what it was made from is read once', async () => {
    const apply = await planned();
    const before = server.requests().length;
    const { code, stderr } = await apply();
    expect([code, stderr]).toEqual([0, '']);
    expect(runs()).toBe(1);
    const lists = server
      .requests()
      .slice(before)
      .filter(({ method, path }) => method === 'GET' && path.endsWith('/etcddefragpolicies'));
    expect(lists).toHaveLength(1);
    const again = await apply();
    expect([again.code, runs()]).toEqual([4, 1]);
    expect(again.stderr).toContain('it was applied already, and nothing of it is left to do\n');
  });

  test('is checked in dry runs, and nothing is stored', async () => {
    const apply = await planned();
    expect((await apply('--dry-run=client')).stdout).toContain('The plan holds.');
    expect((await apply('--dry-run=server')).code).toBe(0);
    expect(runs()).toBe(0);
  });

  test('is stale once a schedule has another version, whatever is decided', async () => {
    const apply = await planned();
    server.edit(keyOf(policy), (object) => ({
      ...object,
      metadata: { ...object.metadata, labels: { touched: 'yes' } },
    }));
    const { code, stderr } = await apply();
    expect(code).toBe(4);
    expect(stderr).toMatch(/EtcdDefragPolicy shop\/main: resourceVersion \d+, now \d+\n/);
    expect(runs()).toBe(0);
  });

  test('is stale once a schedule is another of the name', async () => {
    const apply = await planned();
    server.remove(keyOf(policy));
    server.put({ ...policy, metadata: { ...policy.metadata, uid: 'another' } });
    const { code, stderr } = await apply();
    expect([code, runs()]).toEqual([4, 0]);
    expect(stderr).toMatch(/EtcdDefragPolicy shop\/main: uid [-0-9a-f]+, now another/);
  });
});
