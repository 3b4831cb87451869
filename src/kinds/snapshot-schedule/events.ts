import type { Decision, EventDraft, SettleInput } from '#core/kind.ts';
import type { KubeObject } from '#core/object/object.ts';
import { formatDuration } from '#core/time/duration.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { blockersOf } from './blockers.ts';
import { wasRecorded } from './conditions.ts';
import { SNAPSHOT } from './resources.ts';

/** Of the 1024 bytes of a note, beside the rest of its sentence. */
const ROOM = 850;

function onSlot(
  type: EventDraft['type'],
  { reason, action }: { readonly reason: string; readonly action: string },
  slot: Instant,
  note: string,
): EventDraft {
  return { type, reason, action, note, slot, identity: String(slot) };
}

/** As many as a note has room for. */
function listed(names: readonly string[]): string {
  let shown = names.length;
  let length = names.join(', ').length;
  while (shown > 1 && length > ROOM) {
    shown -= 1;
    length -= (names[shown]?.length ?? 0) + 2;
  }
  const more = names.length - shown;
  return `${names.slice(0, shown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** One event for all slots that the deadline took in this tick (D8, D28). */
function expiredEvents(decision: Decision, deadline: number | undefined): EventDraft[] {
  const owed = 'owed' in decision ? decision.owed : undefined;
  // In a pause slots pass unseen.
  if (owed?.expired === undefined || decision.state === 'suspended' || decision.state === 'resumed')
    return [];
  // A slot whose runs are there was not skipped, however late that is found.
  if (decision.state === 'done' && owed.expired.latest === owed.slot) return [];
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
  const blockers = blockersOf(decision);
  if (blockers.length === 0 || !('owed' in decision) || decision.owed === undefined) return [];
  if (wasRecorded(schedule, 'Ready', 'False', 'MissingDependency')) return [];
  const note = blockers.map(({ what }) => what).join('; ');
  const words = { reason: 'MissingDependency', action: 'RestoreDependency' };
  return [onSlot('Warning', words, decision.owed.slot, note)];
}

/** Told once, and again when the schedule was valid in between. */
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

/** The runs that a replacement really took away, by name. */
export function cancelledRuns({ decision, outcomes }: SettleInput): readonly string[] {
  if (decision.state !== 'fire') return [];
  return decision.victims.flatMap(({ type, key }, index) =>
    type.kind === SNAPSHOT.kind && outcomes.victims[index]?.state === 'deleted' ? [key.name] : [],
  );
}

function refused(action: string, slot: Instant, name: string, note: string): EventDraft {
  return {
    type: 'Warning',
    reason: 'KubeApiError',
    action,
    note,
    slot,
    identity: `${slot}/${action}/${name}`,
  };
}

/** Deletes that cannot heal by themselves; what may go through later is tried again in silence. */
function refusedVictims(
  decision: Decision & { readonly state: 'fire' },
  { outcomes }: SettleInput,
): EventDraft[] {
  return decision.victims.flatMap(({ key }, index): EventDraft[] => {
    const outcome = outcomes.victims[index];
    if (outcome?.state !== 'failed' || outcome.refused !== true) return [];
    const note = `Deleting ${key.kind} ${key.name} was refused: ${outcome.message}`;
    return [refused('ReplaceInFlightRun', decision.owed.slot, `${key.kind} ${key.name}`, note)];
  });
}

/** One for all that were refused: a quota stops them by the dozen. */
function createEvents(
  decision: Decision & { readonly state: 'fire' },
  { outcomes }: SettleInput,
): EventDraft[] {
  const { slot } = decision.owed;
  const events: EventDraft[] = [];
  const names: string[] = [];
  let why = '';
  for (const [index, { key }] of decision.creates.entries()) {
    const outcome = outcomes.creates[index];
    if (outcome?.state === 'taken') events.push(takenEvent(slot, key.name));
    if (outcome?.state !== 'refused') continue;
    names.push(key.name);
    why ||= outcome.message;
  }
  if (names.length === 0) return events;
  const note = `Creating ${listed(names)} was refused: ${why}`;
  return [...events, refused('CreateSnapshot', slot, names[0] ?? '', note)];
}

/** What really came of the replacement and of the creates. */
function fireEvents(input: SettleInput): EventDraft[] {
  const { decision } = input;
  if (decision.state !== 'fire') return [];
  const { slot } = decision.owed;
  const cancelled = cancelledRuns(input);
  const words = { reason: 'ReplacedActiveRun', action: 'ReplaceInFlightRun' };
  const note = `Cancelled for slot ${formatInstant(slot)}: ${listed(cancelled)}`;
  return [
    // What is cancelled in a second attempt at the slot is told as well.
    ...(cancelled.length > 0
      ? [{ ...onSlot('Normal', words, slot, note), identity: `${slot}/${cancelled.join('/')}` }]
      : []),
    ...refusedVictims(decision, input),
    ...createEvents(decision, input),
  ];
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
