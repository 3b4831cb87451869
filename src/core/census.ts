import type { DecideInput } from '#core/decide.ts';
import type { KubeObject } from '#core/object/object.ts';
import { isRunOfSlot } from '#core/run/ownership.ts';
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

/** What stands for one planned run: nothing, somebody else's object, or a run that may be on its way out. */
type Place = 'missing' | 'taken' | Run;

function placeOf(planned: PlannedRun, found: Found, input: DecideInput, slot: Instant): Place {
  const { name, target } = planned;
  // Built once, and only where there is something to hold it against.
  let built: KubeObject | undefined;
  const isSameTarget = ({ object }: Run): boolean => {
    built ??= planned.build();
    return input.kind.isSameTarget(object, built);
  };
  const named = input.index.named(input.schedule.object.metadata.namespace ?? '', name);
  // By its slot where a slot has one run, whatever it is called; else by its name.
  const single = found.single && target === '' ? found.runs[0] : undefined;
  const same = found.runs.find(isSameTarget);
  const run = single ?? same ?? found.byName.get(name) ?? ownNamesake(input, named, slot);
  if (run === undefined) return named === undefined ? 'missing' : 'taken';
  return isSameTarget(run) ? run : 'taken';
}

/** Runs of the slot. */
interface Found {
  readonly runs: readonly Run[];
  readonly byName: ReadonlyMap<string, Run>;
  /** The plan has one run. */
  readonly single: boolean;
}

export function takeCensus(input: DecideInput, plan: RunPlan, slot: Instant): Census {
  const existing: Run[] = [];
  const leaving: Run[] = [];
  const unmet: Unmet[] = plan.blocked.map((blocker) => {
    return { state: 'blocked', target: blocker.target, blocker };
  });
  const missing: PlannedRun[] = [];
  const runs = input.runs.filter((run) => !run.manual && run.slot === slot);
  const byName = new Map(runs.map((run) => [run.object.metadata.name, run]));
  const found = { runs, byName, single: plan.runs.length === 1 };
  // One name is one run, whatever a plan says.
  const planned = new Map([...plan.runs].reverse().map((one) => [one.name, one]));
  for (const one of plan.runs.filter(({ name }, index) => planned.get(name) === plan.runs[index])) {
    const { target, name } = one;
    const place = placeOf(one, found, input, slot);
    if (place === 'missing') missing.push(one);
    else if (place === 'taken') unmet.push({ state: 'taken', target, name });
    // An existing run settles its slot unless it is stopped and deleted before it ended (design.md 3.4).
    else if (place.terminating && !isFinished(place)) {
      leaving.push(place);
      unmet.push({ state: 'leaving', target, name });
    } else existing.push(place);
  }
  return { existing, leaving, unmet, missing };
}

/** The name says the slot: what has it and belongs to the schedule stands for it, unless its mark says another slot. */
function ownNamesake(
  { kind, schedule, runs }: DecideInput,
  named: KubeObject | undefined,
  slot: Instant,
): Run | undefined {
  const { uid } = schedule.object.metadata;
  if (named === undefined || !isRunOfSlot(named, { uid, slot, ownedBy: kind.rules.ownedBy }))
    return undefined;
  const known = runs.find(({ object }) => object === named);
  const terminating = named.metadata.deletionTimestamp !== undefined;
  return known ?? { object: named, phase: kind.phaseOf(named), phaseText: '', terminating, manual: true };
}
