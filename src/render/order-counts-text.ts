import type { WorkState } from '#core/run/driver.ts';
import { type DrivenWork, isTold } from '#core/works.ts';
import { grouped, plural } from '#render/plural.ts';

/** Those first that ask for attention. */
const ORDER: readonly WorkState[] = [
  'failed',
  'invalid',
  'unreadable',
  'pending',
  'waiting',
  'observed',
  'started',
  'running',
  'releasing',
  'succeeded',
];

/** Unfinished ones, and those that failed whenever that was: they stay until somebody deletes them. */
function shownState({ work }: DrivenWork): WorkState | undefined {
  if (work.outcome === 'failed') return 'failed';
  return isTold(work) ? work.state : undefined;
}

/** `2 orders: 1 failed, 1 pending`; undefined where there is none to look after. */
export function orderCountsText(works: Iterable<DrivenWork>): string | undefined {
  const counts = new Map<WorkState, number>();
  for (const work of works) {
    const state = shownState(work);
    if (state !== undefined) counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const told = ORDER.filter((state) => counts.has(state));
  if (told.length === 0) return undefined;
  const count = (state: WorkState): number => counts.get(state) ?? 0;
  const all = told.reduce((sum, state) => sum + count(state), 0);
  return `${plural(all, 'order')}: ${told.map((state) => `${grouped(count(state))} ${state}`).join(', ')}`;
}
