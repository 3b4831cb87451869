import type { JsonObject } from '#core/object/object.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

export interface JobCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/**
 * The list with the condition set as the built-in controller does it: in its place, or at the end; one that was never
 * there does not become False. The same list if nothing changes.
 */
export function withJobCondition(
  list: readonly JsonObject[],
  condition: JobCondition,
  now: Instant,
): readonly JsonObject[] {
  const { type, status, reason, message } = condition;
  const before = list.find((one) => one.type === type);
  if (before === undefined && status === 'False') return list;
  if (before?.status === status && before.reason === reason && (before.message ?? '') === message)
    return list;
  const time = formatInstant(now);
  const entry = { lastProbeTime: time, lastTransitionTime: time, message, reason, status, type };
  return before === undefined ? [...list, entry] : list.map((one) => (one === before ? entry : one));
}
