import type { VerdictCode } from '#core/change/verdict.ts';
import type { Decision, EventDraft, Finding, Settled, SettledSlot, SettleInput } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import { type ConditionDraft, withCondition } from '#core/object/condition.ts';
import { compareText } from '#core/object/key.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { readTime, timeOf } from '#core/object/time-field.ts';
import { isFinished, type Run } from '#core/run/phase.ts';
import { unknownPhaseFindings } from '#core/run/unknown-phase.ts';
import { scheduleTimes } from '#core/schedule-times.ts';
import { formatInstant, type Instant, later } from '#core/time/instant.ts';

export const STATUS_FIELDS = ['lastScheduleTime', 'lastSuccessfulTime', 'active', 'conditions'];

/** What one decision, with its outcomes, means for the policy. */
interface Outcome {
  readonly condition: Pick<ConditionDraft, 'status' | 'reason' | 'message'>;
  /** The slot that is settled now. */
  readonly settled?: Instant;
  readonly event?: EventDraft;
  readonly started?: string;
  readonly finding?: Finding;
  readonly code?: VerdictCode;
  readonly reason?: string;
}

const SCHEDULED: Outcome = {
  condition: { status: 'True', reason: 'Scheduled', message: 'the schedule is valid and not suspended' },
};

function invalid(message: string): Outcome {
  return { condition: { status: 'False', reason: 'InvalidSchedule', message }, reason: 'InvalidSchedule' };
}

function draft(type: EventDraft['type'], reason: string, slot: Instant, note: string): EventDraft {
  return { type, reason, action: 'Schedule', note, slot, identity: String(slot) };
}

function stampFailed(slot: Instant, message: string, code: VerdictCode): Outcome {
  return {
    condition: { status: 'False', reason: 'StampFailed', message },
    event: draft('Warning', 'StampFailed', slot, `tick ${formatInstant(slot)}: ${message}`),
    code,
    reason: 'StampFailed',
  };
}

function nameTaken(slot: Instant, name: string): Outcome {
  const message = `the name ${name} is taken by an EtcdDefrag that this policy does not control`;
  const finding: Finding = {
    code: 'NameTaken',
    severity: 'error',
    path: ['metadata', 'name'],
    what: message,
    why: 'a run counts only when its controller is this policy',
    fix: `delete or rename ${name}; the slot stays due until then`,
  };
  return { ...stampFailed(slot, message, 'conflict'), finding };
}

function fired(decision: Decision & { readonly state: 'fire' }, outcomes: SettleInput['outcomes']): Outcome {
  const { slot } = decision.owed;
  const name = decision.creates[0]?.key.name ?? '';
  const outcome = outcomes.creates[0] ?? { state: 'skipped' };
  switch (outcome.state) {
    case 'created':
      return {
        ...SCHEDULED,
        settled: slot,
        started: name,
        event: draft('Normal', 'StampedRun', slot, `stamped ${name} for tick ${formatInstant(slot)}`),
        reason: 'StampedRun',
      };
    case 'found':
      return { ...SCHEDULED, settled: slot, started: name };
    case 'taken':
      return nameTaken(slot, name);
    case 'refused':
      return stampFailed(slot, `creating ${name} was refused: ${outcome.message}`, 'failed');
    case 'terminating':
    case 'failed':
    case 'skipped':
      return { ...SCHEDULED, code: 'failed' };
  }
}

