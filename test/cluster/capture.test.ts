import { beforeAll, expect, test } from 'vitest';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { SCHEDULE, POLICY as SNAPSHOT_POLICY } from '#kinds/snapshot-schedule/resources.ts';
import { type CliResult, runMinutehand } from '#test/support/run-cli.ts';
import { describeOnServer, sharedServer } from './support/with-server.ts';
import { create, createNamespace } from './world/api.ts';
import { runHere, tickAt } from './world/command-line.ts';
import { install, OUR_DEFINITIONS, readDefinitions } from './world/definitions.ts';
import { cronJob, defragPolicy, snapshotPolicy, snapshotSchedule } from './world/objects.ts';
import { isWrite, sentTo } from './world/sent.ts';
import { DAILY, daysAfter, NOW } from './world/times.ts';

const PASSWORD = 'hunter2-in-a-cluster';

function withPassword(where: string): ReturnType<typeof cronJob> {
  const env = [{ name: 'PGPASSWORD', value: PASSWORD }];
  const template = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.37', env }] },
  };
  return cronJob(where, { spec: { schedule: DAILY, jobTemplate: { spec: { template } } } });
}

/** The verb on the server, at a time. */
async function online(verb: readonly string[], now: Instant): Promise<CliResult> {
  const { kubeconfig } = await sharedServer();
  return runHere([...verb, '--kubeconfig', kubeconfig, '--now', formatInstant(now)]);
}

/** The same verb where no server is, on what was captured. */
function offline(verb: readonly string[], captured: string): Promise<CliResult> {
  return runMinutehand([...verb, '--from', 'capture.yaml'], {
    readText: async () => captured,
    openCluster: async () => {
      throw new Error('a capture asks no server');
    },
  });
}

async function expectSame(now: Instant, ...flags: readonly string[]): Promise<string> {
  const sent = sentTo(await sharedServer());
  await sent.next();
  const { code, stdout: captured, stderr } = await online(['capture', ...flags], now);
  expect({ code, warned: stderr.includes('warning:') }).toEqual({ code: 0, warned: false });
  expect((await sent.next()).filter(isWrite)).toEqual([]);
  for (const verb of [
    ['plan', '-o', 'json'],
    ['plan', '--detailed-exitcode'],
    ['explain', 'etcddefragpolicy/defrag'],
    ['next', '--count', '2'],
  ]) {
    const source = await online([...verb, ...flags], now);
    const replay = await offline(verb, captured);
    expect({ code: replay.code, stdout: replay.stdout }, verb.join(' ')).toEqual({
      code: source.code,
      stdout: source.stdout,
    });
  }
  return captured;
}

describeOnServer('a capture of a cluster', () => {
  beforeAll(async () => {
    const server = await sharedServer();
    await install(server, await readDefinitions(OUR_DEFINITIONS));
    await createNamespace(server, 'captured');
    await create(server, POLICY, defragPolicy('captured/defrag', { spec: { schedule: DAILY } }));
    await create(server, CRON_JOB, withPassword('captured/dump'));
    await create(server, SNAPSHOT_POLICY, snapshotPolicy('captured/pg'));
    await create(server, SCHEDULE, snapshotSchedule('captured/nightly', { cron: DAILY }));
  });

  test('gives the plan of that cluster without it, and writes nothing', async () => {
    const captured = await expectSame(NOW);
    expect(captured).toContain('name: dump');
    expect(captured).not.toContain(PASSWORD);
  });

  test('after a tick it has runs, statuses with their owners, and events', async () => {
    const { kubeconfig } = await sharedServer();
    const ticked = await runHere(tickAt(kubeconfig, NOW));
    expect(ticked.code).toBe(0);
    const captured = await expectSame(NOW);
    expect(captured).toContain('kind: EtcdDefrag\n');
    expect(captured).toContain('f:lastScheduleTime');
    expect(captured).toContain('reason: StampedRun');
    await expectSame(daysAfter(NOW, 2));
  });

  test('with -n it goes by that', async () => {
    const captured = await expectSame(daysAfter(NOW, 1), '-n', 'captured');
    expect(captured).toContain('namespaces:\n    - captured');
  });
});
