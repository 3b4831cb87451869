import type { CreateChange } from '#core/change/change.ts';
import type { ScheduleChanges } from '#core/change/change-set.ts';
import { keyId } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { typeId } from '#core/observed.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import type { DeleteOutcome } from '#core/run/outcome.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { type Course, planEnding, wakeWatchers } from './course.ts';

const DELETED: DeleteOutcome = { state: 'deleted' };

/** Creates the run, which is taken up at once and ends when its time is over. */
function start(course: Course, owner: string, change: CreateChange, tick: Instant): KubeObject {
  const { world, tickAt } = course;
  const line = course.lines.get(owner);
  const created = world.create(change, tick);
  const type = typeId(change.type);
  if (course.orders?.plays(created) === true) {
    course.orders.add({ object: created, type: change.type }, line, tickAt(instant(tick + 1)));
    return created;
  }
  wakeWatchers(course, world.begin(created, type, tick), tickAt(instant(tick + 1)));
  const at = instant(tick + Math.max(1, line?.duration?.seconds ?? 0));
  planEnding(course, { type, id: keyId(change.key), uid: created.metadata.uid, at, line });
  return created;
}

/**
 * Writes what a tick wants for one schedule, as the walk over a change set does it where all goes well.
 * @returns whether there was anything to write
 */
export function writeSchedule(
  course: Course,
  reconciliation: Reconciliation,
  schedule: ScheduleChanges,
  tick: Instant,
): boolean {
  const { world } = course;
  const owner = keyId(schedule.key);
  const next = course.tickAt(instant(tick + 1));
  const made: KubeObject[] = [];
  let victims = 0;
  let wrote = false;
  for (const change of schedule.changes) {
    if (change.verb === 'event') continue;
    wrote = true;
    if (change.verb === 'create') made.push(start(course, owner, change, tick));
    if (change.verb === 'delete' && change.reason === 'Replaced') victims += 1;
    if (change.verb === 'delete' || change.verb === 'annotate') {
      wakeWatchers(course, world.apply(change), next);
      course.orders?.wake(keyId(change.key), tick);
    }
  }
  if (!wrote) return false;
  const settlement = reconciliation.settleWith(schedule, {
    creates: made.map((object) => ({ state: 'created', object })),
    victims: Array.from({ length: victims }, () => DELETED),
  });
  if (settlement?.status !== undefined) world.apply(settlement.status);
  return true;
}
