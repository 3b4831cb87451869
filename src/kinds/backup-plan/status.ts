import type { VerdictCode } from '#core/change/verdict.ts';
import type { Decision, EventDraft, Finding, Settled, SettledSlot, SettleInput } from '#core/kind.ts';
import { isObject } from '#core/object/canonical.ts';
import { conditionOf, withCondition } from '#core/object/condition.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { readTime, spellTime, timeOf } from '#core/object/time-field.ts';
import type { TimingProblem } from '#core/slot/timing.ts';
import { formatInstant, type Instant, later } from '#core/time/instant.ts';
import type { PlanSchedule } from './schema.ts';
import { isCronType } from './timing.ts';

const ANCHOR = 'lastScheduleTime';
export const STATUS_FIELDS = [ANCHOR, 'conditions'];

const CONDITION = 'Error';

type Reason = 'InvalidSchedule' | 'NameConflict' | 'CreateRefused';

interface Trouble {
  readonly reason: Reason;
  readonly message: string;
}

/** What one decision, with its outcomes, means for the Plan. */
interface Outcome {
  /** `undecided`: whether a name or a create is still refused was not found out. */
  readonly trouble: Trouble | 'none' | 'undecided' | 'untouched';
  /** The slot that is settled now. */
  readonly settled?: Instant;
  readonly event?: EventDraft;
  readonly finding?: Finding;
  readonly code?: VerdictCode;
  readonly reason?: string;
}

const FINE: Outcome = { trouble: 'none' };

function onSlot(type: EventDraft['type'], reason: string, slot: Instant, note: string): EventDraft {
  return { type, reason, action: 'Schedule', note, slot, identity: String(slot) };
}

function wasTold(plan: KubeObject, { reason, message }: Trouble): boolean {
  const condition = conditionOf(plan.status, CONDITION);
  return condition?.status === 'True' && condition.reason === reason && condition.message === message;
}

/** Told when it begins, and again when the Plan was fine in between. */
function invalid(plan: KubeObject, message: string): Outcome {
  const reason = 'InvalidSchedule';
  const trouble: Trouble = { reason, message };
  if (wasTold(plan, trouble)) return { trouble, reason };
  const identity = `generation ${plan.metadata.generation ?? 0}: ${message}`;
  return { trouble, reason, event: { type: 'Warning', reason, action: 'Schedule', note: message, identity } };
}

function notCreated(slot: Instant, reason: Reason, message: string, code: VerdictCode): Outcome {
  const event = onSlot('Warning', reason, slot, `slot ${formatInstant(slot)}: ${message}`);
  return { trouble: { reason, message }, event, code, reason };
}

function nameTaken(slot: Instant, name: string): Outcome {
  const message = `the name ${name} is taken by a BackupJob that this Plan does not control`;
  const finding: Finding = {
    code: 'NameTaken',
    severity: 'error',
    path: ['metadata', 'name'],
    what: message,
    why: 'a BackupJob counts only when its controller has the uid of this Plan',
    fix: `delete ${name}; the slot stays due until then`,
  };
  return { ...notCreated(slot, 'NameConflict', message, 'conflict'), finding };
}

function fired(decision: Decision & { readonly state: 'fire' }, outcomes: SettleInput['outcomes']): Outcome {
  const { slot } = decision.owed;
  const name = decision.creates[0]?.key.name ?? '';
  const outcome = outcomes.creates[0] ?? { state: 'skipped' };
  switch (outcome.state) {
    case 'created': {
      const reason = 'BackupJobCreated';
      const event = onSlot('Normal', reason, slot, `created ${name} for slot ${formatInstant(slot)}`);
      return { ...FINE, settled: slot, event, reason };
    }
    case 'found':
      return { ...FINE, settled: slot };
    case 'taken':
      return nameTaken(slot, name);
    case 'refused':
      return notCreated(slot, 'CreateRefused', `creating ${name} was refused: ${outcome.message}`, 'failed');
    case 'terminating':
    case 'failed':
    case 'skipped':
      return { trouble: 'undecided', code: 'failed' };
  }
}

function missed(slot: Instant, lateSeconds: number): Outcome {
  const reason = 'MissedSchedule';
  const note = `slot ${formatInstant(slot)} was missed: ${lateSeconds} s late, and the deadline of the configuration has passed`;
  return { ...FINE, settled: slot, event: onSlot('Warning', reason, slot, note), reason };
}

