import type { WorkState } from '#core/run/driver.ts';
import { countedState, type DrivenWork, isTold } from '#core/works.ts';
import { grouped, plural } from '#render/plural.ts';

/** Those first that ask for attention; of what has no rank nothing is said. */
const RANK: Readonly<Record<WorkState, number | undefined>> = {
  failed: 0,
  invalid: 1,
  unreadable: 2,
  pending: 3,
  waiting: 4,
  observed: 5,
  suspended: 6,
  started: 7,
  running: 8,
  releasing: 9,
  succeeded: 10,
  foreign: undefined,
  finished: undefined,
  deleting: undefined,
};

/** Unfinished ones, and those that failed whenever that was: they stay until somebody deletes them. */
function shownState({ work }: DrivenWork): WorkState | undefined {
  const state = countedState(work, work.state);
  return state === 'failed' || isTold(work) ? state : undefined;
}

/** `2 orders: 1 failed, 1 pending`; undefined where there is none to look after. */
export function stateCountsText(counts: Readonly<Partial<Record<WorkState, number>>>): string | undefined {
  const told = (Object.keys(RANK) as WorkState[])
    .flatMap((state) => {
      const [rank, count = 0] = [RANK[state], counts[state]];
      return rank === undefined || count === 0 ? [] : [{ state, rank, count }];
    })
    .sort((a, b) => a.rank - b.rank);
  if (told.length === 0) return undefined;
  const all = told.reduce((sum, { count }) => sum + count, 0);
  return `${plural(all, 'order')}: ${told.map(({ state, count }) => `${grouped(count)} ${state}`).join(', ')}`;
}

/** The same of orders as they were decided about. */
export function orderCountsText(works: Iterable<DrivenWork>): string | undefined {
  const counts: Partial<Record<WorkState, number>> = {};
  for (const work of works) {
    const state = shownState(work);
    if (state !== undefined) counts[state] = (counts[state] ?? 0) + 1;
  }
  return stateCountsText(counts);
}
