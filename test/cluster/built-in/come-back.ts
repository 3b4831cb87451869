import { setTimeout as sleep } from 'node:timers/promises';
import { JOB } from '#api/resources.ts';
import type { ChangeSetDocument } from '#core/change/document.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { MERGE, must, pathOf, remove } from '#test/cluster/world/api.ts';
import { APART, LOST_BY_ESTIMATE, NAMESPACE, WITHIN_THE_GRACE } from './cron-jobs.ts';
import { endJobs } from './end-pods.ts';
import { type Job, listJobs, type Start, startOf } from './jobs.ts';
import { foretoldStarts, plan, reconcile, startsOf, type Tick } from './minutehand.ts';
import { minuteAfter, now, type Sides, settled, sleepUntil } from './minutes.ts';
import { CRON_JOB_CONTROLLER } from './worlds.ts';

/** Seconds until the next slot that the look, the start of the controller and its first pass have to themselves. */
const ROOM = 35;

/** What happens to the CronJobs while nobody looks after them. */
export const ENDED = 'forbid-running';
export const DELETED = 'forbid-suspended-job';
export const RESUMED = 'suspended';
export const RESCHEDULED = 'later';

export interface ComeBack {
  /** The first slot that was not due yet, in seconds since the epoch. */
  readonly next: number;
  readonly plan: ChangeSetDocument;
  readonly foretold: readonly Start[];
  readonly theirs: readonly Start[];
  readonly tick: Tick;
  readonly ours: readonly Start[];
  /** Of the CronJobs that are known to be treated otherwise. */
  readonly apart: { readonly theirs: readonly Job[]; readonly ours: readonly Job[] };
}

async function change(server: ApiServer, namespace: string, name: string, spec: object): Promise<void> {
  await must(server, 'PATCH', pathOf({ type: CRON_JOB, namespace, name }), { spec }, MERGE);
}

function isOf(cronJob: string): (job: Job) => boolean {
  return (job) => job.metadata.ownerReferences?.[0]?.name === cronJob;
}

/** The Job of one CronJob ends, that of another is deleted, one is resumed, one gets another schedule. */
async function meanwhile(server: ApiServer): Promise<void> {
  await endJobs(server, NAMESPACE, isOf(ENDED));
  for (const { metadata } of (await listJobs(server, NAMESPACE)).filter(isOf(DELETED))) {
    await remove(server, { type: JOB, namespace: NAMESPACE, name: metadata.name });
  }
  await change(server, NAMESPACE, RESUMED, { suspend: false });
  await change(server, NAMESPACE, RESCHEDULED, { schedule: '* * * * *' });
  for (const name of [LOST_BY_ESTIMATE, WITHIN_THE_GRACE])
    await change(server, APART, name, { suspend: false });
  await settled(server);
}

/** Once as many Jobs are there as were foretold, or should have been for long. */
async function awaitJobs(server: ApiServer, known: ReadonlySet<string>, count: number): Promise<void> {
  for (const end = now() + 25; now() < end; await sleep(200)) {
    if ((await newJobs(server, known)).length >= count) break;
  }
  await settled(server);
}

async function newJobs(server: ApiServer, known: ReadonlySet<string>): Promise<readonly Job[]> {
  return (await listJobs(server, NAMESPACE)).filter(({ metadata }) => !known.has(metadata.uid));
}

/** The controller was off, and starts again; what it owes is foretold just before. On the other side a tick follows. */
export async function comeBack({ theirs, ours, config }: Sides): Promise<ComeBack> {
  await Promise.all([theirs, ours].map(meanwhile));
  const next = minuteAfter(ROOM);
  await sleepUntil(next - 60 + 2);
  const known = new Set((await listJobs(theirs, NAMESPACE)).map(({ metadata }) => metadata.uid));
  const foretold = await plan(theirs.kubeconfig);
  const starts = foretoldStarts(foretold, NAMESPACE);
  const controller = await theirs.controllerManager(CRON_JOB_CONTROLLER);
  const [tick] = await Promise.all([
    reconcile(ours.kubeconfig, '--config', config),
    awaitJobs(theirs, known, starts.length),
  ]);
  await controller.stop('SIGKILL');
  return {
    next,
    plan: foretold,
    foretold: starts,
    theirs: (await newJobs(theirs, known)).map(startOf),
    tick,
    ours: startsOf(tick, NAMESPACE),
    apart: { theirs: await listJobs(theirs, APART), ours: await listJobs(ours, APART) },
  };
}
