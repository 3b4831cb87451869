import type { EventChange, Precondition, WorkDeleteReason, WorkReleaseReason } from '#core/change/change.ts';
import type { JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';

/** What carries an order out, or the record of what came of it. */
export interface WorkCreate {
  readonly verb: 'create';
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly reason: 'WorkStarted' | 'WorkDone';
  readonly object: KubeObject;
}

/** A server-side apply of a whole set of status fields. */
export interface WorkApply {
  readonly verb: 'apply';
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly reason: 'StatusChanged';
  /** Absent: that of the object which the create before it made or found; its status may stand already. */
  readonly precondition?: Precondition;
  readonly fields: JsonObject;
  readonly before: JsonObject;
  /** Annotations of ours that travel in the same write; null: it goes. For types whose API keeps them there. */
  readonly annotations?: Readonly<Record<string, string | null>>;
}

/** Deletes a part of what carries an order out, or an order whose time is over. */
export interface WorkDelete {
  readonly verb: 'delete';
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly reason: WorkDeleteReason;
  readonly precondition: Precondition;
  /** The order stays until everything that it controls is gone. */
  readonly foreground?: true;
}

/** Takes finalizers off: of an order that is being deleted, or of a part that is counted. */
export interface WorkRelease {
  readonly verb: 'release';
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly reason: WorkReleaseReason;
  readonly precondition: Precondition;
  readonly finalizers: readonly string[];
}

/** Plain data; what a tick wants done for one order. */
export type WorkChange = WorkCreate | WorkApply | WorkRelease | WorkDelete | EventChange;
