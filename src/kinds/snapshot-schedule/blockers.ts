import type { Decision } from '#core/kind.ts';
import type { Blocker } from '#core/run/plan.ts';

/** What keeps a due slot from being started, for all of its targets or for some. */
export function blockersOf(decision: Decision): readonly Blocker[] {
  if (decision.state === 'blocked' || decision.state === 'taken' || decision.state === 'leaving')
    return decision.plan.blocked;
  if (decision.state !== 'fire') return [];
  return decision.unmet.flatMap((unmet) => (unmet.state === 'blocked' ? [unmet.blocker] : []));
}
