import type { JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Instant } from '#core/time/instant.ts';

/** Why a change is made; closed. */
export type ChangeReason =
  | 'SlotDue'
  | 'Replaced'
  | 'HistoryLimit'
  | 'TimeToLive'
  | 'StatusChanged'
  | 'Transition';

/** What an object must still be for a write to go through. */
export interface Precondition {
  readonly uid: string;
  readonly resourceVersion: string;
}

export interface CreateChange {
  readonly verb: 'create';
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly reason: 'SlotDue';
  readonly slot: Instant;
  readonly object: KubeObject;
}

export interface DeleteChange {
  readonly verb: 'delete';
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly reason: 'Replaced' | 'HistoryLimit' | 'TimeToLive';
  readonly slot?: Instant;
  readonly precondition: Precondition;
}

/** A server-side apply of a whole set of status fields. */
export interface ApplyChange {
  readonly verb: 'apply';
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly reason: 'StatusChanged';
  readonly precondition: Precondition;
  /** Every field that we own, and no other. */
  readonly fields: JsonObject;
  /** The same fields as they were read. */
  readonly before: JsonObject;
}

export interface EventChange {
  readonly verb: 'event';
  readonly key: ObjectKey;
  readonly reason: 'Transition';
  readonly slot?: Instant;
  readonly object: KubeObject;
}

/** Plain data; what a tick wants done to one object. */
export type Change = CreateChange | DeleteChange | ApplyChange | EventChange;
