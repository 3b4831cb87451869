import type { Decision, ScheduleKind } from '#core/kind.ts';
import type { Entry, Settlement } from '#core/settle.ts';

/**
 * Whether a decision is the same whatever runs there are. Nothing is owed then: a run can only prove that more is
 * settled than the status says.
 */
export function isCalm({ state }: Decision): boolean {
  switch (state) {
    case 'waiting':
    case 'suspended':
    case 'never':
    case 'badTiming':
      return true;
    case 'deleting':
    case 'resumed':
    case 'expired':
    case 'held':
    case 'blocked':
    case 'empty':
    case 'done':
    case 'leaving':
    case 'taken':
    case 'deferred':
    case 'fire':
      return false;
  }
}

/**
 * A slot that passed in a pause and will be owed behind it may have been run before the pause began, and its status
 * lost. Its run alone tells, and nobody knows whether some tick has seen it: it is looked at as long as the slot is owed.
 */
function isInDoubt({ rules }: ScheduleKind, decision: Decision): boolean {
  return rules.suspendedSlots === 'owed' && decision.state === 'suspended' && decision.owed !== undefined;
}

/** Whether what was decided without any run leaves everything as it is; a run that is recorded as active does not. */
export function isQuiet({ kind, decision }: Entry, { status }: Settlement): boolean {
  return isCalm(decision) && status === undefined && !isInDoubt(kind, decision);
}
