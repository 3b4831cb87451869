import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isSwept } from '#core/sweep.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { DEFRAG, POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { resourcePath } from '#store/cluster/resource-path.ts';
import { makeAccount } from '#test/cluster/roles/accounts.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { missingReason, readAssets } from '#test/cluster/support/assets.ts';
import { mustKubectl, POLICIES } from '#test/cluster/support/install-policies.ts';
import { startTick, type Usage } from '#test/cluster/support/tick-process.ts';
import { type SentRequests, sentTo } from '#test/cluster/world/sent.ts';
import { readBare } from './bare-reader.ts';
import { namespaceOf, populate, type ScaleWorld } from './scale-world.ts';
import { BUNDLE, type Measurement, type Section } from './section.ts';
import { type Traffic, trafficOf } from './traffic.ts';
import { withServer } from './with-server.ts';

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
  const name = 'minutehand-reconcile';
  await mustKubectl(server, ['apply', '--server-side', '-k', join(POLICIES, 'rbac')]);
  return (await makeAccount(server, { namespace: 'ticks', name, roles: [name] })).kubeconfig;
}

interface Took extends Usage {
  readonly milliseconds: number;
}

async function tick(kubeconfig: string, now: Instant, more: readonly string[] = []): Promise<Took> {
  const ended = await startTick({ bundle: BUNDLE, kubeconfig }, now, more).ended;
  const { code, milliseconds, usage, stdout, stderr } = ended;
  if (code !== 0 || usage === undefined)
    throw new Error(`a tick ended with ${code}: ${stderr}\n${stdout.slice(-2000)}`);
  return { milliseconds, ...usage };
}

/** Milliseconds that it takes to get a list by kubectl. */
function download(kubeconfig: string, path: string): number {
  const args = ['get', '--raw', path, '--kubeconfig', kubeconfig];
  const start = performance.now();
  const { status, stderr } = spawnSync(readAssets().path('kubectl'), args, {
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (status !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - start;
}

function sweptAt(world: ScaleWorld, now: Instant): number {
  return Array.from({ length: world.namespaces }, (_, index) => namespaceOf(index, world)).filter((name) =>
    isSwept(name, now),
  ).length;
}

/** Idle ticks, bare readers and raw downloads in turn, each tick in the next minute. */
async function idle(
  server: ApiServer,
  sent: SentRequests,
  kubeconfig: string,
  world: ScaleWorld,
): Promise<readonly Measurement[]> {
  const path = resourcePath(POLICY, { namespace: '' });
  const downloads: number[] = [];
  const bare: number[] = [];
  const ticks: number[] = [];
  let peak = 0;
  let swept = 0;
  const from = instant(world.slot - HOUR / 2);
  await tick(kubeconfig, from);
  await sent.next();
  for (let run = 1; run <= RUNS; run++) {
    downloads.push(download(kubeconfig, path));
    const read = readBare(server, path);
    if (read.items !== world.schedules) throw new Error(`a bare reader saw ${read.items} schedules`);
    bare.push(read.milliseconds);
    const now = instant(from + run * 60);
    const ended = await tick(kubeconfig, now);
    ticks.push(ended.milliseconds);
    peak = Math.max(peak, ended.peak);
    swept += sweptAt(world, now);
  }
  const traffic = trafficOf(await sent.next(), DEFRAG);
  const scenario = `${world.schedules} schedules, ${world.schedules * world.runsEach} runs over, nothing due`;
  const items = world.schedules;
  const note = `peak ${peak.toFixed(0)} MB, ${traffic.lists / RUNS} lists a tick, ${swept / RUNS} of ${world.namespaces} namespaces swept`;
  return [
    { scenario, subject: 'kubectl get --raw of the schedules', runs: downloads, items },
    { scenario, subject: 'the pages of a tick read and parsed, and nothing else', runs: bare, items },
    { scenario, subject: 'tick', runs: ticks, items, note },
  ];
}

function told({ lists, creates, statuses, events, others, throttled, runsPerSecond }: Traffic): string {
  const each = ((creates + statuses + events + others) / creates).toFixed(2);
  return `${each} requests a run, ${lists} lists, ${runsPerSecond.toFixed(0)} runs/s, ${throttled} times 429`;
}

async function due(
  sent: SentRequests,
  kubeconfig: string,
  world: ScaleWorld,
): Promise<readonly Measurement[]> {
  const scenario = `${world.due} of ${world.schedules} schedules due`;
  const one = async (subject: string, now: Instant, more: readonly string[]): Promise<Measurement> => {
    await sent.next();
    const ended = await tick(kubeconfig, now, more);
    const traffic = trafficOf(await sent.next(), DEFRAG);
    const note = `${told(traffic)}, peak ${ended.peak.toFixed(0)} MB`;
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
    return withServer(async (server) => {
      await populate(server, world, say);
      const kubeconfig = await accountOf(server);
      const sent = sentTo(server);
      say('the first tick writes the status of every schedule');
      return [...(await idle(server, sent, kubeconfig, world)), ...(await due(sent, kubeconfig, world))];
    });
  },
};
