import type { Tick } from '#cli/tick.ts';
import type { Change } from '#core/change/change.ts';
import type { ScheduleChanges } from '#core/change/change-set.ts';
import type { Settings } from '#core/kind.ts';
import { keyId } from '#core/object/key.ts';
import { isDeferred, listingOf, type Observed } from '#core/observed.ts';
import type { Instant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import type { Store } from '#store/port.ts';
import { demand } from './ledger.ts';
import { read } from './tick.ts';

/** Whether a tick had no need of the runs of a schedule. */
export function isLeftOut(observed: Observed, { type, key }: Pick<ScheduleChanges, 'type' | 'key'>): boolean {
  const kind = KINDS.find(({ resource }) => resource.kind === type.kind);
  return kind !== undefined && isDeferred(listingOf(observed, kind.run), key.namespace);
}

/** What may wait for a sweep: records of runs, history, time to live, and what is told of them. */
function mayWait(change: Change): boolean {
  return change.verb !== 'create' && !(change.verb === 'delete' && change.reason === 'Replaced');
}

function namesOfEvents({ changes }: ScheduleChanges): ReadonlySet<string> {
  return new Set(changes.flatMap(({ verb, key }) => (verb === 'event' ? [key.name] : [])));
}

/** As text, with no events but these. */
function comparable(schedule: ScheduleChanges, events: ReadonlySet<string> | undefined): string {
  const changes = schedule.changes.filter(
    ({ verb, key }) => verb !== 'event' || events?.has(key.name) !== false,
  );
  return JSON.stringify({ ...schedule, changes });
}

function checkSchedule(whole: ScheduleChanges, needed: ScheduleChanges, leftOut: boolean): void {
  const told = `${whole.key.kind} ${whole.key.namespace}/${whole.key.name}`;
  if (!leftOut) {
    // Whether an event of a slot that fires was told before is found out when it is told.
    const events = whole.changes.some(({ verb }) => verb === 'create') ? namesOfEvents(whole) : undefined;
    const same = comparable(whole, events) === comparable(needed, events);
    demand(same, `${told}: ${JSON.stringify(needed)} where ${JSON.stringify(whole)} is right`);
    return;
  }
  const { verdict } = needed;
  for (const member of ['code', 'slot', 'foreseen'] as const) {
    const same = JSON.stringify(verdict[member]) === JSON.stringify(whole.verdict[member]);
    demand(
      same,
      `${told}: ${member} of ${JSON.stringify(verdict)} where ${JSON.stringify(whole.verdict)} is right`,
    );
  }
  demand(whole.changes.every(mayWait), `${told}: ${JSON.stringify(whole.changes)} was put off`);
  demand(
    needed.changes.every(({ verb }) => verb === 'event'),
    `${told}: ${JSON.stringify(needed.changes)} without its runs`,
  );
}

/**
 * Reads the same store in both ways. Where runs were read, everything is the same; where they were left out, nothing is
 * done, and nothing is missed but what may wait for a sweep.
 * @returns what came of reading only what is needed
 */
export async function checkBothReadings(store: Store, now: Instant, settings: Settings): Promise<Tick> {
  const whole = (await read(store, now, settings, 'whole')).reconciliation.changeSet;
  const needed = await read(store, now, settings, 'needed');
  const { changeSet } = needed.reconciliation;
  demand(whole.schedules.length === changeSet.schedules.length, 'not the same schedules');
  for (const [index, one] of whole.schedules.entries()) {
    const other = changeSet.schedules[index];
    if (other === undefined || keyId(other.key) !== keyId(one.key)) throw new Error('not the same order');
    checkSchedule(one, other, isLeftOut(needed.observed, one));
  }
  demand(JSON.stringify(whole.works) === JSON.stringify(changeSet.works), 'orders differ');
  for (const one of changeSet.retention) {
    const same = whole.retention.find(({ key }) => keyId(key) === keyId(one.key));
    demand(JSON.stringify(same) === JSON.stringify(one), `the retention of ${one.key.name} differs`);
  }
  return needed;
}

/** The schedules whose runs were not read, by their uid. */
export function uidsLeftOut(needed: Tick | undefined): ReadonlySet<string> {
  if (needed === undefined) return new Set();
  const { observed, reconciliation } = needed;
  const left = reconciliation.changeSet.schedules.filter((one) => isLeftOut(observed, one));
  return new Set(left.map(({ uid }) => uid));
}
