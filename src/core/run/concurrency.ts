import { isFinished, type Run } from '#core/run/phase.ts';
import type { Instant } from '#core/time/instant.ts';

export type ConcurrencyPolicy = 'Allow' | 'Forbid' | 'Replace';

/** Whether a due slot may fire beside the runs that exist, and which of them must go first. */
export type Gate =
  | { readonly state: 'open'; readonly victims: readonly Run[] }
  | { readonly state: 'held'; readonly by: readonly Run[]; readonly reason: 'RunActive' | 'UnknownPhase' };

const OPEN: Gate = { state: 'open', victims: [] };

/** Unfinished runs that the schedule itself made. Runs under deletion count: they still work. */
export function activeRuns(runs: readonly Run[]): readonly Run[] {
  return runs.filter((run) => !run.manual && !isFinished(run));
}

/** A slot's own run never holds that slot, so that a creation whose status was lost is taken up again. */
export function decideGate(policy: ConcurrencyPolicy, runs: readonly Run[], slot: Instant): Gate {
  const others = activeRuns(runs).filter((run) => run.slot !== slot);
  if (others.length === 0) return OPEN;
  switch (policy) {
    case 'Allow':
      return OPEN;
    case 'Forbid':
      return { state: 'held', by: others, reason: 'RunActive' };
    case 'Replace': {
      const unknown = others.filter((run) => run.phase === 'unknown');
      if (unknown.length > 0) return { state: 'held', by: unknown, reason: 'UnknownPhase' };
      return { state: 'open', victims: others.filter((run) => !run.terminating) };
    }
  }
}
