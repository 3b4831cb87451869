import type { ChangeSet, ScheduleChanges } from '#core/change/change-set.ts';
import type { Schedule, Settings } from '#core/kind.ts';
import { keyId, keyText } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import type { Observed } from '#core/observed.ts';
import { openSchedule } from '#core/open-schedule.ts';
import { type Referents, referentsOf } from '#core/referents.ts';
import type { Facts } from './check-facts.ts';

interface Opening {
  readonly facts: Facts;
  readonly set: ChangeSet;
  readonly referents: Referents;
}

function opened(changes: ScheduleChanges, { facts, set, referents }: Opening): Schedule | undefined {
  const kind = facts.kindOf(changes);
  const object = facts.schedule(changes.key, changes.uid);
  if (kind === undefined || object === undefined) return undefined;
  const { settings } = facts;
  const read = openSchedule(kind, { object }, { settings, now: set.now, referents });
  return read.state === 'open' ? read.schedule : undefined;
}

/** Lanes in which more would start than the budget of one of them. */
export function checkLanes(
  set: ChangeSet,
  facts: Facts,
  { observed, settings: { maxCreatesPerLane } }: { readonly observed: Observed; readonly settings: Settings },
): readonly string[] {
  if (maxCreatesPerLane === undefined) return [];
  const opening = { facts, set, referents: referentsOf(observed) };
  const counts = new Map<string, { readonly lane: ObjectKey; readonly creates: number }>();
  for (const changes of set.schedules) {
    const creates = changes.changes.flatMap((change) => (change.verb === 'create' ? [change.object] : []));
    const schedule = creates.length === 0 ? undefined : opened(changes, opening);
    for (const lane of creates.flatMap((object) => schedule?.lanes(object) ?? [])) {
      const id = keyId(lane);
      counts.set(id, { lane, creates: (counts.get(id)?.creates ?? 0) + 1 });
    }
  }
  return [...counts.values()]
    .filter(({ creates }) => creates > maxCreatesPerLane)
    .map(
      ({ lane, creates }) => `${creates} creates for ${keyText(lane)}, the budget is ${maxCreatesPerLane}`,
    );
}
