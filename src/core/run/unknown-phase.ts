import type { Finding } from '#core/kind.ts';
import type { Run } from '#core/run/phase.ts';

/** Runs whose phase cannot be told, each by its name: they block, and nobody may wonder why. */
export function unknownPhaseFindings(runs: readonly Run[]): Finding[] {
  return runs
    .filter((run) => run.phase === 'unknown')
    .map((run) => ({
      code: 'UnknownPhase',
      severity: 'warning',
      path: ['metadata', 'name'],
      what: `${run.object.metadata.name} is in phase ${JSON.stringify(run.phaseText)}, which this build does not know`,
      why: 'an unknown phase counts as unfinished and is never deleted',
    }));
}
