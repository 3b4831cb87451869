import { orderPhase, orderPhaseText } from '#api/backups/order-phase.ts';
import { OWNER_UID_ANNOTATION, SLOT_ANNOTATION } from '#core/object/annotations.ts';
import type { KubeObject } from '#core/object/object.ts';
import { isControlledBy } from '#core/object/owner.ts';
import { readTime, timeOf } from '#core/object/time-field.ts';
import type { Run, RunPhase } from '#core/run/phase.ts';
import { type Instant, instant, parseInstant } from '#core/time/instant.ts';

/** A BackupJob that nobody has looked at has no phase. */
export function phaseOf(run: KubeObject): RunPhase {
  const phase = orderPhase(run);
  return phase === 'new' ? 'pending' : phase;
}

/** The slot by our mark, or by the name, which says it to the minute. */
function slotOf({ metadata }: KubeObject, plan: KubeObject): Instant | undefined {
  const { annotations, name } = metadata;
  const isMarked = annotations?.[OWNER_UID_ANNOTATION] === plan.metadata.uid;
  const marked = isMarked ? annotations?.[SLOT_ANNOTATION] : undefined;
  const at = marked === undefined ? undefined : parseInstant(marked);
  if (at !== undefined) return at;
  const prefix = `${plan.metadata.name}-`;
  const suffix = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d{1,10}$/.test(suffix) ? instant(Number(suffix) * 60) : undefined;
}

/** A BackupJob counts when its controller has our uid, whoever made it; one without a slot was made by hand. */
export function readRun(run: KubeObject, plan: KubeObject): Run | undefined {
  if (!isControlledBy(run, plan.metadata.uid)) return undefined;
  const slot = slotOf(run, plan);
  const finishedAt = timeOf(readTime(run.status, 'completedAt'));
  return {
    object: run,
    phase: phaseOf(run),
    phaseText: orderPhaseText(run),
    terminating: run.metadata.deletionTimestamp !== undefined,
    manual: slot === undefined,
    ...(slot === undefined ? {} : { slot }),
    ...(finishedAt === undefined ? {} : { finishedAt }),
  };
}
