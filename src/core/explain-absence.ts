import type { Absence, Explanation, OwedExplanation, PastSlot, ToldEvent } from '#core/explanation.ts';
import type { Schedule } from '#core/kind.ts';
import { readTimeValue } from '#core/object/time-field.ts';
import type { Run } from '#core/run/phase.ts';
import type { Instant } from '#core/time/instant.ts';
import { eventOfSlot } from '#core/told-events.ts';

interface AbsenceInput {
  readonly schedule: Schedule;
  readonly runs: readonly Run[];
  readonly owed: OwedExplanation | undefined;
}

function createdAt({ object }: Schedule): Instant | undefined {
  const created = readTimeValue(object.metadata.creationTimestamp);
  return created.state === 'read' ? created.at : undefined;
}

/** History takes the oldest runs first, of those that succeeded and of those that failed: it may, or may not, have been it. */
function hasOlder(runs: readonly Run[], slot: Instant): boolean {
  return runs.some((run) => !run.manual && run.slot !== undefined && run.slot < slot);
}

function absenceOf(slot: Instant, { schedule, runs, owed }: AbsenceInput): Absence {
  const fate = owed?.fates.find((one) => one.slot === slot);
  if (fate !== undefined)
    return { code: 'owed', fate: fate.code, ...(fate.by === undefined ? {} : { by: fate.by }) };
  const created = createdAt(schedule);
  if (created !== undefined && slot <= created) return { code: 'beforeCreation' };
  return { code: hasOlder(runs, slot) ? 'gap' : 'unknown' };
}

/** Why each slot without a run has none, as far as runs and the decision tell it. */
export function withAbsences(previous: readonly PastSlot[], input: AbsenceInput): readonly PastSlot[] {
  return previous.map((past) =>
    past.runs.length > 0 ? past : { ...past, absence: absenceOf(past.slot, input) },
  );
}

/** With what events say of them. */
export function toldAbsences(
  { previous }: Explanation,
  events: readonly ToldEvent[],
): Explanation['previous'] {
  return previous.map((past) => {
    const { absence } = past;
    if (absence === undefined || absence.code === 'owed') return past;
    const event = eventOfSlot(events, past.slot);
    if (event === undefined) return past;
    return { ...past, absence: { code: 'told', reason: event.reason, note: event.note } };
  });
}