function outcomeOf({ decision, outcomes }: SettleInput): Outcome {
  switch (decision.state) {
    case 'deleting':
    case 'waiting':
    case 'leaving':
    case 'blocked':
    case 'deferred':
      return SCHEDULED;
    case 'badTiming':
      return invalid(decision.problem.what);
    case 'never':
      return invalid(`the schedule ${decision.timing.expression} names no instant within nine years`);
    case 'suspended':
      // Slots of a pause are consumed as they pass (decision 3).
      return {
        condition: { status: 'False', reason: 'Suspended', message: 'spec.suspend is true' },
        reason: 'Suspended',
        ...(decision.owed === undefined ? {} : { settled: decision.owed.slot }),
      };
    case 'resumed':
      return { ...SCHEDULED, settled: decision.owed.slot, reason: 'Suspended' };
    case 'expired': {
      const { slot, lateSeconds } = decision.owed;
      const note = `tick ${formatInstant(slot)} was skipped: ${lateSeconds} s late, beyond startingDeadlineSeconds`;
      return {
        ...SCHEDULED,
        settled: slot,
        event: draft('Warning', 'MissedSchedule', slot, note),
        reason: 'MissedSchedule',
      };
    }
    case 'held': {
      const { slot } = decision.owed;
      const names = decision.by.map((run) => run.object.metadata.name).join(', ');
      const note = `tick ${formatInstant(slot)} was skipped: ${names} is still active`;
      return {
        ...SCHEDULED,
        settled: slot,
        event: draft('Normal', 'ConcurrencyForbidden', slot, note),
        reason: 'ConcurrencyForbidden',
      };
    }
    case 'empty':
    case 'done':
      return { ...SCHEDULED, settled: decision.owed.slot };
    case 'taken':
      return nameTaken(decision.owed.slot, decision.name);
    case 'fire':
      return fired(decision, outcomes);
  }
}

function activeNames(runs: readonly Run[], started: string | undefined): Json[] {
  const active = runs.filter((run) => run.stray !== true && !isFinished(run));
  const names = active.map((run) => run.object.metadata.name);
  const known = started === undefined || runs.some((run) => run.object.metadata.name === started);
  return [...names, ...(known ? [] : [started])].sort(compareText).map((name) => ({ name }));
}

function lastSuccess(runs: readonly Run[], stored: Instant | undefined): Instant | undefined {
  return runs
    .filter(({ phase, stray }) => phase === 'succeeded' && stray !== true)
    .map(({ finishedAt }) => finishedAt)
    .reduce(later, stored);
}

/** Status and events of a policy, etcd-defrag-policy.md A.3 and A.6. */
export function settlePolicy(policy: KubeObject, input: SettleInput): Settled {
  const { status } = policy;
  const outcome = outcomeOf(input);
  const success = lastSuccess(input.runs, timeOf(readTime(status, 'lastSuccessfulTime')));
  const active = activeNames(input.runs, outcome.started);
  return {
    status: {
      ...scheduleTimes(status, later(outcome.settled, input.proved), success),
      ...(active.length === 0 ? {} : { active }),
      ...conditionsOf(policy, input, outcome),
    },
    events: outcome.event === undefined ? [] : [outcome.event],
    findings: [
      ...unknownPhaseFindings(input.runs),
      ...(outcome.finding === undefined ? [] : [outcome.finding]),
    ],
    ...(outcome.code === undefined ? {} : { code: outcome.code }),
    ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
  };
}

/** Of a policy under deletion only the runs are still kept track of. */
function conditionsOf(
  policy: KubeObject,
  { decision, now }: SettleInput,
  { condition }: Outcome,
): JsonObject {
  const { status } = policy;
  const { generation } = policy.metadata;
  if (decision.state === 'deleting') {
    const conditions = isObject(status) ? status.conditions : undefined;
    return conditions === undefined ? {} : { conditions };
  }
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  return { conditions: withCondition(status, { type: 'Active', ...condition, ...observed }, now) };
}

function ownedFields(status: Json | undefined): JsonObject {
  if (!isObject(status)) return {};
  return Object.fromEntries(
    STATUS_FIELDS.flatMap((field) => (status[field] === undefined ? [] : [[field, status[field]]])),
  );
}

/** The owned fields of a fresh read with the anchor moved forward, never back (design.md 3.6). */
export function moveAnchor(fresh: KubeObject, { slot }: Pick<SettledSlot, 'slot'>): JsonObject {
  const settled = later(slot, timeOf(readTime(fresh.status, 'lastScheduleTime')));
  return {
    ...ownedFields(fresh.status),
    ...scheduleTimes(fresh.status, settled, timeOf(readTime(fresh.status, 'lastSuccessfulTime'))),
  };
}
