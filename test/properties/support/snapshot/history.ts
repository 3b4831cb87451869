import type { Reading } from '#cli/tick.ts';
import type { JsonObject } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Store } from '#store/port.ts';
import { type Attempt, attempt } from '#test/properties/support/attempt.ts';
import { checkBothReadings, isLeftOut } from '#test/properties/support/both-readings.ts';
import type { Asked, Fault, Write } from '#test/properties/support/faulty-store.ts';
import { demand } from '#test/properties/support/ledger.ts';
import { takeSteps } from '#test/properties/support/take-steps.ts';
import { foresee, runTick, SETTINGS } from '#test/properties/support/tick.ts';
import { unreadable } from '#test/properties/support/unreadable.ts';
import { isWriteTrouble, writeFault } from '#test/properties/support/write-trouble.ts';
import type { Beginning } from './arbitraries.ts';
import { checkCleanTick, checkDisturbedScores } from './clean.ts';
import { advance, authorsOf, type Cluster, dateCreated, newCluster } from './cluster.ts';
import { checkWrites, isBlurred, type Ledger, newLedger, noteTimings, remember } from './ledger.ts';
import { admit, letTimePass } from './operator.ts';
import { endRun, perform } from './perform.ts';
import type { TickRecord } from './record.ts';
import { ownerOf } from './scene.ts';
import type { Step, Trouble } from './step.ts';

/** Grace as in the cluster, and what policies keep is decided here. */
export const MANAGING = { ...SETTINGS, retention: { 'snapshot-policy': 'manage' } } as const;

/** @returns whether somebody acted just before the write */
function meddle(cluster: Cluster, trouble: Trouble, write: Asked, index: number): boolean {
  if (isWriteTrouble(trouble)) return false;
  switch (trouble.trouble) {
    case 'meddle':
      if (index !== trouble.write) return false;
      perform(cluster, trouble.act);
      return true;
    case 'raceEnd':
      return (write.verb === 'delete' || write.verb === 'annotate') && endRun(cluster, write.key.name);
    case 'unread':
      return false;
  }
}

function faultFor(trouble: Trouble, write: Asked, index: number): Fault | undefined {
  return isWriteTrouble(trouble)
    ? writeFault(trouble, write, index, write.verb === 'create' && write.type.kind === 'Snapshot')
    : undefined;
}

/** What stands between the tick and the cluster, for a test of the tests. */
export type Tamper = (store: Store) => Store;

/** How a history is lived. */
interface Life {
  readonly tamper: Tamper;
  readonly reading: Reading;
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
    (faulty) => runTick(faulty, cluster.now, MANAGING, life.reading),
  );
  return { ...attempted, disturbed: attempted.disturbed || unread };
}

/** The same objects, the other way round. */
function reversed(store: Store): Store {
  return {
    ...store,
    list: async (type, narrowing) => {
      const listing = await store.list(type, narrowing);
      return listing.state === 'read' ? { ...listing, objects: [...listing.objects].reverse() } : listing;
    },
  };
}

async function foreseenReversed(cluster: Cluster, dice: number): Promise<string | undefined> {
  if (dice % 4 !== 0) return undefined;
  return JSON.stringify((await foresee(reversed(cluster.store), cluster.now, MANAGING)).changeSet);
}

function changedFields(before: JsonObject, after: JsonObject): string {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  const shown = changed.map(
    (field) => `${field} ${JSON.stringify(before[field])} to ${JSON.stringify(after[field])}`,
  );
  return `: ${shown.join(', ')}`;
}

/**
 * Decided again, nothing is left. Only a schedule that waited for a run or a name of somebody else may go on at once
 * when that run was deleted in this very tick, and one that is not born yet, by a clock that was set back, or whose
 * timing is blurred, may settle in two ticks.
 */
