import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeSetDocument } from '#core/change/document.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import { until } from '#test/cluster/support/until.ts';
import { NAMESPACE, SHORT_DEADLINE } from './cron-jobs.ts';
import { endJobs, isDueBy } from './end-pods.ts';
import { type Job, listCronJobs, listJobs, slotOf, slotText } from './jobs.ts';
import { foretoldStarts, plan, reconcile, type Tick } from './minutehand.ts';

/** The clock that a plan is given, so many seconds behind the slot that it foretells. */
const LEAD = 3;
/** Just before a slot, in seconds: a plan takes about one, more on a machine that is busy with other things. */
const JUST_BEFORE = 12;
/** Pods end so long after a slot that one which their Job held back is too late where its deadline is short. */
const END = SHORT_DEADLINE + 2;
/** Waited for after a slot; the controller usually acts within a second. */
const DELAY = 20;

/** Minutes that may be added. */
const SPARE = 3;

export interface Sides {
  /** The built-in CronJob controller acts there. */
  readonly theirs: ApiServer;
  /** There a tick of ours does. */
  readonly ours: ApiServer;
  /** The configuration of that tick. */
  readonly config: string;
}

/** What is written down about one slot. */
export interface Minute {
  /** In seconds since the epoch. */
  readonly slot: number;
  readonly plan: ChangeSetDocument;
  /** Whether the plan was there before the slot; if not, the machine was too slow for it to mean anything. */
  readonly isForetold: boolean;
  /** What our own tick did beside the controller, and the versions of all objects before and after it. */
  readonly idle: {
    readonly tick: Tick;
    readonly before: readonly string[];
    readonly after: readonly string[];
  };
  readonly tick: Tick;
  readonly theirJobs: readonly Job[];
  readonly ourJobs: readonly Job[];
}

export function now(): number {
  return Date.now() / 1000;
}

export async function sleepUntil(seconds: number): Promise<void> {
  await sleep(Math.max(0, seconds - now()) * 1000);
}

/** The next full minute that leaves this much time, in seconds. */
export function minuteAfter(room: number): number {
  return Math.ceil((now() + room) / 60) * 60;
}

async function versions(server: ApiServer): Promise<readonly string[]> {
  const objects = [...(await listCronJobs(server, NAMESPACE)), ...(await listJobs(server, NAMESPACE))];
  return objects.map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`).sort();
}

/** The versions once they have stood still for a second: the controllers have seen everything. */
export async function settled(server: ApiServer): Promise<readonly string[]> {
  let last = await versions(server);
  return until('the controllers have come to rest', async () => {
    await sleep(1000);
    const next = await versions(server);
    const isSame = next.join() === last.join();
    last = next;
    return isSame ? next : undefined;
  });
}

/** Each call gives the scheduled Jobs that no call gave before. */
function newJobs(server: ApiServer): () => Promise<readonly Job[]> {
  const seen = new Set<string>();
  return async () => {
    const jobs = await listJobs(server, NAMESPACE);
    const fresh = jobs.filter((job) => slotOf(job) !== undefined && !seen.has(job.metadata.uid));
    for (const { metadata } of fresh) seen.add(metadata.uid);
    return fresh;
  };
}

/** Until the Jobs are there, or should have been for long: what is missing then is found by the tests. */
async function awaitJobs(server: ApiServer, names: readonly string[], upTo: number): Promise<void> {
  while (now() < upTo) {
    const there = new Set((await listJobs(server, NAMESPACE)).map(({ metadata }) => metadata.name));
    if (names.every((name) => there.has(name))) return;
    await sleep(200);
  }
}

interface Watching extends Sides {
  readonly theirNew: () => Promise<readonly Job[]>;
  readonly ourNew: () => Promise<readonly Job[]>;
}

/** A tick of ours on the controller's server, by a clock at which the next slot is due. */
async function idleBeside(server: ApiServer, slot: number): Promise<Minute['idle']> {
  const before = await settled(server);
  const tick = await reconcile(server.kubeconfig, '--now', slotText(slot + 60 + LEAD));
  return { tick, before, after: await versions(server) };
}

/** From some seconds before a slot until its Jobs have ended that were to end. */
async function watchMinute(slot: number, watching: Watching): Promise<Minute> {
  const { theirs, ours, config, theirNew, ourNew } = watching;
  await sleepUntil(slot - JUST_BEFORE);
  const foretold = await plan(theirs.kubeconfig, '--now', slotText(slot + LEAD));
  const isForetold = now() < slot;
  await sleepUntil(slot + 1);
  const names = foretoldStarts(foretold, NAMESPACE).map(({ job }) => job);
  const [tick] = await Promise.all([
    reconcile(ours.kubeconfig, '--config', config),
    awaitJobs(theirs, names, slot + DELAY),
  ]);
  // Before any of them ends and is deleted.
  const theirJobs = [...(await theirNew())];
  const ourJobs = await ourNew();
  await sleepUntil(slot + END);
  await Promise.all([theirs, ours].map((server) => endJobs(server, NAMESPACE, isDueBy(slot))));
  const idle = await idleBeside(theirs, slot);
  // What came late counts too: it was not foretold, or it was not in time.
  theirJobs.push(...(await theirNew()));
  return { slot, plan: foretold, isForetold, idle, tick, theirJobs, ourJobs };
}

/** So many minutes that were foretold in time, one after the other; some more where the machine was too slow. */
export async function watchMinutes(sides: Sides, first: number, count: number): Promise<readonly Minute[]> {
  const watching = { ...sides, theirNew: newJobs(sides.theirs), ourNew: newJobs(sides.ours) };
  const minutes: Minute[] = [];
  for (let slot = first; minutes.length < count + SPARE; slot += 60) {
    minutes.push(await watchMinute(slot, watching));
    const isEnough = minutes.filter(({ isForetold }) => isForetold).length >= count;
    // What follows has some seconds before the next slot is due.
    if (isEnough && now() < slot + 60 - JUST_BEFORE) break;
  }
  return minutes;
}
