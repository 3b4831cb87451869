import { isFinished, type Run } from '#core/run/phase.ts';
import type { Instant } from '#core/time/instant.ts';

export type ConcurrencyPolicy = 'Allow' | 'Forbid' | 'Replace';

/**
 * Why a due slot waits. `UnknownPhase`: nobody can tell whether a run is at work · `OtherRun`: somebody else's run works
 * on the same target · `Parked`: a run waits for room, so replacing it would free none · `RunActive`: a run is at work.
 */
export type HoldReason = 'UnknownPhase' | 'OtherRun' | 'Parked' | 'RunActive';

/** Whether a due slot may fire beside the runs that exist, and which of them must go first. */
export type Gate =
  | { readonly state: 'open'; readonly victims: readonly Run[] }
  | { readonly state: 'held'; readonly by: readonly Run[]; readonly reason: HoldReason };

/** Everything that a due slot may have to wait for. */
export interface GateInput {
  readonly policy: ConcurrencyPolicy;
  readonly slot: Instant;
  /** The schedule's own runs. */
  readonly runs: readonly Run[];
  /** Unfinished runs of somebody else on the same targets: never replaced. */
  readonly others: readonly Run[];
  readonly terminatingRuns: 'hold' | 'ignored';
  readonly replaces: 'any' | 'earlierSlots';
}

const OPEN: Gate = { state: 'open', victims: [] };

/** Whether those under deletion still work is the kind's to say. */
function unfinished(runs: readonly Run[], terminating: 'hold' | 'ignored'): readonly Run[] {
  return runs.filter((run) => !isFinished(run) && !(run.terminating && terminating === 'ignored'));
}

/** Unfinished runs that the schedule itself made. */
export function activeRuns(runs: readonly Run[], terminating: 'hold' | 'ignored' = 'hold'): readonly Run[] {
  return unfinished(runs, terminating).filter(({ manual }) => !manual);
}

/** Of an earlier slot; without one, created before the slot (snapshot-schedule.md D31). */
function isEarlier(run: Run, slot: Instant): boolean {
  const at = run.slot ?? run.createdAt;
  return at !== undefined && at < slot;
}

/** A slot's own runs never hold that slot, so that a creation whose status was lost is taken up again. */
export function decideGate(input: GateInput): Gate {
  const { policy, slot, runs, others, terminatingRuns, replaces } = input;
  if (policy === 'Allow') return OPEN;
  const active = activeRuns(runs, terminatingRuns).filter((run) => run.slot !== slot);
  if (policy === 'Forbid') return forbid(active, others);
  return replace(replaces === 'any' ? active : active.filter((run) => isEarlier(run, slot)), others);
}

/** What a run that a person asks for may not start beside: unfinished runs that were made by hand included. */
export function gateByHand({
  policy,
  runs,
  others,
  terminatingRuns,
}: Omit<GateInput, 'slot' | 'replaces'>): readonly Run[] {
  if (policy === 'Allow') return [];
  return [...unfinished(runs, terminatingRuns), ...others];
}

function forbid(active: readonly Run[], others: readonly Run[]): Gate {
  if (active.some(({ phase }) => phase === 'unknown'))
    return { state: 'held', by: active, reason: 'UnknownPhase' };
  if (others.length > 0) return { state: 'held', by: others, reason: 'OtherRun' };
  return active.length > 0 ? { state: 'held', by: active, reason: 'RunActive' } : OPEN;
}

/** Holds by precedence (snapshot-schedule.md D14): unreadable, then somebody else's run, then parked. */
function replace(active: readonly Run[], others: readonly Run[]): Gate {
  const unknown = active.filter(({ phase }) => phase === 'unknown');
  if (unknown.length > 0) return { state: 'held', by: unknown, reason: 'UnknownPhase' };
  if (others.length > 0) return { state: 'held', by: others, reason: 'OtherRun' };
  const parked = active.filter((run) => run.parked === true);
  if (parked.length > 0) return { state: 'held', by: parked, reason: 'Parked' };
  return { state: 'open', victims: active.filter((run) => !run.terminating) };
}
