import type { JsonObject, KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { ReadResult, Store, WriteResult } from '#store/port.ts';

/** A BackupJob or a RestoreJob, as it was read. */
export interface Order {
  readonly store: Store;
  readonly type: ResourceType;
  readonly object: KubeObject;
  readonly now: string;
}

/** What the status of an order is to say. */
export interface Told {
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  readonly reason: string;
  readonly message: string;
  readonly backup?: string;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function conditionsOf(status: JsonObject): readonly JsonObject[] {
  return Array.isArray(status.conditions) ? status.conditions.filter(isObject) : [];
}

export function standing({ object }: Order): {
  readonly phase: string;
  readonly reason: string | undefined;
  readonly startedAt: string | undefined;
} {
  const status = isObject(object.status) ? object.status : {};
  const ready = conditionsOf(status).find(({ type }) => type === 'Ready');
  return {
    phase: textOf(status.phase) ?? '',
    reason: textOf(ready?.reason),
    startedAt: textOf(status.startedAt),
  };
}

export function read({ store, object }: Order, type: ResourceType, name: string): Promise<ReadResult> {
  const namespace = type.namespaced ? (object.metadata.namespace ?? '') : '';
  return store.get(type, { group: type.group, kind: type.kind, namespace, name });
}

/** Nothing but the status, and only of the very object that was read. */
export function applyStatus(
  store: Store,
  type: ResourceType,
  { metadata }: KubeObject,
  fields: JsonObject,
): Promise<WriteResult> {
  const { uid = '', resourceVersion = '', namespace = '', name } = metadata;
  return store.applyStatus(
    type,
    { group: type.group, kind: type.kind, namespace, name },
    { uid, resourceVersion },
    fields,
  );
}

/** An apply says every field that its manager wrote. */
export function tell(order: Order, { phase, reason, message, backup }: Told): Promise<WriteResult> {
  const { store, type, object, now } = order;
  const before = isObject(object.status) ? object.status : {};
  const { startedAt } = standing(order);
  const status = phase === 'Succeeded' ? 'True' : 'False';
  const old = conditionsOf(before).find((condition) => condition.type === 'Ready');
  const lastTransitionTime = old?.status === status ? (old.lastTransitionTime ?? now) : now;
  const ready = { type: 'Ready', status, reason, message, lastTransitionTime };
  const started = startedAt ?? (phase === 'Running' ? now : undefined);
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  return applyStatus(store, type, object, {
    phase,
    ...(started === undefined ? {} : { startedAt: started }),
    ...(isOver ? { completedAt: now } : {}),
    ...(phase === 'Failed' ? { message } : {}),
    ...(backup === undefined ? {} : { backupRef: { name: backup } }),
    conditions: [...conditionsOf(before).filter((condition) => condition !== old), ready],
  });
}
