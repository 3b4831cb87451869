import type { DecideInput } from '#core/decide.ts';
import type { KubeObject } from '#core/object/object.ts';
import { belongsTo } from '#core/run/ownership.ts';
import { isFinished, type Run } from '#core/run/phase.ts';
import type { PlannedRun, RunPlan, Unmet } from '#core/run/plan.ts';
import type { Instant } from '#core/time/instant.ts';

/** What exists of the runs that a slot wants. */
export interface Census {
  readonly existing: readonly Run[];
  readonly leaving: readonly Run[];
  readonly unmet: readonly Unmet[];
  readonly missing: readonly PlannedRun[];
}

export function takeCensus(input: DecideInput, plan: RunPlan, slot: Instant): Census {
  const existing: Run[] = [];
  const leaving: Run[] = [];
  const unmet: Unmet[] = plan.blocked.map((blocker) => ({
    state: 'blocked',
    target: blocker.target,
    blocker,
  }));
  const missing: PlannedRun[] = [];
  for (const planned of plan.runs) {
    const { target, name } = planned;
    const named = input.index.named(input.schedule.object.metadata.namespace ?? '', name);
    const run = standsFor(input, plan, planned, slot) ?? ownNamesake(input, named);
    if (run === undefined && named === undefined) missing.push(planned);
    else if (run === undefined || !input.kind.isSameTarget(run.object, planned.build()))
      unmet.push({ state: 'taken', target, name });
    // An existing run settles its slot unless it is stopped and deleted before it ended (design.md 3.4).
    else if (run.terminating && !isFinished(run)) {
      leaving.push(run);
      unmet.push({ state: 'leaving', target, name });
    } else existing.push(run);
  }
  return { existing, leaving, unmet, missing };
}

/** By its slot where a slot has one run, whatever it is called; else by its name. */
function standsFor(
  { runs }: DecideInput,
  plan: RunPlan,
  planned: PlannedRun,
  slot: Instant,
): Run | undefined {
  const single = plan.runs.length === 1 && planned.target === '';
  return runs.find(
    (run) => !run.manual && run.slot === slot && (single || run.object.metadata.name === planned.name),
  );
}

/** The name says the slot: what has it and belongs to the schedule stands for it, whatever else it lacks. */
function ownNamesake({ kind, schedule, runs }: DecideInput, named: KubeObject | undefined): Run | undefined {
  const { uid } = schedule.object.metadata;
  if (named === undefined || !belongsTo(named, uid, kind.rules.ownedBy)) return undefined;
  const known = runs.find(({ object }) => object === named);
  const terminating = named.metadata.deletionTimestamp !== undefined;
  return known ?? { object: named, phase: kind.phaseOf(named), phaseText: '', terminating, manual: true };
}