function outcomeOf(plan: KubeObject, { decision, outcomes }: SettleInput): Outcome {
  switch (decision.state) {
    case 'deleting':
      return { trouble: 'untouched' };
    case 'badTiming':
      return invalid(plan, problemText(plan, decision.problem));
    case 'never':
      return invalid(plan, invalidText(plan, 'it names no instant within nine years'));
    case 'waiting':
    case 'suspended':
    case 'resumed':
      return FINE;
    case 'held':
    case 'leaving':
    case 'blocked':
    case 'deferred':
      return { trouble: 'undecided' };
    case 'expired':
      return missed(decision.owed.slot, decision.owed.lateSeconds);
    case 'empty':
    case 'done':
      return { ...FINE, settled: decision.owed.slot };
    case 'taken':
      return nameTaken(decision.owed.slot, decision.name);
    case 'fire':
      return fired(decision, outcomes);
  }
}

/** A type that nobody knows is no fault of the expression beside it. */
function problemText(plan: KubeObject, { what, why }: TimingProblem): string {
  const schedule = scheduleOf(plan);
  if (isCronType(schedule)) return invalidText(plan, what);
  const { cron = '' } = schedule;
  const unread = cron === '' ? '' : `; the expression ${shownCron(cron)} was not looked at`;
  return `the schedule cannot be used: ${what}, and ${why}${unread}`;
}

function scheduleOf({ spec }: KubeObject): PlanSchedule {
  const schedule = isObject(spec) && isObject(spec.schedule) ? spec.schedule : {};
  const { type, cron } = schedule;
  return {
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof cron === 'string' ? { cron } : {}),
  };
}

const SHOWN = 200;

function shownCron(cron: string): string {
  return JSON.stringify(cron.slice(0, SHOWN));
}

function invalidText(plan: KubeObject, why: string): string {
  const { cron = '' } = scheduleOf(plan);
  return `the schedule ${shownCron(cron)} cannot be used: ${why}`;
}

/** A Plan that was always fine has no condition (backups.md B.2). */
function conditionsOf(plan: KubeObject, trouble: Outcome['trouble'], now: Instant): JsonObject {
  const { status } = plan;
  const conditions = isObject(status) ? status.conditions : undefined;
  const kept = conditions === undefined ? {} : { conditions };
  const before = conditionOf(status, CONDITION);
  const observed =
    plan.metadata.generation === undefined ? {} : { observedGeneration: plan.metadata.generation };
  if (typeof trouble === 'object') {
    const draft = { type: CONDITION, status: 'True', ...trouble, ...observed } as const;
    return { conditions: withCondition(status, draft, now) };
  }
  const isUnsettled = trouble === 'undecided' && before?.reason !== 'InvalidSchedule';
  if (before === undefined || trouble === 'untouched' || isUnsettled) return kept;
  const message = 'the schedule is valid';
  const draft = { type: CONDITION, status: 'False', reason: 'ScheduleValid', message, ...observed } as const;
  return { conditions: withCondition(status, draft, now) };
}

function anchorField(status: KubeObject['status'], settled: Instant | undefined): JsonObject {
  const before = readTime(status, ANCHOR);
  const text = spellTime(settled ?? timeOf(before), before);
  return text === undefined ? {} : { [ANCHOR]: text };
}

/** Status and events of a Plan, backups.md B.2. */
export function settlePlan(plan: KubeObject, input: SettleInput): Settled {
  const outcome = outcomeOf(plan, input);
  const { event, finding, code, reason } = outcome;
  return {
    status: {
      ...anchorField(plan.status, later(outcome.settled, input.proved)),
      ...conditionsOf(plan, outcome.trouble, input.now),
    },
    events: event === undefined ? [] : [event],
    findings: finding === undefined ? [] : [finding],
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The owned fields of a fresh read with the anchor moved forward, never back (design.md 3.6). */
export function moveAnchor({ status }: KubeObject, { slot }: Pick<SettledSlot, 'slot'>): JsonObject {
  const conditions = isObject(status) ? status.conditions : undefined;
  return {
    ...anchorField(status, later(slot, timeOf(readTime(status, ANCHOR)))),
    ...(conditions === undefined ? {} : { conditions }),
  };
}
