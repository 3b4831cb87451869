import type { Decision } from '#core/kind.ts';
import { isFinished } from '#core/run/phase.ts';
import type { Entry } from '#core/settle.ts';
import { type LatenessRule, type OwedSlots, wantedUntil } from '#core/slot/decide-slot.ts';
import { type Instant, instant } from '#core/time/instant.ts';

export function owedOf(decision: Decision): OwedSlots | undefined {
  return 'owed' in decision ? decision.owed : undefined;
}

function nextOf(decision: Decision): Instant | undefined {
  switch (decision.state) {
    case 'deleting':
    case 'badTiming':
    case 'never':
      return undefined;
    case 'suspended':
    case 'waiting':
      return decision.next;
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
      return decision.owed.next;
  }
}

/** The first instants at which one of the owed slots is too late. */
function expiries(owed: OwedSlots, rule: LatenessRule): readonly (Instant | undefined)[] {
  return [owed.slot, owed.oldest, owed.expired?.next].map((slot) => {
    const until = slot === undefined ? undefined : wantedUntil(slot, rule);
    return until === undefined ? undefined : instant(until + 1);
  });
}

/**
 * The first instant at which the clock alone may change what was decided for a schedule that a tick left as it was: a
 * new slot, a deadline, the end of a run's time to live. Until then only a change of its runs can.
 */
export function nextTurn(
  { kind, schedule, decision, runs }: Entry,
  graceSeconds: number,
  now: Instant,
): Instant {
  const { deadlineSeconds } = schedule;
  const { exactlyOnDeadline, expiredBacklog } = kind.rules;
  const rule: LatenessRule = { deadlineSeconds, graceSeconds, exactlyOnDeadline, expiredBacklog };
  const owed = owedOf(decision);
  const turns = [
    nextOf(decision),
    ...(owed === undefined ? [] : expiries(owed, rule)),
    ...runs.map((run) => (isFinished(run) ? run.removeAt : undefined)),
  ];
  const later = turns.filter((at): at is Instant => at !== undefined && at > now);
  return instant(Math.min(...later, Number.POSITIVE_INFINITY));
}