async function checkIdle(
  { store, now }: Cluster,
  ledger: Ledger,
  writes: readonly Write[],
  reading: Reading,
): Promise<void> {
  const { changeSet } = await foresee(store, now, MANAGING, reading);
  const deleted = writes.flatMap(({ verb, live }) => (verb === 'delete' && live !== undefined ? [live] : []));
  const born = new Set(
    store
      .objects()
      .flatMap(({ metadata: { uid, creationTimestamp } }) =>
        Date.parse(creationTimestamp ?? '') / 1000 > now ? [] : [uid],
      ),
  );
  const settled = changeSet.schedules.filter(
    ({ uid }) => born.has(uid) && !isBlurred(ledger, uid) && deleted.every((run) => ownerOf(run) === uid),
  );
  const [left] = [...settled, ...changeSet.retention].flatMap(({ changes }) => [...changes]);
  const fields = left?.verb === 'apply' ? changedFields(left.before, left.fields) : '';
  demand(left === undefined, `an idle tick would ${left?.verb} ${left?.key.kind} ${left?.key.name}${fields}`);
}

/** What happens before the tick of a step. */
export function prepare(cluster: Cluster, { advance: seconds, dice, acts }: Step): void {
  advance(cluster, seconds);
  letTimePass(cluster, dice);
  for (const act of acts) perform(cluster, act);
}

/** What the store of the tests does not do for new objects. */
function receive(cluster: Cluster, writes: readonly Write[], dice: number): void {
  for (const { verb, result, key } of writes) {
    if (verb !== 'create' || result !== 'done') continue;
    dateCreated(cluster, key);
    if (key.kind === 'Snapshot') admit(cluster, key.name, dice);
  }
}

/** One step that nobody watches. */
export async function pass(cluster: Cluster, step: Step): Promise<void> {
  prepare(cluster, step);
  const { faulty } = await attemptStep(cluster, step.trouble, { tamper: (store) => store, reading: 'whole' });
  receive(cluster, faulty.writes, step.dice);
}

async function takeStep(cluster: Cluster, ledger: Ledger, step: Step, life: Life): Promise<void> {
  prepare(cluster, step);
  const { store } = cluster;
  const { trouble } = step;
  const unread = trouble.trouble === 'unread' ? trouble.kind : undefined;
  const authors = { ...authorsOf(cluster), unread };
  const before = store.objects();
  const { reading } = life;
  const isPlain = trouble.trouble === 'none' && reading === 'whole';
  const other = isPlain ? await foreseenReversed(cluster, step.dice) : undefined;
  const needed = reading === 'needed' ? await checkBothReadings(store, cluster.now, MANAGING) : undefined;
  const leavesOut = needed?.reconciliation.changeSet.schedules.some((one) => isLeftOut(needed.observed, one));
  const { tick, faulty, disturbed } = await attemptStep(cluster, trouble, life);
  const { writes } = faulty;
  const record: TickRecord = { now: cluster.now, authors, before, after: store.objects(), writes };
  if (other !== undefined && tick !== undefined)
    demand(other === JSON.stringify(tick.changeSet), 'the order of the input changed something');
  noteTimings(record, ledger);
  checkWrites(record, ledger);
  // All live in one namespace: what waits for a sweep waits for all of them.
  if (leavesOut === true)
    demand(!writes.some(({ type }) => type.kind !== 'Event'), 'a write without its runs');
  else if (disturbed || tick === undefined) checkDisturbedScores(record, ledger);
  else {
    checkCleanTick(record, ledger, tick.changeSet, tick.report);
    await checkIdle(cluster, ledger, writes, reading);
  }
  remember(record, ledger);
  receive(cluster, writes, step.dice);
}

/** Lives through a history; throws at the first tick that breaks a promise, with its number. */
export async function live(
  beginning: Beginning,
  start: Instant,
  steps: readonly Step[],
  tamper: Tamper = (store) => store,
  reading: Reading = 'whole',
): Promise<{ readonly runs: number }> {
  const cluster = newCluster(beginning, start);
  const ledger = newLedger();
  await takeSteps(
    steps,
    (step) => takeStep(cluster, ledger, step, { tamper, reading }),
    () => cluster.now,
  );
  return { runs: [...ledger.made.values()].flat().length };
}
