import { preconditionOf } from '#core/change/precondition.ts';
import { isObject, sameValue } from '#core/object/canonical.ts';
import { type ConditionDraft, conditionOf, withCondition } from '#core/object/condition.ts';
import { keyOf } from '#core/object/key.ts';
import type { JsonObject } from '#core/object/object.ts';
import { readTime, spellTime, timeOf } from '#core/object/time-field.ts';
import type { WorkStep } from '#core/run/driver.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Order } from './order.ts';

const READY = 'Ready';

/** What one step leaves in the status of an order. */
export interface StatusDraft {
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  /** Kept as it was where it is left out. */
  readonly startedAt?: Instant;
  readonly completedAt?: Instant;
  readonly message?: string;
  /** The name of the Backup. */
  readonly backup?: string;
  readonly condition: Pick<ConditionDraft, 'status' | 'reason' | 'message'>;
}

/** When the order was started; undefined where nobody has, or where it cannot be read. */
export function startedAt({ status }: Order): Instant | undefined {
  return timeOf(readTime(status, 'startedAt'));
}

export function readyReason({ status }: Order): string | undefined {
  const condition = conditionOf(status, READY);
  return typeof condition?.reason === 'string' ? condition.reason : undefined;
}

function definedFields(fields: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  const defined: Record<string, JsonObject[string]> = {};
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) defined[field] = value;
  return defined;
}

/** Every field that we own, with its value. */
export function statusOf(order: Order, draft: StatusDraft): JsonObject {
  const { status, object, now } = order;
  const { generation } = object.metadata;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  return definedFields({
    phase: draft.phase,
    startedAt: spellTime(draft.startedAt ?? startedAt(order), readTime(status, 'startedAt')),
    completedAt: spellTime(draft.completedAt, readTime(status, 'completedAt')),
    message: draft.message,
    backupRef: draft.backup === undefined ? undefined : { name: draft.backup },
    conditions: withCondition(status, { type: READY, ...draft.condition, ...observed }, now),
  });
}

/** The order as it stands once the status was written. */
export function afterStatus(order: Order, fields: JsonObject): Order {
  const kept = Object.entries(order.status).filter(([field]) => !order.sort.statusFields.includes(field));
  return { ...order, status: { ...Object.fromEntries(kept), ...fields } };
}

function ownedFields({ sort, status }: Order): JsonObject {
  return definedFields(Object.fromEntries(sort.statusFields.map((field) => [field, status[field]])));
}

/** None where nothing would change. */
export function statusSteps(order: Order, fields: JsonObject): readonly WorkStep[] {
  const before = ownedFields(order);
  if (sameValue(before, fields)) return [];
  return [
    {
      verb: 'apply',
      change: {
        verb: 'apply',
        type: order.sort.type,
        key: keyOf(order.object),
        reason: 'StatusChanged',
        precondition: preconditionOf(order.object),
        fields,
        before,
      },
    },
  ];
}

/** Reasons of an order whose Job was seen: the record that it existed. */
export const JOB_CREATED = 'JobCreated';
export const JOB_SUSPENDED = 'JobSuspended';

export function createdMessage({ jobName }: Order): string {
  return `Job ${jobName} was created`;
}

/** Whether the status tells that the Job of the order existed: then there is no second one. */
export function wasRecorded(order: Order): boolean {
  const condition = conditionOf(order.status, READY);
  if (!isObject(condition) || typeof condition.message !== 'string') return false;
  const isRecord = condition.reason === JOB_CREATED || condition.reason === JOB_SUSPENDED;
  return isRecord && condition.message.includes(order.jobName);
}
