import type { Reading } from '#cli/tick.ts';
import type { Settings } from '#core/kind.ts';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Store } from '#store/port.ts';
import { type Attempt, attempt } from '#test/properties/support/attempt.ts';
import { checkBothReadings, uidsLeftOut } from '#test/properties/support/both-readings.ts';
import { checkCleanTick, checkStrangers } from '#test/properties/support/clean-tick.ts';
import {
  advance,
  controllerUid,
  dateCreated,
  endRun,
  isEnded,
  letTimePass,
  takeName,
} from '#test/properties/support/cluster.ts';
import type { Asked, Fault } from '#test/properties/support/faulty-store.ts';
import {
  checkProofs,
  checkWrites,
  demand,
  type Ledger,
  newLedger,
  type TickRecord,
} from '#test/properties/support/ledger.ts';
import { takeSteps } from '#test/properties/support/take-steps.ts';
import { foresee, runTick, SETTINGS } from '#test/properties/support/tick.ts';
import { unreadable } from '#test/properties/support/unreadable.ts';
import { isRunCreate, isWriteTrouble, writeFault } from '#test/properties/support/write-trouble.ts';
import { checkOrders, checkOrdersIdle } from './clean.ts';
import { authorsOf, type Beginning, type Cluster, clearAway, isOrder, newCluster } from './cluster.ts';
import {
  checkOrderWrites,
  isForOrder,
  newOrderLedger,
  type OrderLedger,
  type OrderRecord,
} from './ledger.ts';
import { perform } from './perform.ts';
import type { Step, Trouble } from './step.ts';

/** @returns whether somebody acted just before the write */
function meddle(cluster: Cluster, trouble: Trouble, write: Asked, index: number): boolean {
  if (isWriteTrouble(trouble)) return false;
  switch (trouble.trouble) {
    case 'meddle':
      if (index !== trouble.write) return false;
      perform(cluster, trouble.act);
      return true;
    case 'raceCreate':
      return isRunCreate(write) && takeName(cluster, write, trouble.owner);
    case 'unread':
      return false;
  }
}

function faultFor(trouble: Trouble, write: Asked, index: number): Fault | undefined {
  return isWriteTrouble(trouble) ? writeFault(trouble, write, index, isRunCreate(write)) : undefined;
}

/** What stands between the tick and the cluster, for a test of the tests. */
export type Tamper = (store: Store) => Store;

/** How a history is lived. */
interface Life {
  readonly settings: Settings;
  readonly tamper: Tamper;
  readonly reading: Reading;
}

interface Ledgers {
  readonly runs: Ledger;
  readonly orders: OrderLedger;
}

async function attemptStep(cluster: Cluster, trouble: Trouble, life: Life): Promise<Attempt> {
  const store = life.tamper(cluster.store);
  const unread = trouble.trouble === 'unread';
  const attempted = await attempt(
    unread ? unreadable(store, trouble.kind) : store,
    {
      meddle: (write, index) => meddle(cluster, trouble, write, index),
      faultFor: (write, index) => faultFor(trouble, write, index),
    },
    (faulty) => runTick(faulty, cluster.now, life.settings, life.reading),
  );
  return { ...attempted, disturbed: attempted.disturbed || unread };
}

function prepare(cluster: Cluster, { advance: seconds, dice, acts }: Step): void {
  advance(cluster, seconds);
  letTimePass(cluster, dice);
  clearAway(cluster, dice);
  for (const act of acts) perform(cluster, act);
}

/** Orders are carried out whoever made them; the Job of one that is freed goes with it. */
function isStranger(object: KubeObject, { after, before }: OrderRecord): boolean {
  const owner = controllerUid(object);
  const isOwner = ({ metadata }: KubeObject): boolean => metadata.uid === owner;
  const isFreed = owner !== undefined && before.some(isOwner) && !after.some(isOwner);
  return object.kind !== 'BackupJob' && !isFreed;
}

async function takeStep(cluster: Cluster, ledgers: Ledgers, step: Step, life: Life): Promise<void> {
  prepare(cluster, step);
  await tickOnce(cluster, ledgers, step.trouble, life);
}

