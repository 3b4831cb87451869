import type { Decision } from '#core/kind.ts';
import type { CreateOutcome } from '#core/run/outcome.ts';
import type { Instant } from '#core/time/instant.ts';

/** Whether every run of a slot that fires is there now. */
export function isComplete(
  { creates, unmet }: Extract<Decision, { readonly state: 'fire' }>,
  outcomes: readonly CreateOutcome[],
): boolean {
  return (
    unmet.length === 0 &&
    creates.every((_, index) => {
      const state = outcomes[index]?.state;
      return state === 'created' || state === 'found';
    })
  );
}

/**
 * The slot that the next tick will look at once more. Runs of it that exist already are what keeps it from being
 * started again for their targets, so none of them may be pruned.
 * @param outcomes of its creates; left out while they are still to be tried: all will go through
 */
export function stillOwed(decision: Decision, outcomes?: readonly CreateOutcome[]): Instant | undefined {
  switch (decision.state) {
    case 'held':
    case 'blocked':
    case 'leaving':
    case 'taken':
    case 'deferred':
      return decision.owed.slot;
    case 'fire': {
      const complete = outcomes === undefined ? decision.unmet.length === 0 : isComplete(decision, outcomes);
      return complete ? undefined : decision.owed.slot;
    }
    case 'deleting':
    case 'badTiming':
    case 'never':
    case 'suspended':
    case 'resumed':
    case 'waiting':
    case 'expired':
    case 'done':
    case 'empty':
      return undefined;
  }
}
