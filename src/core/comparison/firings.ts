import { owingOfEntry, timingOf } from '#core/entry-timing.ts';
import type { Entry } from '#core/settle.ts';
import type { SlotRange } from '#core/slot/range.ts';
import { firstAfter, latestAtOrBefore } from '#core/slot/search.ts';
import { unbound } from '#core/slot/timing.ts';
import { type Instant, instant } from '#core/time/instant.ts';

/** A start that is to come; with `until` it lies between the two, and is fixed once the object has a uid. */
export interface Firing {
  readonly slot: Instant;
  readonly until?: Instant;
}

export interface Window {
  readonly now: Instant;
  readonly until: Instant;
}

const NONE: readonly Firing[] = [];

/** The firings of a window, (now, until], once per expression where nothing else tells two schedules apart. */
export type FiringsOf = (entry: Entry | undefined) => readonly Firing[];

/** What the slots of an entry follow from, where that is little enough to be compared; else undefined. */
function shapeOf({ schedule, proved, decision }: Entry, { now }: Window): string | undefined {
  const timing = timingOf(decision);
  if (timing === undefined || timing.spread !== undefined || timing.kind === 'every') return undefined;
  if (schedule.pin !== undefined || proved !== undefined || schedule.anchor > now) return undefined;
  if (timing.basesAfter > now) return undefined;
  return `${timing.resolved}\n${timing.zone.name}\n${timing.safe}`;
}

/** How a window is read: unchanged schedules, and many of one expression, cost one search, and each of the others one. */
export function firingsIn(window: Window): FiringsOf {
  const byShape = new Map<string, readonly Firing[]>();
  const byEntry = new WeakMap<Entry, readonly Firing[]>();
  const find = (entry: Entry): readonly Firing[] => {
    const shape = entry.range === undefined ? shapeOf(entry, window) : undefined;
    const known = shape === undefined ? undefined : byShape.get(shape);
    if (known !== undefined) return known;
    const found = search(entry, window);
    if (shape !== undefined) byShape.set(shape, found);
    return found;
  };
  return (entry) => {
    if (entry === undefined || entry.schedule.suspended) return NONE;
    const found = byEntry.get(entry) ?? find(entry);
    byEntry.set(entry, found);
    return found;
  };
}

/**
 * Where each slot can lie, whatever the uid will be. The windows follow from the expression alone, so that two sides
 * that say the same have the same; only one that has begun is cut at its past.
 */
function ranges({ first, last, reach }: SlotRange, { now, until }: Window): readonly Firing[] {
  const whole = unbound(first);
  const found: Firing[] = [];
  for (let high = firstAfter(last, now); high !== undefined; high = firstAfter(last, high)) {
    const low = latestAtOrBefore(whole, high) ?? high;
    if (low > until) break;
    found.push({ slot: instant(Math.max(low, now + 1)), until: instant(high + reach) });
  }
  return found;
}

function search(entry: Entry, { now, until }: Window): readonly Firing[] {
  const { decision, range } = entry;
  if (range !== undefined) return ranges(range, { now, until });
  const timing = timingOf(decision);
  if (timing === undefined || decision.state === 'never') return NONE;
  const owing = owingOfEntry(entry, timing);
  const found: Firing[] = [];
  for (let slot = owing.next(now); slot !== undefined && slot <= until; slot = owing.next(slot))
    found.push({ slot });
  return found;
}
