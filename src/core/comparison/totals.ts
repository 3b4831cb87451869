import { type Diagnostic, isError } from '#core/diagnostic.ts';
import type { ReferentComparison, ScheduleComparison, Totals } from './comparison.ts';

export interface TotalsInput {
  readonly schedules: readonly ScheduleComparison[];
  readonly referents: readonly ReferentComparison[];
  /** Faults of no object. */
  readonly loose: readonly Diagnostic[];
  /** How many schedules are on either side and the same. */
  readonly unchanged: number;
  /** Firings of all schedules in the window. */
  readonly before: number;
  readonly after: number;
}

function sum(schedules: readonly ScheduleComparison[], of: (one: ScheduleComparison) => number): number {
  return schedules.reduce((total, one) => total + of(one), 0);
}

export function countTotals({ schedules, referents, loose, unchanged, before, after }: TotalsInput): Totals {
  const changes = { added: 0, removed: 0, changed: 0, affected: 0 };
  for (const { change } of schedules) changes[change] += 1;
  return {
    ...changes,
    unchanged,
    firingsBefore: before,
    firingsAfter: after,
    firingsAdded: sum(schedules, ({ firings }) => firings.added.length),
    firingsRemoved: sum(schedules, ({ firings }) => firings.removed.length),
    firingsMoved: sum(schedules, ({ firings }) => firings.moved.length),
    firesNow: sum(schedules, ({ merge }) => (merge.firesNow === undefined ? 0 : 1)),
    cancels: sum(schedules, ({ merge }) => merge.cancels.length),
    prunes:
      sum(schedules, ({ merge }) => merge.prunes.length) +
      referents.reduce((total, one) => total + one.prunes.length, 0),
    invalid:
      [...schedules, ...referents].filter(({ broken }) => broken.some(isError)).length +
      loose.filter(isError).length,
    neverFires: sum(schedules, ({ neverFires }) => Number(neverFires)),
  };
}
