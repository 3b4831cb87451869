import type { Decision, ScheduleKind } from '#core/kind.ts';
import type { Entry, Settlement } from '#core/settle.ts';
import type { Instant } from '#core/time/instant.ts';

/** Seconds in which the runs of every namespace are read once, whatever is due (`sweep.ts`). */
export const SWEEP_SECONDS = 3600;

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
 * lost. Its run tells, as long as it is there: it is looked at until a sweep has surely seen it.
 */
function isInDoubt({ rules }: ScheduleKind, decision: Decision, now: Instant): boolean {
  if (rules.suspendedSlots !== 'owed' || decision.state !== 'suspended') return false;
  const { owed } = decision;
  return owed !== undefined && now - owed.slot <= SWEEP_SECONDS;
}

/** Whether what was decided without any run leaves everything as it is; a run that is recorded as active does not. */
export function isQuiet({ kind, decision }: Entry, { status }: Settlement, now: Instant): boolean {
  return isCalm(decision) && status === undefined && !isInDoubt(kind, decision, now);
}
