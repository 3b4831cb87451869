import type { CreateChange } from '#core/change/change.ts';
import type { Settings } from '#core/kind.ts';
import { compareKeys, keyOf, keyText } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import type { Entry } from '#core/settle.ts';
import { type LaneRoom, laneRoom } from './lane-room.ts';

export type FireEntry = Entry & { readonly decision: { readonly state: 'fire' } };

/** A create that this tick has no room for, and the budget that is used up. */
export interface Left {
  readonly create: CreateChange;
  readonly budget: string;
}

/** What a schedule gets where it does not get everything: nothing at all, or a part. */
export type Share =
  | { readonly state: 'none'; readonly budget: string }
  | { readonly state: 'part'; readonly creates: readonly CreateChange[]; readonly left: readonly Left[] };

interface Room {
  creates: number;
  deletes: number;
  readonly lanes: LaneRoom;
}

/** What has been owed the longest: by the latest slot alone, the same names would win in every tick. */
function byAge(a: FireEntry, b: FireEntry): number {
  const [first, second] = [a.decision.owed, b.decision.owed];
  return (
    first.oldest - second.oldest ||
    first.slot - second.slot ||
    compareKeys(keyOf(a.schedule.object), keyOf(b.schedule.object))
  );
}

const NO_LANES: readonly ObjectKey[] = [];

function whyNot(
  lanes: readonly ObjectKey[],
  room: Room,
  { maxCreates, maxCreatesPerLane }: Settings,
): string | undefined {
  if (room.creates < 1) return `--max-creates ${maxCreates} is used up by older slots`;
  const full = room.lanes.full(lanes);
  if (full === undefined) return undefined;
  return `--max-creates-per-lane ${maxCreatesPerLane} is used up for ${keyText(full)} by older slots`;
}

/** Takes its share out of the room; undefined where everything fits. */
function shareOf({ schedule, decision }: FireEntry, room: Room, settings: Settings): Share | undefined {
  const { victims, creates } = decision;
  const kept: CreateChange[] = [];
  const left: Left[] = [];
  const isCrowded = room.deletes < victims.length;
  for (const create of creates) {
    const lanes = settings.maxCreatesPerLane === undefined ? NO_LANES : schedule.lanes(create.object);
    const budget = whyNot(lanes, room, settings);
    if (budget !== undefined) left.push({ create, budget });
    else if (!isCrowded) {
      room.creates -= 1;
      room.lanes.take(lanes);
      kept.push(create);
    }
  }
  if (left.length < creates.length && isCrowded)
    return {
      state: 'none',
      budget: `--max-deletes ${settings.maxDeletes} leaves no room for the runs to replace`,
    };
  const [first] = left;
  if (kept.length === 0 && first !== undefined) return { state: 'none', budget: first.budget };
  room.deletes -= victims.length;
  return left.length === 0 ? undefined : { state: 'part', creates: kept, left };
}

/**
 * Who gets how much of what one tick may start: the oldest slots first, then by namespace and name. A slot whose lane
 * is full leaves the room elsewhere to younger ones. What expires meanwhile is no longer among these.
 */
export function createShares(entries: readonly FireEntry[], settings: Settings): ReadonlyMap<Entry, Share> {
  const { maxCreates, maxCreatesPerLane, maxDeletes } = settings;
  const room: Room = {
    creates: maxCreates ?? Number.POSITIVE_INFINITY,
    deletes: maxDeletes ?? Number.POSITIVE_INFINITY,
    lanes: laneRoom(maxCreatesPerLane ?? Number.POSITIVE_INFINITY),
  };
  const shares = new Map<Entry, Share>();
  for (const entry of [...entries].sort(byAge)) {
    const share = shareOf(entry, room, settings);
    if (share !== undefined) shares.set(entry, share);
  }
  return shares;
}
