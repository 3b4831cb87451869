import type { Reading } from '#cli/tick.ts';
import type { Instant } from '#core/time/instant.ts';
import type { FailureKind, Store } from '#store/port.ts';
import { checkBothReadings, isLeftOut } from './both-readings.ts';
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
import { type Asked, Crash, type Fault, type FaultyStore, faultyStore, type Write } from './faulty-store.ts';
import { checkProofs, checkWrites, type Ledger, newLedger, type TickRecord } from './ledger.ts';
import type { Step, Trouble } from './step.ts';
import { takeSteps } from './take-steps.ts';
import { foresee, type Read, runTick, SETTINGS, type Tick } from './tick.ts';
import type { Timetable } from './timetable.ts';

/** What a store answers to the second try of a request whose first answer was lost. */
const RETRIED: Readonly<Record<Write['verb'], FailureKind>> = {
  create: 'exists',
  apply: 'conflict',
  annotate: 'conflict',
  release: 'conflict',
  spec: 'conflict',
  delete: 'gone',
};

function isRunCreate({ verb, type }: Asked): boolean {
  return verb === 'create' && type.kind !== 'Event';
}

/** @returns whether somebody acted just before the write */
function meddle(cluster: Cluster, trouble: Trouble, write: Asked, index: number): boolean {
  switch (trouble.trouble) {
    case 'meddle':
      if (index !== trouble.write) return false;
      perform(cluster, trouble.act);
      return true;
    case 'raceCreate':
      return isRunCreate(write) && takeName(cluster, write, trouble.owner);
    case 'raceEnd':
      return write.verb === 'delete' && endRun(cluster, write.key);
    case 'none':
    case 'crash':
    case 'lostReply':
    case 'refuse':
    case 'noCreates':
    case 'noStatus':
      return false;
  }
}

function faultFor(trouble: Trouble, write: Asked, index: number): Fault | undefined {
  const isRun = isRunCreate(write);
  switch (trouble.trouble) {
    case 'none':
    case 'meddle':
    case 'raceCreate':
    case 'raceEnd':
      return undefined;
    case 'crash':
      return index === trouble.write ? { state: trouble.done ? 'crash' : 'crashBefore' } : undefined;
    case 'lostReply': {
      const kind = trouble.retried ? RETRIED[write.verb] : 'transient';
      return index === trouble.write ? { state: 'loseReply', kind } : undefined;
    }
    case 'refuse':
      return index === trouble.write ? { state: 'refuse', kind: trouble.kind } : undefined;
    case 'noCreates':
      return isRun ? { state: 'refuse', kind: trouble.kind } : undefined;
    case 'noStatus':
      return write.verb === 'apply' ? { state: 'refuse', kind: trouble.kind } : undefined;
  }
}

interface Attempt {
  readonly tick: Tick | undefined;
  readonly faulty: FaultyStore;
  /** Something did go wrong, or somebody else acted in the middle. */
  readonly disturbed: boolean;
}

/** What stands between the tick and the cluster, for a test of the tests. */
export type Tamper = (store: Store) => Store;

async function attempt(cluster: Cluster, trouble: Trouble, { tamper, reading }: Life): Promise<Attempt> {
  let disturbed = false;
  const faulty = faultyStore(tamper(cluster.store), async (write, index) => {
    const fault = faultFor(trouble, write, index);
    if (meddle(cluster, trouble, write, index)) disturbed = true;
    if (fault !== undefined) disturbed = true;
    return fault;
  });
  try {
    const tick = await runTick(faulty, cluster.now, SETTINGS, reading);
    return { tick, faulty, disturbed };
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    return { tick: undefined, faulty, disturbed };
  }
}

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
  const { tick, faulty, disturbed } = await attempt(cluster, step.trouble, life);
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
  checkCleanTick(record, tick.changeSet, tick.report, leftOutOf(needed));
  const again = await foresee(store, cluster.now, SETTINGS, life.reading);
  const left = again.changeSet.schedules.flatMap(({ changes }) => changes);
  if (left.length > 0) throw new Error(`an idle tick would ${left[0]?.verb} ${left[0]?.key.name}`);
}

/** The schedules whose runs were not read, by their uid. */
function leftOutOf(needed: Read | undefined): ReadonlySet<string> {
  if (needed === undefined) return new Set();
  const { observed, reconciliation } = needed;
  const left = reconciliation.changeSet.schedules.filter((one) => isLeftOut(observed, one));
  return new Set(left.map(({ uid }) => uid));
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
