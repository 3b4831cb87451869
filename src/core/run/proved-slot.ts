import type { Schedule } from '#core/kind.ts';
import { OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import { isFinished, type Run } from '#core/run/phase.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

type Named = Pick<Schedule, 'object' | 'anchor' | 'isRunName'>;

/** Made by us for this schedule and this slot; one that is deleted before its end settles nothing (design.md 3.4). */
function proves(run: Run, slot: Instant, { object, isRunName }: Named): boolean {
  const { annotations, name } = run.object.metadata;
  return (
    !run.manual &&
    !(run.terminating && !isFinished(run)) &&
    annotations?.[OWNER_UID_ANNOTATION] === object.metadata.uid &&
    annotations?.[SLOT_ANNOTATION] === formatInstant(slot) &&
    isRunName(name, slot)
  );
}

/**
 * The newest slot after the anchor for which a run of ours exists: it was acted on, though its status was lost. It is
 * taken up into the anchor before the run can be deleted, so that no slot is run twice by our own hand (design.md 3.4).
 */
export function provedSlot(schedule: Named, runs: readonly Run[]): Instant | undefined {
  return runs.reduce<Instant | undefined>((newest, run) => {
    const { slot } = run;
    if (slot === undefined || slot <= (newest ?? schedule.anchor)) return newest;
    return proves(run, slot, schedule) ? slot : newest;
  }, undefined);
}
