import type { Decision } from '#core/kind.ts';
import type { Entry } from '#core/settle.ts';
import { type Owing, owingOf } from '#core/slot/owing.ts';
import type { Timing } from '#core/slot/timing.ts';

/** What slots follow from; undefined where the object goes, or its timing cannot be read. */
export function timingOf(decision: Decision | undefined): Timing | undefined {
  return decision !== undefined && 'timing' in decision ? decision.timing : undefined;
}

/** What a schedule owes, as its decision counts it. */
export function owingOfEntry(
  { schedule: { anchor, pin }, proved }: Pick<Entry, 'schedule' | 'proved'>,
  timing: Timing,
): Owing {
  return owingOf(timing, { anchor, pin, proved });
}
