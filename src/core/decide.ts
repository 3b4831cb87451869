import type { DeleteChange } from '#core/change/change.ts';
import type { Decision, Schedule, ScheduleKind } from '#core/kind.ts';
import { keyOf } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { isControlledBy } from '#core/object/owner.ts';
import { decideGate } from '#core/run/concurrency.ts';
import { isFinished, type Run } from '#core/run/phase.ts';
import type { RunIndex } from '#core/run/run-index.ts';
import { decideSlot, type LatenessRule, type OwedSlots, type SlotDecision } from '#core/slot/decide-slot.ts';
import type { ExtendedDays } from '#core/slot/extended-days.ts';
import { compileTiming, type Timing } from '#core/slot/timing.ts';
import { type Instant, instant } from '#core/time/instant.ts';

/** What the decision about one schedule is made from. */
export interface DecideInput {
  readonly kind: ScheduleKind;
  readonly schedule: Schedule;
  readonly runs: readonly Run[];
  readonly proved: Instant | undefined;
  readonly index: RunIndex;
  readonly graceSeconds: number;
  readonly now: Instant;
  readonly extend?: ExtendedDays;
}

export function compileSchedule(
  schedule: Pick<Schedule, 'timing'>,
  extend: ExtendedDays | undefined,
): ReturnType<typeof compileTiming> {
  const { expressionPath: _expression, zonePath: _zone, ...source } = schedule.timing;
  return compileTiming(extend === undefined ? source : { ...source, extend });
}

function lateness({ kind, schedule, graceSeconds }: DecideInput): LatenessRule {
  const { deadlineSeconds } = schedule;
  return { deadlineSeconds, graceSeconds, exactlyOnDeadline: kind.rules.exactlyOnDeadline };
}

function owedOf(slots: SlotDecision): OwedSlots | undefined {
  return slots.state === 'due' || slots.state === 'expired' ? slots : undefined;
}

function nextOf(slots: SlotDecision): Instant | undefined {
  return slots.state === 'never' ? undefined : slots.next;
}

/** The fate of the latest owed slot of one schedule, first match wins. */
export function decide(input: DecideInput): Decision {
  const { kind, schedule, proved, now } = input;
  if (schedule.object.metadata.deletionTimestamp !== undefined) return { state: 'deleting' };
  const compiled = compileSchedule(schedule, input.extend);
  if (!compiled.ok) {
    if (schedule.suspended && kind.rules.suspendHides.includes(compiled.problem.code)) {
      return { state: 'suspended', timing: undefined, owed: undefined, next: undefined };
    }
    return { state: 'badTiming', problem: compiled.problem };
  }
  const { timing } = compiled;
  // The proved slot itself is looked at once more: its run is there, so that it is found to be done.
  const anchor = proved === undefined ? schedule.anchor : instant(proved - 1);
  const slots = decideSlot(timing, anchor, now, lateness(input));
  if (schedule.suspended) return { state: 'suspended', timing, owed: owedOf(slots), next: nextOf(slots) };
  switch (slots.state) {
    case 'never':
      return { state: 'never', timing };
    case 'none':
      return { state: 'waiting', timing, next: slots.next };
    case 'due':
    case 'expired':
      return decideOwed(input, timing, slots);
  }
}

function decideOwed(
  input: DecideInput,
  timing: Timing,
  owed: OwedSlots & { readonly state: 'due' | 'expired' },
): Decision {
  const { kind, schedule, runs, index } = input;
  const name = schedule.runName(owed.slot);
  const named = index.named(schedule.object.metadata.namespace ?? '', name);
  const run = runs.find((one) => !one.manual && one.slot === owed.slot) ?? ownNamesake(input, named);
  // An existing run settles its slot unless it is stopped and deleted before it ended (design.md 3.4).
  if (run !== undefined)
    return { state: run.terminating && !isFinished(run) ? 'leaving' : 'done', timing, owed, run };
  if (schedule.resumed) return { state: 'resumed', timing, owed, next: owed.next };
  if (owed.state === 'expired') return { state: 'expired', timing, owed };
  if (named !== undefined) return { state: 'taken', timing, owed, name };
  const gate = decideGate(schedule.concurrency, runs, owed.slot);
  if (gate.state === 'held') {
    return { state: 'held', timing, owed, by: gate.by, unknownPhase: gate.reason === 'UnknownPhase' };
  }
  const object = schedule.buildRun(owed.slot, timing);
  return {
    state: 'fire',
    timing,
    owed,
    create: {
      verb: 'create',
      type: kind.run,
      key: keyOf(object),
      reason: 'SlotDue',
      slot: owed.slot,
      object,
    },
    victims: gate.victims.map((victim) => deleteRun(kind, victim, 'Replaced')),
  };
}

/** The name says the slot: what has it and is controlled by the schedule stands for it, whatever else it lacks. */
function ownNamesake({ kind, schedule, runs }: DecideInput, named: KubeObject | undefined): Run | undefined {
  if (named === undefined || !isControlledBy(named, schedule.object.metadata.uid)) return undefined;
  const known = runs.find(({ object }) => object === named);
  const terminating = named.metadata.deletionTimestamp !== undefined;
  return known ?? { object: named, phase: kind.phaseOf(named), phaseText: '', terminating, manual: true };
}

export function deleteRun(kind: ScheduleKind, run: Run, reason: DeleteChange['reason']): DeleteChange {
  const { uid = '', resourceVersion = '' } = run.object.metadata;
  const change: DeleteChange = {
    verb: 'delete',
    type: kind.run,
    key: keyOf(run.object),
    reason,
    precondition: { uid, resourceVersion },
  };
  return run.slot === undefined ? change : { ...change, slot: run.slot };
}
