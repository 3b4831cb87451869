import type { Decision } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import { type ConditionDraft, conditionOf, withCondition } from '#core/object/condition.ts';
import type { Json, KubeObject } from '#core/object/object.ts';
import type { Run } from '#core/run/phase.ts';
import type { RunPlan } from '#core/run/plan.ts';
import type { Instant } from '#core/time/instant.ts';
import { blockersOf } from './blockers.ts';
import type { Effective } from './defaults.ts';

type Draft = Omit<ConditionDraft, 'observedGeneration'>;

const NAMED = 3;

function names(runs: readonly Run[]): string {
  const shown = runs
    .slice(0, NAMED)
    .map(({ object, phaseText }) => `${object.metadata.name} (${phaseText || 'no phase'})`);
  const more = runs.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** That the schedule was paused must survive, so that mending it starts nothing of the pause (D6). */
function invalid(message: string, paused: boolean): readonly Draft[] {
  const draft = { status: 'False', reason: 'InvalidSchedule', message } as const;
  return [
    { ...draft, type: 'Ready' },
    { ...draft, type: 'Reconciling', reason: paused ? 'Suspended' : draft.reason },
    { ...draft, type: 'Stalled', status: 'True' },
  ];
}

/** Whether the last status told of a pause. */
export function wasSuspended({ status }: KubeObject): boolean {
  return ['Ready', 'Reconciling'].some((type) => conditionOf(status, type)?.reason === 'Suspended');
}

/** Ready and its companions for kstatus (snapshot-schedule.md 5.1, D21). */
function readiness(input: ConditionInput): readonly Draft[] {
  const { decision, suspended, paused } = input;
  const drafts = (
    ready: Omit<Draft, 'type'>,
    reconciling: 'True' | 'False',
    stalled: 'True' | 'False',
  ): readonly Draft[] => [
    { type: 'Ready', ...ready },
    { ...ready, type: 'Reconciling', status: reconciling },
    { ...ready, type: 'Stalled', status: stalled },
  ];
  const message =
    blockersOf(decision)
      .map(({ what }) => what)
      .join('; ') || input.stillMissing;
  if (message !== undefined) {
    return drafts({ status: 'False', reason: 'MissingDependency', message }, 'True', 'False');
  }
  switch (decision.state) {
    case 'badTiming':
      return invalid(decision.problem.what, paused);
    case 'never':
      return invalid(`the schedule ${JSON.stringify(decision.timing.expression)} names no instant`, paused);
    case 'blocked':
    case 'deleting':
    case 'suspended':
    case 'resumed':
    case 'waiting':
    case 'expired':
    case 'held':
    case 'empty':
    case 'done':
    case 'leaving':
    case 'taken':
    case 'deferred':
    case 'fire':
      return drafts(
        suspended
          ? { status: 'True', reason: 'Suspended', message: 'spec.schedule.suspend is true' }
          : { status: 'True', reason: 'Scheduled', message: 'the next slot is computed' },
        'False',
        'False',
      );
  }
}

/** Left as recorded while the referents cannot be read (snapshot-schedule.md 2.4). */
function ambiguity({ degraded, zoneIsOwn, zoneCandidates }: Effective): readonly Draft[] {
  if (degraded !== undefined && !zoneIsOwn) return [];
  if (zoneCandidates === undefined) {
    const message = 'the time zone is not ambiguous';
    return [{ type: 'TimezoneDefaultAmbiguous', status: 'False', reason: 'TimezoneResolved', message }];
  }
  const message = `the repositories of the matched policies name different time zones (${zoneCandidates.join(', ')}), so UTC is used; set spec.schedule.timezone`;
  return [
    { type: 'TimezoneDefaultAmbiguous', status: 'True', reason: 'RepositoryDefaultsDisagree', message },
  ];
}

/** Each hold in both polarities, so that it clears by itself. */
function holds(decision: Decision, targetsKnown: boolean): readonly Draft[] {
  const held = decision.state === 'held' ? decision : undefined;
  const by = names(held?.by ?? []);
  const unreadable = names(held?.by.filter(({ phase }) => phase === 'unknown') ?? []);
  return [
    held?.reason === 'UnknownPhase'
      ? {
          type: 'ScheduleRunnable',
          status: 'False',
          reason: 'BlockedOnUnreadableRun',
          message: `nobody can tell whether ${unreadable} is at work; finish the upgrade of the operator that wrote this phase, or delete the Snapshot if its run is over`,
        }
      : {
          type: 'ScheduleRunnable',
          status: 'True',
          reason: 'Runnable',
          message: 'no run at an unknown phase is in the way',
        },
    held?.reason === 'Parked'
      ? {
          type: 'ReplacementHeld',
          status: 'True',
          reason: 'WaitingForRepositorySlot',
          message: `${by} waits for room at its repository; replacing it would free none`,
        }
      : {
          type: 'ReplacementHeld',
          status: 'False',
          reason: 'ReplacementNotHeld',
          message: 'no replacement waits',
        },
    ...otherRun(held, targetsKnown),
  ];
}

/** Left as recorded while nobody knows whose runs matter. */
function otherRun(
  held: (Decision & { readonly state: 'held' }) | undefined,
  targetsKnown: boolean,
): readonly Draft[] {
  if (held?.reason !== 'OtherRun' && !targetsKnown) return [];
  return [
    held?.reason === 'OtherRun'
      ? {
          type: 'HeldByOtherRun',
          status: 'True',
          reason: 'OtherRunActive',
          message: `${names(held.by)} backs up the same policy and was not started by this schedule`,
        }
      : {
          type: 'HeldByOtherRun',
          status: 'False',
          reason: 'NoOtherRunActive',
          message: 'no run that this schedule did not start is in the way',
        },
  ];
}

/** The plan of a slot that is settled or started now; undefined where nothing was fanned out. */
function firedPlan(decision: Decision): RunPlan | undefined {
  switch (decision.state) {
    case 'fire':
      // What is started in part is looked at when it is whole.
      return decision.unmet.length === 0 ? decision.plan : undefined;
    case 'done':
    case 'empty':
      return decision.plan;
    case 'deleting':
    case 'badTiming':
    case 'never':
    case 'suspended':
    case 'resumed':
    case 'waiting':
    case 'expired':
    case 'held':
    case 'blocked':
    case 'leaving':
    case 'taken':
    case 'deferred':
      return undefined;
  }
}

/** Judged where a slot fires, else left as it is. */
function fanout(plan: RunPlan | undefined): readonly Draft[] {
  if (plan === undefined) return [];
  const capped = plan.omitted.filter(({ reason }) => reason === 'FanoutTooLarge');
  if (capped.length === 0) {
    const message = 'every policy is within the cap';
    return [{ type: 'FanoutCapped', status: 'False', reason: 'FanoutWithinCap', message }];
  }
  const message = capped.map(({ what }) => what).join('; ');
  return [{ type: 'FanoutCapped', status: 'True', reason: 'FanoutTooLarge', message }];
}

export interface ConditionInput {
  readonly decision: Decision;
  readonly suspended: boolean;
  /** Suspended, or not yet looked at as a valid schedule since it was. */
  readonly paused: boolean;
  readonly effective: Effective;
  /** What was told to be missing when a slot was due, and still is: the next one cannot be started either. */
  readonly stillMissing: string | undefined;
  readonly targetsKnown: boolean;
  readonly now: Instant;
}

/** The whole list, other types kept as they are. */
export function conditionsOf(schedule: KubeObject, input: ConditionInput): readonly Json[] {
  const drafts = [
    ...readiness(input),
    ...ambiguity(input.effective),
    ...holds(input.decision, input.targetsKnown),
    ...fanout(firedPlan(input.decision)),
  ];
  return withDrafts(schedule, drafts, input.now);
}

/** What is judged where a slot fires and never again: it goes with the slot into a status that changed meanwhile. */
export function firedConditions(fresh: KubeObject, plan: RunPlan, now: Instant): readonly Json[] {
  return withDrafts(fresh, fanout(plan), now);
}

function withDrafts(schedule: KubeObject, drafts: readonly Draft[], now: Instant): readonly Json[] {
  const { generation } = schedule.metadata;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const before = isObject(schedule.status) ? schedule.status.conditions : undefined;
  return drafts.reduce<readonly Json[]>(
    (conditions, draft) => withCondition({ conditions }, { ...draft, ...observed }, now),
    Array.isArray(before) ? before : [],
  );
}

/** Whether a condition stood like this before the tick. */
export function wasRecorded(
  { status }: KubeObject,
  type: string,
  value: 'True' | 'False',
  reason: string,
): boolean {
  const before = conditionOf(status, type);
  return before?.status === value && before.reason === reason;
}
