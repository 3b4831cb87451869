import type { VerdictCode } from '#core/change/verdict.ts';
import type { Decision, Settled, SettleInput } from '#core/kind.ts';
import type { HoldReason } from '#core/run/concurrency.ts';
import { blockersOf } from './blockers.ts';
import { cancelledRuns, snapshotEvents } from './events.ts';
import { givenUp, settleFindings } from './findings.ts';
import { type Reading, statusOf } from './status.ts';

const HOLDS: Readonly<Record<HoldReason, string | undefined>> = {
  UnknownPhase: 'BlockedOnUnreadableRun',
  OtherRun: 'OtherRunActive',
  Parked: 'WaitingForRepositorySlot',
  // D27: an ordinary hold has no reason of its own.
  RunActive: undefined,
};

/** The reason of the kind's own conditions and events for a decision. */
function reasonOf(input: SettleInput): string | undefined {
  const { decision } = input;
  switch (decision.state) {
    case 'badTiming':
    case 'never':
      return 'InvalidSchedule';
    case 'suspended':
    case 'resumed':
      return 'Suspended';
    case 'expired':
      return 'SkipExpiredSlot';
    case 'held':
      return HOLDS[decision.reason];
    case 'blocked':
      return 'MissingDependency';
    case 'empty':
      return decision.plan.omitted[0]?.reason;
    case 'taken':
      return 'NameTaken';
    case 'fire':
      return firedReason(decision, input);
    case 'deleting':
    case 'waiting':
    case 'done':
    case 'leaving':
    case 'deferred':
      return undefined;
  }
}

function firedReason(
  decision: Decision & { readonly state: 'fire' },
  input: SettleInput,
): string | undefined {
  if (decision.unmet.some(({ state }) => state === 'taken')) return 'NameTaken';
  if (blockersOf(decision).length > 0) return 'MissingDependency';
  return decision.unmet.length === 0 && cancelledRuns(input).length > 0 ? 'ReplacedActiveRun' : undefined;
}

const CODES: Readonly<Partial<Record<VerdictCode, string>>> = { conflict: 'NameTaken' };

/** A slot whose runs could not all be created is not settled, and that has a word of its own. */
function codeOf({ decision, outcomes }: SettleInput): VerdictCode | undefined {
  if (decision.state !== 'fire') return undefined;
  if (outcomes.creates.some(({ state }) => state === 'taken')) return 'conflict';
  const wanted = ({ state }: { readonly state: string }): boolean => state === 'created' || state === 'found';
  return outcomes.creates.every(wanted) ? undefined : 'failed';
}

/** Status and events of a SnapshotSchedule (snapshot-schedule.md 4 and 5). */
export function settleSchedule(input: SettleInput, reading: Reading): Settled {
  const code = codeOf(input);
  const lost = givenUp(input, reading);
  const reason = code === undefined ? reasonOf(input) : CODES[code];
  return {
    status: statusOf(input, reading),
    events: snapshotEvents(reading.schedule, input, reading.deadlineSeconds),
    findings: [...settleFindings(input, reading), ...(lost === undefined ? [] : [lost])],
    ...(lost === undefined ? {} : { detail: lost.what }),
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
  };
}
