import type { Reading } from '#cli/tick.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Store } from '#store/port.ts';
import { attempt } from './attempt.ts';
import { checkBothReadings, uidsLeftOut } from './both-readings.ts';
import { checkCleanTick, checkStrangers } from './clean-tick.ts';
import {
  advance,
  type Cluster,
  dateCreated,
  endRun,
  letTimePass,
  newCluster,
  perform,
  takeName,
} from './cluster.ts';
import type { Asked, Fault } from './faulty-store.ts';
import { checkProofs, checkWrites, type Ledger, newLedger, type TickRecord } from './ledger.ts';
import type { Step, Trouble } from './step.ts';
import { takeSteps } from './take-steps.ts';
import { foresee, runTick, SETTINGS } from './tick.ts';
import type { Timetable } from './timetable.ts';
import { isRunCreate, isWriteTrouble, writeFault } from './write-trouble.ts';

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
    case 'raceEnd':
      return write.verb === 'delete' && endRun(cluster, write.key);
  }
}

function faultFor(trouble: Trouble, write: Asked, index: number): Fault | undefined {
  return isWriteTrouble(trouble) ? writeFault(trouble, write, index, isRunCreate(write)) : undefined;
}

/** What stands between the tick and the cluster, for a test of the tests. */
export type Tamper = (store: Store) => Store;

/** How a history is lived. */
interface Life {
  readonly tamper: Tamper;
  readonly reading: Reading;
}

async function takeStep(cluster: Cluster, ledger: Ledger, step: Step, life: Life): Promise<void> {
  advance(cluster, step.advance);
  const { store } = cluster;
  letTimePass(cluster, step.dice);
  for (const act of step.acts) perform(cluster, act);
  const timetables = new Map(cluster.timetables);
  const before = store.objects();
  const needed =
    life.reading === 'needed' ? await checkBothReadings(store, cluster.now, SETTINGS) : undefined;
  const { tick, faulty, disturbed } = await attempt(
    life.tamper(store),
    {
      meddle: (write, index) => meddle(cluster, step.trouble, write, index),
      faultFor: (write, index) => faultFor(step.trouble, write, index),
    },
    (faultyOne) => runTick(faultyOne, cluster.now, SETTINGS, life.reading),
  );
  const after = store.objects();
  const record: TickRecord = {
    now: cluster.now,
    timetables,
    before,
    after,
    writes: faulty.writes,
  };
  checkWrites(record, ledger);
  checkProofs(record);
  for (const { verb, result, key } of faulty.writes) {
    if (verb === 'create' && result === 'done') dateCreated(cluster, key);
  }
  if (disturbed || tick === undefined) return;
  checkStrangers(record);
  checkCleanTick(record, tick.changeSet, tick.report, uidsLeftOut(needed));
  const again = await foresee(store, cluster.now, SETTINGS, life.reading);
  const left = again.changeSet.schedules.flatMap(({ changes }) => changes);
  if (left.length > 0) throw new Error(`an idle tick would ${left[0]?.verb} ${left[0]?.key.name}`);
}

/** Lives through a history; throws at the first tick that breaks a promise, with its number. */
export async function live(
  timetables: readonly Timetable[],
  start: Instant,
  steps: readonly Step[],
  tamper: Tamper = (store) => store,
  reading: Reading = 'whole',
): Promise<{ readonly runs: number }> {
  const cluster = newCluster(timetables, start);
  const ledger = newLedger();
  await takeSteps(
    steps,
    (step) => takeStep(cluster, ledger, step, { tamper, reading }),
    () => cluster.now,
  );
  return { runs: [...ledger.made.values()].flat().length };
}
