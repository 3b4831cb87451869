import type { JsonObject } from '#core/object/object.ts';
import { formatInstant } from '#core/time/instant.ts';
import type { Lag } from './lag.ts';

/** As it is published. */
export function toLagDocument({ lastCompleted, missedMinutes, missed, secondsBack }: Lag): JsonObject {
  return {
    ...(lastCompleted === undefined ? {} : { lastCompleted: formatInstant(lastCompleted) }),
    missedMinutes,
    ...(missed === undefined
      ? {}
      : { missed: { first: formatInstant(missed.first), last: formatInstant(missed.last) } }),
    secondsBack,
  };
}
