import type { JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Instant } from '#core/time/instant.ts';

/** Why something is deleted; closed. */
export type DeleteReason = Extract<ChangeReason, 'Replaced' | 'HistoryLimit' | 'TimeToLive' | 'Retention'>;

/** Why a change is made; closed. */
export const CHANGE_REASONS = [
  'SlotDue',
  'Replaced',
  'HistoryLimit',
  'TimeToLive',
  'Retention',
  'StatusChanged',
  'LeftoverMark',
  'Transition',
  'WorkStarted',
  'WorkDone',
  'FinalizerDone',
] as const;
export type ChangeReason = (typeof CHANGE_REASONS)[number];

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
  /** Tells the runs of one slot apart; empty where a slot has one run. */
  readonly target: string;
  readonly object: KubeObject;
}

export interface DeleteChange {
  readonly verb: 'delete';
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly reason: DeleteReason;
  readonly slot?: Instant;
  readonly precondition: Precondition;
  /** Annotations written first, with the same precondition; the delete carries the version that comes back. */
  readonly marks?: Readonly<Record<string, string>>;
  /** Of a retention delete: the uid of the schedule that started the run, whose status tells of it. */
  readonly owner?: string;
}

/** Sets annotations, and removes those that are null. */
export interface AnnotateChange {
  readonly verb: 'annotate';
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly reason: 'LeftoverMark';
  readonly precondition: Precondition;
  readonly annotations: Readonly<Record<string, string | null>>;
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
export type Change = CreateChange | DeleteChange | AnnotateChange | ApplyChange | EventChange;
