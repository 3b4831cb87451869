import { compareText } from '#core/object/key.ts';
import { formatInstant } from '#core/time/instant.ts';
import type { Firing } from './firings.ts';
import { pairFirings } from './pairing.ts';

export interface MovedFiring {
  readonly from: Firing;
  readonly to: Firing;
}

/** A day of the window, in UTC, on which more or less starts than before. */
export interface DayCount {
  readonly day: string;
  readonly before: number;
  readonly after: number;
}

export interface FiringChanges {
  readonly before: number;
  readonly after: number;
  readonly added: readonly Firing[];
  readonly removed: readonly Firing[];
  readonly moved: readonly MovedFiring[];
  readonly days: readonly DayCount[];
}

function compareFirings(a: Firing, b: Firing): number {
  return a.slot - b.slot || (a.until ?? a.slot) - (b.until ?? b.slot);
}

/** Both sides are in the order of time. */
function onlyIn(
  one: readonly Firing[],
  other: readonly Firing[],
): { readonly one: readonly Firing[]; readonly other: readonly Firing[] } {
  const left: Firing[] = [];
  const right: Firing[] = [];
  let at = 0;
  for (const firing of one) {
    let rival = other[at];
    while (rival !== undefined && compareFirings(rival, firing) < 0) {
      right.push(rival);
      at += 1;
      rival = other[at];
    }
    if (rival !== undefined && compareFirings(rival, firing) === 0) at += 1;
    else left.push(firing);
  }
  return { one: left, other: [...right, ...other.slice(at)] };
}

function pairUp(
  gone: readonly Firing[],
  fresh: readonly Firing[],
): Pick<FiringChanges, 'added' | 'removed' | 'moved'> {
  const pairs = pairFirings(gone, fresh);
  const left = new Set(pairs.map(({ from }) => gone[from]));
  const reached = new Set(pairs.map(({ to }) => fresh[to]));
  return {
    added: fresh.filter((one) => !reached.has(one)),
    removed: gone.filter((one) => !left.has(one)),
    moved: pairs.flatMap(({ from, to }) => {
      const [one, other] = [gone[from], fresh[to]];
      return one === undefined || other === undefined ? [] : [{ from: one, to: other }];
    }),
  };
}

function dayOf({ slot }: Firing): string {
  return formatInstant(slot).slice(0, 10);
}

export function countDays(firings: readonly Firing[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const firing of firings) {
    const day = dayOf(firing);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return counts;
}

/** The days of which the two say something else. */
export function dayChanges(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): readonly DayCount[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort(compareText)
    .map((day) => ({ day, before: before.get(day) ?? 0, after: after.get(day) ?? 0 }))
    .filter((count) => count.before !== count.after);
}

/** Which firings of a window a change adds, takes away and moves; both lists are in the order of time. */
export function firingChanges(before: readonly Firing[], after: readonly Firing[]): FiringChanges {
  const counts = { before: before.length, after: after.length };
  if (before === after) return { ...counts, added: [], removed: [], moved: [], days: [] };
  const { one: gone, other: fresh } = onlyIn(before, after);
  return { ...counts, ...pairUp(gone, fresh), days: dayChanges(countDays(before), countDays(after)) };
}
