import { isObject, textMember } from '#core/object/canonical.ts';
import type { Json, JsonObject } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import { formatInstant } from '#core/time/instant.ts';

export interface ConditionDraft {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}

/** The API refuses longer messages (metav1.Condition). */
const MAX_MESSAGE = 32_768;

export function conditionOf(status: Json | undefined, type: string): JsonObject | undefined {
  const conditions = isObject(status) ? status.conditions : undefined;
  if (!Array.isArray(conditions)) return undefined;
  return conditions.find((one): one is JsonObject => isObject(one) && one.type === type);
}

export function isConditionTrue(status: Json | undefined, type: string): boolean {
  return conditionOf(status, type)?.status === 'True';
}

/**
 * The whole list as read with one entry replaced: lists of conditions are atomic in foreign CRDs, so
 * other entries must be sent along unchanged. `lastTransitionTime` moves only with `status`.
 */
export function withCondition(status: Json | undefined, draft: ConditionDraft, now: Instant): Json[] {
  const list = isObject(status) && Array.isArray(status.conditions) ? status.conditions : [];
  const before = conditionOf(status, draft.type);
  const kept = before?.status === draft.status ? textMember(before, 'lastTransitionTime') : undefined;
  const entry: JsonObject = {
    lastTransitionTime: kept ?? formatInstant(now),
    message: draft.message.slice(0, MAX_MESSAGE),
    ...(draft.observedGeneration === undefined ? {} : { observedGeneration: draft.observedGeneration }),
    reason: draft.reason,
    status: draft.status,
    type: draft.type,
  };
  if (before === undefined) return [...list, entry];
  return list.map((item) => (item === before ? entry : item));
}
