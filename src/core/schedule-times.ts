import type { Json, JsonObject } from '#core/object/object.ts';
import { readTime, spellTime, timeOf } from '#core/object/time-field.ts';
import type { Instant } from '#core/time/instant.ts';

/**
 * `lastScheduleTime` and `lastSuccessfulTime` of a status, in the spelling that they have while they mean the same.
 * @param settled the slot that is settled now; undefined leaves the anchor where it is
 */
export function scheduleTimes(
  status: Json | undefined,
  settled: Instant | undefined,
  success: Instant | undefined,
): JsonObject {
  const schedule = readTime(status, 'lastScheduleTime');
  const lastScheduleTime = spellTime(settled ?? timeOf(schedule), schedule);
  const lastSuccessfulTime = spellTime(success, readTime(status, 'lastSuccessfulTime'));
  return {
    ...(lastScheduleTime === undefined ? {} : { lastScheduleTime }),
    ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }),
  };
}
