import { type Census, takeCensus } from '#core/census.ts';
import type { CreateChange } from '#core/change/change.ts';
import { replacements } from '#core/delete-run.ts';
import type { Decision, Schedule, ScheduleKind } from '#core/kind.ts';
import { keyOf } from '#core/object/key.ts';
import type { Referents } from '#core/referents.ts';
import { decideGate } from '#core/run/concurrency.ts';
import type { Run } from '#core/run/phase.ts';
import type { PlannedRun, RunPlan } from '#core/run/plan.ts';
import type { RunIndex } from '#core/run/run-index.ts';
import { decideSlot, type LatenessRule, type OwedSlots, type SlotDecision } from '#core/slot/decide-slot.ts';
import type { ExtendedDays } from '#core/slot/extended-days.ts';
import { compileTiming, type Timing, type TimingInput } from '#core/slot/timing.ts';
import type { Instant } from '#core/time/instant.ts';
import { tellUnfilledTiming } from '#core/unfilled-field.ts';

/** What the decision about one schedule is made from. */
export interface DecideInput {
  readonly kind: ScheduleKind;
  readonly schedule: Schedule;
  readonly runs: readonly Run[];
  /** Read only where a slot is due. */
  readonly others: () => readonly Run[];
  readonly proved: Instant | undefined;
  readonly index: RunIndex;
  readonly referents: Referents;
  readonly graceSeconds: number;
  readonly now: Instant;
  readonly extend?: ExtendedDays;
}

/** What the slot engine needs of a schedule; it looks at nothing else. */
export function timingInput(
  { timing }: Pick<Schedule, 'timing'>,
  extend: ExtendedDays | undefined,
): TimingInput {
  return extend === undefined ? timing : { ...timing, extend };
}

export function compileSchedule(
  schedule: Pick<Schedule, 'timing'>,
  extend: ExtendedDays | undefined,
): ReturnType<typeof compileTiming> {
  const { timing } = schedule;
  const compiled =
    timing.refused === undefined
      ? compileTiming(timingInput(schedule, extend))
      : { ok: false as const, problem: timing.refused };
  return compiled.ok ? compiled : { ok: false, problem: tellUnfilledTiming(timing, compiled.problem) };
}

function lateness({ kind, schedule, graceSeconds }: DecideInput): LatenessRule {
  const { deadlineSeconds } = schedule;
  const { exactlyOnDeadline, expiredBacklog } = kind.rules;
  return { deadlineSeconds, graceSeconds, exactlyOnDeadline, expiredBacklog };
}

function owedOf(slots: SlotDecision): OwedSlots | undefined {
  return slots.state === 'due' || slots.state === 'expired' ? slots : undefined;
}

function nextOf(slots: SlotDecision): Instant | undefined {
  return slots.state === 'never' ? undefined : slots.next;
}

/** The fate of the latest owed slot of one schedule, first match wins. */
export function decide(input: DecideInput): Decision {
  const { kind, schedule, now } = input;
  if (schedule.object.metadata.deletionTimestamp !== undefined) return { state: 'deleting' };
  const compiled = compileSchedule(schedule, input.extend);
  if (!compiled.ok) {
    if (schedule.suspended && kind.rules.suspendHides.includes(compiled.problem.code)) {
      return { state: 'suspended', timing: undefined, owed: undefined, next: undefined };
    }
    return { state: 'badTiming', problem: compiled.problem };
  }
  const { timing } = compiled;
  const { anchor, pin } = schedule;
  const slots = decideSlot(timing, { anchor, pin, proved: input.proved }, now, lateness(input));
  const hidden = kind.rules.suspendHides.includes('InvalidSchedule');
  if (schedule.suspended && (slots.state !== 'never' || hidden))
    return { state: 'suspended', timing, owed: owedOf(slots), next: nextOf(slots) };
  switch (slots.state) {
    case 'never':
      return { state: 'never', timing };
    case 'none':
      return waiting(timing, slots);
    case 'due':
    case 'expired':
      return decideOwed(input, timing, slots);
  }
}

function waiting(timing: Timing, { next, overlooked }: SlotDecision & { readonly state: 'none' }): Decision {
  return { state: 'waiting', timing, next, ...(overlooked === undefined ? {} : { overlooked }) };
}

type Owed = OwedSlots & { readonly state: 'due' | 'expired' };

function decideOwed(input: DecideInput, timing: Timing, owed: Owed): Decision {
  const { schedule } = input;
  const plan = schedule.planRuns(owed.slot, timing);
  const census = takeCensus(input, plan, owed.slot);
  const { existing, unmet, missing } = census;
  if (missing.length + unmet.length === 0 && existing.length > 0)
    return { state: 'done', timing, owed, plan, runs: existing };
  // Before anything that takes a tick longer: the pause is known from the status, which is written now.
  if (schedule.resumed) return { state: 'resumed', timing, owed, next: owed.next };
  const leaving = census.leaving[0];
  if (leaving !== undefined && missing.length === 0)
    return { state: 'leaving', timing, owed, plan, run: leaving };
  if (owed.state === 'expired') return { state: 'expired', timing, owed };
  const taken = unmet.find((one) => one.state === 'taken');
  if (taken !== undefined && missing.length === 0)
    return { state: 'taken', timing, owed, plan, name: taken.name };
  return gated(input, { timing, owed, plan, census });
}

interface Due {
  readonly timing: Timing;
  readonly owed: OwedSlots;
  readonly plan: RunPlan;
  readonly census: Census;
}

/** What is left to be started for a slot that is wanted: after the gate, and only if there is something. */
function gated(input: DecideInput, { timing, owed, plan, census }: Due): Decision {
  const { kind, schedule, runs, others } = input;
  const { terminatingRuns, replaces } = kind.rules;
  const own = schedule.pin?.besideOwn === true ? [] : runs;
  const { slot } = owed;
  const gate = decideGate({
    policy: schedule.concurrency,
    slot,
    runs: own,
    others: others(),
    terminatingRuns,
    replaces,
  });
  if (gate.state === 'held') return { state: 'held', timing, owed, by: gate.by, reason: gate.reason };
  const { existing, unmet, missing } = census;
  if (missing.length === 0) return { state: unmet.length > 0 ? 'blocked' : 'empty', timing, owed, plan };
  const victims = replacements(input, gate.victims);
  if (typeof victims === 'string')
    return { state: 'blocked', timing, owed, plan: withBlocker(plan, victims) };
  const creates = missing.map((planned) => createOf(kind, planned, slot));
  return { state: 'fire', timing, owed, plan, creates, existing, unmet, victims };
}

function withBlocker(plan: RunPlan, what: string): RunPlan {
  return { ...plan, blocked: [...plan.blocked, { code: 'unreadable', target: '', what }] };
}

/** The change that makes a planned run of a slot. */
export function createOf(kind: ScheduleKind, { target, build }: PlannedRun, slot: Instant): CreateChange {
  const object = build();
  return {
    verb: 'create',
    type: kind.run,
    key: keyOf(object),
    reason: 'SlotDue',
    slot,
    target,
    object,
  };
}
