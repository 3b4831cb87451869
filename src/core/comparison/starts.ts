import { timingOf } from '#core/entry-timing.ts';
import type { Entry } from '#core/settle.ts';
import { countDays } from './firing-changes.ts';
import type { Firing, FiringsOf, Window } from './firings.ts';
import type { Side } from './merge-effects.ts';
import { type StartCounts, startCounts } from './peaks.ts';

/** Everything that starts on one side, counted by the minute and by the day. */
export interface Starts {
  readonly counts: StartCounts;
  readonly days: ReadonlyMap<string, number>;
  readonly total: number;
}

/** What the next firing of a schedule would start; every further one is taken to start as many. */
export function runsPerFiring(entry: Entry | undefined, firings: readonly Firing[]): number {
  const [first] = firings;
  const timing = timingOf(entry?.decision);
  if (entry === undefined || first === undefined || timing === undefined) return 0;
  return entry.schedule.planRuns(first.slot, timing).runs.length;
}

export function startsOf(sides: Iterable<Side>, firingsOf: FiringsOf, window: Window): Starts {
  const counts = startCounts(window);
  const days = new Map<string, number>();
  const perList = new Map<readonly Firing[], number>();
  let total = 0;
  for (const { entry } of sides) {
    const firings = firingsOf(entry);
    if (firings.length === 0) continue;
    const runs = runsPerFiring(entry, firings);
    total += firings.length * runs;
    counts.add(firings, runs, entry?.schedule.lanes() ?? []);
    perList.set(firings, (perList.get(firings) ?? 0) + runs);
  }
  // Schedules of one expression share a list, which is taken apart once.
  for (const [firings, times] of perList)
    for (const [day, count] of countDays(firings)) days.set(day, (days.get(day) ?? 0) + count * times);
  return { counts, days, total };
}
