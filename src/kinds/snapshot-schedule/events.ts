import type { Decision, EventDraft, SettleInput } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import { formatDuration } from '#core/time/duration.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { wasRecorded } from './conditions.ts';
import { SNAPSHOT } from './resources.ts';

const SHOWN = 10;

function onSlot(
  type: EventDraft['type'],
  { reason, action }: { readonly reason: string; readonly action: string },
  slot: Instant,
  note: string,
): EventDraft {
  return { type, reason, action, note, slot, identity: String(slot) };
}

function listed(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** One event for all slots that the deadline took in this tick (D8, D28). */
function expiredEvents(decision: Decision, deadline: number | undefined): EventDraft[] {
  const owed = 'owed' in decision ? decision.owed : undefined;
  // In a pause slots pass unseen.
  if (owed?.expired === undefined || decision.state === 'suspended' || decision.state === 'resumed')
    return [];
  const { count, latest, next } = owed.expired;
  const older = count > 1 ? ` and ${count - 1} before it` : '';
  const then = next === undefined ? 'no slot is left' : `the next slot is ${formatInstant(next)}`;
  const note = `Slot ${formatInstant(latest)}${older} aged past startingDeadlineSeconds (${deadline ?? 0}) and is skipped for good; ${then}`;
  const words = { reason: 'SkipExpiredSlot', action: 'SkipExpiredSlot' };
  return [onSlot('Normal', words, latest, note)];
}

function holdEvents(schedule: KubeObject, decision: Decision): EventDraft[] {
  if (decision.state !== 'held') return [];
  const { slot } = decision.owed;
  const by = decision.by.map(
    ({ object, phaseText }) => `${object.metadata.name} (${phaseText || 'no phase'})`,
  );
  const late = `slot ${formatInstant(slot)}, ${formatDuration(decision.owed.lateSeconds)} late`;
  switch (decision.reason) {
    case 'UnknownPhase': {
      if (wasRecorded(schedule, 'ScheduleRunnable', 'False', 'BlockedOnUnreadableRun')) return [];
      const unknown = decision.by.filter(({ phase }) => phase === 'unknown');
      const shown = unknown.map(({ object, phaseText }) => `${object.metadata.name} (${phaseText})`);
      const words = { reason: 'BlockedOnUnreadableRun', action: 'FinishOperatorUpgrade' };
      return [
        onSlot('Warning', words, slot, `Waiting for a phase that can be read: ${listed(shown)}; ${late}`),
      ];
    }
    case 'OtherRun': {
      if (wasRecorded(schedule, 'HeldByOtherRun', 'True', 'OtherRunActive')) return [];
      const words = { reason: 'OtherRunActive', action: 'AwaitOtherRun' };
      return [
        onSlot(
          'Normal',
          words,
          slot,
          `Waiting for a run that this schedule did not start: ${listed(by)}; ${late}`,
        ),
      ];
    }
    case 'Parked': {
      if (wasRecorded(schedule, 'ReplacementHeld', 'True', 'WaitingForRepositorySlot')) return [];
      const words = { reason: 'WaitingForRepositorySlot', action: 'AwaitRepositorySlot' };
      return [onSlot('Normal', words, slot, `Waiting for room at the repository: ${listed(by)}; ${late}`)];
    }
    case 'RunActive':
      // D27: an ordinary hold is told by the verdict alone.
      return [];
  }
}

/** A slot that cannot fire because of what its schedule points to. */
function blockedEvents(schedule: KubeObject, decision: Decision): EventDraft[] {
  if (decision.state !== 'blocked' || wasRecorded(schedule, 'Ready', 'False', 'MissingDependency')) return [];
  const note = decision.plan.blocked.map(({ what }) => what).join('; ');
  const words = { reason: 'MissingDependency', action: 'RestoreDependency' };
  return [onSlot('Warning', words, decision.owed.slot, note)];
}

/** Told anew for every spec that is wrong. */
function invalidEvents(schedule: KubeObject, decision: Decision): EventDraft[] {
  if (decision.state !== 'badTiming' && decision.state !== 'never') return [];
  if (wasRecorded(schedule, 'Ready', 'False', 'InvalidSchedule')) return [];
  const note =
    decision.state === 'badTiming'
      ? decision.problem.what
      : `The schedule ${JSON.stringify(decision.timing.expression)} names no instant`;
  return [
    {
      type: 'Warning',
      reason: 'InvalidSchedule',
      action: 'CorrectSchedule',
      note,
      identity: `generation ${schedule.metadata.generation ?? 0}`,
    },
  ];
}

function takenEvent(slot: Instant, name: string): EventDraft {
  const note = `The name ${name} is taken by a Snapshot that this schedule did not start for slot ${formatInstant(slot)}`;
  return {
    type: 'Warning',
    reason: 'NameTaken',
    action: 'RenameSnapshot',
    note,
    slot,
    identity: `${slot}/${name}`,
  };
}

function takenEvents(decision: Decision): EventDraft[] {
  if (decision.state === 'taken') return [takenEvent(decision.owed.slot, decision.name)];
  if (decision.state !== 'fire') return [];
  const { slot } = decision.owed;
  return decision.unmet.flatMap((unmet) => (unmet.state === 'taken' ? [takenEvent(slot, unmet.name)] : []));
}

/** What really came of the replacement and of the creates. */
function fireEvents({ decision, outcomes }: SettleInput): EventDraft[] {
  if (decision.state !== 'fire') return [];
  const { slot } = decision.owed;
  const cancelled = decision.victims.filter(
    ({ type }, index) => type.kind === SNAPSHOT.kind && outcomes.victims[index]?.state === 'deleted',
  );
  const events: EventDraft[] = [];
  if (cancelled.length > 0) {
    const words = { reason: 'ReplacedActiveRun', action: 'ReplaceInFlightRun' };
    const names = listed(cancelled.map(({ key }) => key.name));
    events.push(onSlot('Normal', words, slot, `Cancelled for slot ${formatInstant(slot)}: ${names}`));
  }
  for (const [index, { key }] of decision.creates.entries()) {
    const outcome = outcomes.creates[index];
    if (outcome?.state === 'taken') events.push(takenEvent(slot, key.name));
    if (outcome?.state !== 'refused') continue;
    const note = `Creating Snapshot ${key.name} was refused: ${outcome.message}`;
    events.push({
      type: 'Warning',
      reason: 'KubeApiError',
      action: 'CreateSnapshot',
      note,
      slot,
      identity: `${slot}/${key.name}`,
    });
  }
  return events;
}

/** snapshot-schedule.md 5.2: transitions only, each under a name that follows from schedule, reason and slot (D23). */
export function snapshotEvents(
  schedule: KubeObject,
  input: SettleInput,
  deadline: number | undefined,
): readonly EventDraft[] {
  const { decision } = input;
  return [
    ...invalidEvents(schedule, decision),
    ...expiredEvents(decision, deadline),
    ...holdEvents(schedule, decision),
    ...blockedEvents(schedule, decision),
    ...takenEvents(decision),
    ...fireEvents(input),
  ];
}
