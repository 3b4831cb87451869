import type { KubeObject } from '#core/object/object.ts';
import { isTerminating, isUnfinished, phaseOf, slotOf } from './scene.ts';

/** What the status tells of finished slots (D7). */
export interface Score {
  readonly success: number | undefined;
  readonly failures: number;
}

/** How a run of a slot stands. */
type End = 'open' | 'ok' | 'failed' | 'none';

/** All that was ever to be known of the slots of one schedule. */
export interface Tally {
  /** Runs that the program deleted, by the slot: what they came to is remembered. */
  readonly trimmed: Map<string, { readonly slot: number; readonly end: End }>;
  /** Failed slots behind the newest success that were counted. */
  counted: readonly number[];
  /** The newest one ever counted. */
  newest: number;
  success: number | undefined;
}

export function newTally(): Tally {
  return {
    trimmed: new Map(),
    counted: [],
    newest: Number.NEGATIVE_INFINITY,
    success: undefined,
  };
}

export function endOfRun(run: KubeObject): End {
  const phase = phaseOf(run);
  if (phase === 'ok' || phase === 'failed') return phase;
  // One that was stopped on its way will never have a result.
  return isUnfinished(run) && !isTerminating(run) ? 'open' : 'none';
}

function endsBySlot(tally: Tally, runs: readonly KubeObject[]): ReadonlyMap<number, readonly End[]> {
  const seen = [
    ...tally.trimmed.values(),
    ...runs.flatMap((run) => {
      const slot = slotOf(run);
      return slot === undefined ? [] : [{ slot, end: endOfRun(run) }];
    }),
  ];
  const ends = new Map<number, End[]>();
  for (const { slot, end } of seen) ends.set(slot, [...(ends.get(slot) ?? []), end]);
  return ends;
}

/** Any failed run makes its slot a failure; a success needs that none is still to come. */
function outcomeOf(ends: readonly End[], owed: boolean): End {
  if (ends.includes('failed')) return 'failed';
  if (owed || ends.includes('open')) return 'open';
  return ends.includes('ok') ? 'ok' : 'none';
}

export interface Judged extends Score {
  readonly counted: readonly number[];
  readonly newest: number;
}

interface Outcome {
  readonly slot: number;
  readonly outcome: End;
}

/** Failures wait for an older slot that is open, but not more of them than this: then that slot hangs. */
const MOST_WAITING = 3;

function countable(slots: readonly Outcome[]): readonly number[] {
  const failedIn = (some: readonly Outcome[]): readonly number[] =>
    some.flatMap(({ slot, outcome }) => (outcome === 'failed' ? [slot] : []));
  const open = slots.findIndex(({ outcome }) => outcome === 'open');
  if (open < 0 || failedIn(slots.slice(open)).length > MOST_WAITING) return failedIn(slots);
  return failedIn(slots.slice(0, open));
}

/**
 * Slots count in their order: the failed ones behind the newest success, up to the first that is still open. What was
 * counted is counted, and no slot up to there is looked at again.
 * @param owed the slot for which runs are still to be created
 */
export function judge(tally: Tally, runs: readonly KubeObject[], owed: number | undefined): Judged {
  const slots = [...endsBySlot(tally, runs)]
    .map(([slot, ends]): Outcome => ({ slot, outcome: outcomeOf(ends, slot === owed) }))
    .filter(({ slot }) => slot > tally.newest)
    .sort((a, b) => a.slot - b.slot);
  const best = slots.findLast(({ outcome }) => outcome === 'ok')?.slot ?? Number.NEGATIVE_INFINITY;
  const success = Math.max(best, tally.success ?? Number.NEGATIVE_INFINITY);
  const fresh = countable(slots.filter(({ slot }) => slot > success));
  const all = [...tally.counted, ...fresh].filter((slot) => slot > success);
  return {
    success: Number.isFinite(success) ? success : undefined,
    failures: all.length,
    counted: all,
    newest: all.at(-1) ?? tally.newest,
  };
}

/** What was judged stands in a status now. */
export function settle(tally: Tally, { success, counted, newest }: Judged): void {
  tally.success = success;
  tally.counted = counted;
  tally.newest = newest;
}
