import { isSwept } from '#core/sweep.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import { type ApiServer, startApiServer } from '#test/cluster/support/api-server.ts';
import { missingReason, readAssets } from '#test/cluster/support/assets.ts';
import { must } from '#test/cluster/world/api.ts';
import { type Ended, runChild } from './child.ts';
import { type Traffic, trafficSince } from './requests.ts';
import { namespaceOf, populate, type ScaleWorld } from './scale-world.ts';
import type { Measurement, Section } from './section.ts';

const BUNDLE = new URL('../../dist/minutehand.mjs', import.meta.url).pathname;
const RBAC = new URL('../../policies/rbac/reconcile.yaml', import.meta.url).pathname;
const ACCOUNT = 'minutehand-reconcile';
const HOUR = 3600;
const RUNS = 5;

/** Ten thousand schedules unless `MINUTEHAND_SCALE` names another number. */
const SCHEDULES = Number(process.env['MINUTEHAND_SCALE'] ?? 10_000);

function worldOf(schedules: number): ScaleWorld {
  const slot = instant((Math.floor(Date.now() / 1000 / HOUR) + 12) * HOUR);
  return { schedules, runsEach: 10, namespaces: Math.ceil(schedules / 100), due: schedules / 10, slot };
}

/** As a tick in a cluster has it: a token, and the rights of its role. */
async function accountOf(server: ApiServer): Promise<string> {
  const path = '/api/v1/namespaces/default/serviceaccounts';
  await must(server, 'POST', path, { metadata: { name: ACCOUNT } });
  const applied = await server.kubectl(['apply', '-f', RBAC]);
  if (applied.code !== 0) throw new Error(applied.stderr);
  await must(server, 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: ACCOUNT },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'minutehand-reconcile' },
    subjects: [{ kind: 'ServiceAccount', name: ACCOUNT, namespace: 'default' }],
  });
  return server.kubeconfigFor(await server.tokenFor('default', ACCOUNT));
}

async function tick(kubeconfig: string, now: Instant, more: readonly string[] = []): Promise<Ended> {
  const argv = ['reconcile', '--kubeconfig', kubeconfig, '--now', formatInstant(now), ...more];
  const ended = await runChild(process.execPath, [BUNDLE, ...argv]);
  if (ended.code !== 0)
    throw new Error(`a tick ended with ${ended.code}: ${ended.stderr}\n${ended.stdout.slice(-2000)}`);
  return ended;
}

function sweptAt(world: ScaleWorld, now: Instant): number {
  return Array.from({ length: world.namespaces }, (_, index) => namespaceOf(index, world)).filter((name) =>
    isSwept(name, now),
  ).length;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

/** Idle ticks and raw downloads in turn, each tick in the next minute. */
async function idle(
  server: ApiServer,
  kubeconfig: string,
  world: ScaleWorld,
): Promise<readonly Measurement[]> {
  const kubectl = readAssets().path('kubectl');
  const path = resourcePath(POLICY, { namespace: '' });
  const download: number[] = [];
  const ticks: number[] = [];
  let peak = 0;
  let swept = 0;
  const from = instant(world.slot - HOUR / 2);
  await tick(kubeconfig, from);
  const since = Date.now();
  for (let run = 1; run <= RUNS; run++) {
    const raw = await runChild(kubectl, ['get', '--raw', path, '--kubeconfig', kubeconfig], false);
    download.push(raw.milliseconds);
    const now = instant(from + run * 60);
    const ended = await tick(kubeconfig, now);
    ticks.push(ended.milliseconds);
    peak = Math.max(peak, ended.peakBytes);
    swept += sweptAt(world, now);
  }
  const traffic = await trafficSince(server, 'minutehand', since, DEFRAG.plural);
  const scenario = `${world.schedules} schedules, ${world.schedules * world.runsEach} runs over, nothing due`;
  const items = world.schedules;
  const note = `peak ${megabytes(peak)}, ${traffic.lists / RUNS} lists a tick, ${swept / RUNS} of ${world.namespaces} namespaces swept`;
  return [
    { scenario, subject: 'kubectl get --raw of the schedules', runs: download, items },
    { scenario, subject: 'tick', runs: ticks, items, note },
  ];
}

function told({ lists, creates, statuses, events, others, throttled, runsPerSecond }: Traffic): string {
  const each = ((creates + statuses + events + others) / creates).toFixed(2);
  return `${each} requests a run, ${lists} lists, ${runsPerSecond.toFixed(0)} runs/s, ${throttled} times 429`;
}

async function due(
  server: ApiServer,
  kubeconfig: string,
  world: ScaleWorld,
): Promise<readonly Measurement[]> {
  const scenario = `${world.due} of ${world.schedules} schedules due`;
  const one = async (subject: string, now: Instant, more: readonly string[]): Promise<Measurement> => {
    const since = Date.now();
    const ended = await tick(kubeconfig, now, more);
    const traffic = await trafficSince(server, 'minutehand', since, DEFRAG.plural);
    const note = `${told(traffic)}, peak ${megabytes(ended.peakBytes)}`;
    return { scenario, subject, runs: [ended.milliseconds], items: traffic.creates, note };
  };
  return [
    await one('tick', instant(world.slot + 10), []),
    await one('tick --events=off', instant(world.slot + HOUR + 10), ['--events=off']),
  ];
}

/** What a tick costs on a real API server, and how little of that is history. */
export const scaleSection: Section = {
  name: 'scale',
  run: async (say) => {
    const reason = missingReason(readAssets());
    if (reason !== undefined) {
      say(`left out, since ${reason}: run npm run cluster:setup`);
      return [];
    }
    const world = worldOf(SCHEDULES);
    const server = await startApiServer();
    try {
      await populate(server, world, say);
      const kubeconfig = await accountOf(server);
      say('the first tick writes the status of every schedule');
      return [...(await idle(server, kubeconfig, world)), ...(await due(server, kubeconfig, world))];
    } finally {
      await server.stop();
    }
  },
};
