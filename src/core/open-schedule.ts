import { withHeldAnchor } from '#core/held-anchor.ts';
import type { OpenContext, Opened, ScheduleKind } from '#core/kind.ts';
import type { SourcedObject } from '#core/object/object.ts';

/** Reads an object of a kind with all that is known of it beside its own text. */
export function openSchedule(
  kind: ScheduleKind,
  { object, assumedCreation }: SourcedObject,
  context: Omit<OpenContext, 'assumedCreation'>,
): Opened {
  const whole = withHeldAnchor(kind.rules, object);
  return kind.open(whole, assumedCreation === true ? { ...context, assumedCreation } : context);
}
