import type { KubeObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { RunPhase } from '#core/run/phase.ts';

/** A type whose objects carry runs out. */
export interface Workload {
  readonly resource: ResourceType;
  readonly phaseOf: (object: KubeObject) => RunPhase;
}