async function tickOnce(cluster: Cluster, ledgers: Ledgers, trouble: Trouble, life: Life): Promise<void> {
  const { store, now } = cluster;
  const timetables = new Map(cluster.timetables);
  const authors = authorsOf(cluster);
  const before = store.objects();
  const needed = life.reading === 'needed' ? await checkBothReadings(store, now, life.settings) : undefined;
  const { tick, faulty, disturbed } = await attemptStep(cluster, trouble, life);
  const base = { now, timetables, before, after: store.objects() };
  const record: TickRecord = { ...base, writes: faulty.writes.filter((write) => !isForOrder(write)) };
  const orders: OrderRecord = { ...base, authors, writes: faulty.writes.filter(isForOrder) };
  checkWrites(record, ledgers.runs);
  checkProofs(record);
  checkOrderWrites(orders, ledgers.orders);
  for (const { verb, result, key } of faulty.writes) {
    if (verb === 'create' && result === 'done') dateCreated(cluster, key);
  }
  if (disturbed || tick === undefined) return;
  checkStrangers({ ...record, before: before.filter((one) => isStranger(one, orders)) });
  const leftOut = uidsLeftOut(needed);
  checkCleanTick(record, tick.changeSet, tick.report, leftOut);
  checkOrders(orders, tick.changeSet);
  const { changeSet } = await foresee(store, now, life.settings, life.reading);
  // The Jobs of a namespace are read from the moment on at which it has an open order.
  const read = changeSet.schedules.filter(({ uid }) => !leftOut.has(uid));
  const [left] = read.flatMap(({ changes }) => changes);
  demand(left === undefined, `an idle tick would ${left?.verb} ${left?.key.name}`);
  checkOrdersIdle(orders, changeSet);
}

/** Ticks of a sweep that gets to every namespace. */
const SWEEP = 61;

/** More runs by hand than any history keeps. */
const SURPLUS = 6;

/** All that runs ends, and nothing is asked for any more: from then on only a sweep looks at most runs. */
function settleDown(cluster: Cluster): void {
  for (let schedule = 0; schedule < cluster.timetables.size; schedule++) {
    for (let run = 0; run < SURPLUS; run++)
      perform(cluster, { act: 'other', other: { act: 'runByHand', schedule } });
  }
  for (const object of cluster.store.objects()) {
    if (object.kind === 'Job') endRun(cluster, keyOf(object));
    if (isOrder(object) && !isEnded(object)) cluster.store.remove(keyOf(object));
  }
}

/** Nobody does anything for the time of a sweep: then reading everything finds nothing more. */
async function rest(cluster: Cluster, ledgers: Ledgers, life: Life): Promise<void> {
  settleDown(cluster);
  for (let tick = 0; tick < SWEEP; tick++) {
    advance(cluster, 60);
    await runTick(cluster.store, cluster.now, life.settings, life.reading);
  }
  advance(cluster, 1);
  await tickOnce(cluster, ledgers, { trouble: 'none' }, life);
  const { changeSet } = await foresee(cluster.store, cluster.now, life.settings, 'whole');
  // A time to live that ran out behind the sweep waits for the next one, with its event.
  const [left] = changeSet.schedules
    .flatMap(({ changes }) => changes)
    .filter((change) => change.verb !== 'event')
    .filter((change) => change.verb !== 'delete' || change.reason !== 'TimeToLive');
  demand(left === undefined, `a sweep later one would still ${left?.verb} ${left?.key.name}`);
}

export interface Lived {
  readonly runs: number;
  readonly orders: OrderLedger;
}

/** A history in which a deadline for Plans may be configured, and how many of them end with a rest. */
export interface OrderHistory {
  readonly beginning: Beginning;
  readonly deadline: number | undefined;
  readonly start: Instant;
  readonly steps: readonly Step[];
  readonly rests: boolean;
}

/** Lives through a history; throws at the first tick that breaks a promise, with its number. */
export async function live(
  { beginning, deadline, start, steps, rests }: OrderHistory,
  reading: Reading,
  tamper: Tamper = (store) => store,
): Promise<Lived> {
  const settings =
    deadline === undefined ? SETTINGS : { ...SETTINGS, deadlines: { 'backup-plan': deadline } };
  const timetables = beginning.timetables.map((one) => (one.kind === 'Plan' ? { ...one, deadline } : one));
  const cluster = newCluster({ ...beginning, timetables }, start);
  const ledgers = { runs: newLedger(), orders: newOrderLedger() };
  const life = { settings, tamper, reading };
  await takeSteps(
    steps,
    (step) => takeStep(cluster, ledgers, step, life),
    () => cluster.now,
  );
  if (rests) await rest(cluster, ledgers, life);
  return { runs: [...ledgers.runs.made.values()].flat().length, orders: ledgers.orders };
}
