import type { EventChange, Precondition } from '#core/change/change.ts';
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
}

/** Takes finalizers off an object that is being deleted. */
export interface WorkRelease {
  readonly verb: 'release';
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly reason: 'FinalizerDone';
  readonly precondition: Precondition;
  readonly finalizers: readonly string[];
}

/** Plain data; what a tick wants done for one order. */
export type WorkChange = WorkCreate | WorkApply | WorkRelease | EventChange;
