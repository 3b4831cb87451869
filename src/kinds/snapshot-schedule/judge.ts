import { isFinished, type Run } from '#core/run/phase.ts';
import type { Instant } from '#core/time/instant.ts';

/** What is recorded of finished slots (D7). */
export interface Judgement {
  readonly success: Instant | undefined;
  /** The newest failed slot that was counted. */
  readonly failure: Instant | undefined;
  readonly failures: number;
}

type Outcome = 'success' | 'failure' | 'open';

interface SlotOutcome {
  readonly slot: Instant;
  readonly outcome: Outcome;
}

/** Any failed member makes a slot a failure; a success needs all of them, and none still to come. */
function outcomeOf(
  slot: Instant,
  members: readonly Run[],
  unsettled: Instant | undefined,
): Outcome | undefined {
  // One that was stopped on its way will never have a result.
  const runs = members.filter((run) => !run.terminating || isFinished(run));
  if (runs.some(({ phase }) => phase === 'failed')) return 'failure';
  if (slot === unsettled || runs.some((run) => !isFinished(run)))
    return runs.length === 0 ? undefined : 'open';
  return runs.some(({ phase }) => phase === 'succeeded') ? 'success' : undefined;
}

function outcomes(runs: readonly Run[], unsettled: Instant | undefined): readonly SlotOutcome[] {
  const bySlot = new Map<Instant, Run[]>();
  for (const run of runs) {
    if (run.slot === undefined) continue;
    const members = bySlot.get(run.slot);
    if (members === undefined) bySlot.set(run.slot, [run]);
    else members.push(run);
  }
  return [...bySlot]
    .sort(([a], [b]) => a - b)
    .flatMap(([slot, members]) => {
      const outcome = outcomeOf(slot, members, unsettled);
      return outcome === undefined ? [] : [{ slot, outcome }];
    });
}

function latest(a: Instant | undefined, b: Instant | undefined): number {
  return Math.max(a ?? Number.NEGATIVE_INFINITY, b ?? Number.NEGATIVE_INFINITY);
}

/**
 * D7, whatever history takes away and whenever a tick dies: slots are counted in their order, behind the newest
 * one that was counted, so that each counts once. A failure behind a slot that is still open waits for it, and its run
 * is spared by history until then; a newer success ends that wait, and so do more failures than a late end explains.
 * @param unsettled a slot for which runs are still to be created
 */
export function judge(runs: readonly Run[], before: Judgement, unsettled: Instant | undefined): Judgement {
  const slots = outcomes(runs, unsettled);
  const best = slots.findLast(({ outcome }) => outcome === 'success');
  // A slot that was counted as a failure stays one, also when history has taken the run that failed.
  const isNewer = best !== undefined && best.slot > latest(before.success, before.failure);
  const success = isNewer ? best.slot : before.success;
  const known = latest(success, before.failure);
  const counted = countable(slots.filter(({ slot }) => slot > known));
  return {
    success,
    failure: counted.at(-1)?.slot ?? before.failure,
    failures: isNewer ? counted.length : failuresAfter(before, counted.length),
  };
}

/**
 * Where a definition does not keep the newest slot that was counted, failures are found again as long as their runs are
 * there: to add them each time would count, and write, in every tick.
 */
function failuresAfter({ failure, failures }: Judgement, more: number): number {
  return failure === undefined ? Math.max(failures, more) : failures + more;
}

/** Failures that may wait for an older slot; more of them show that it hangs, and nobody would be alerted. */
const MOST_WAITING = 3;

function countable(slots: readonly SlotOutcome[]): readonly SlotOutcome[] {
  const open = slots.findIndex(({ outcome }) => outcome === 'open');
  const failed = slots.filter(({ outcome }) => outcome === 'failure');
  if (open < 0) return failed;
  const waiting = slots.slice(open).filter(({ outcome }) => outcome === 'failure');
  return waiting.length > MOST_WAITING ? failed : failed.slice(0, failed.length - waiting.length);
}

/** Whether nothing more is to be learnt from a failed run. */
export function isJudged({ slot }: Run, { success, failure }: Judgement): boolean {
  return slot === undefined || slot <= latest(success, failure);
}
