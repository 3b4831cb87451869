import type { DiagnosticCode } from '#core/diagnostic.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { DEFRAG } from '#kinds/etcd-defrag-policy/resources.ts';
import type { ApiServer } from '#test/cluster/support/api-server.ts';
import type { CreateBody } from '#test/cluster/world/api.ts';
import { createProbe, type Obstacle, type Probe } from '#test/cluster/world/obstacles.ts';
import { daysAfter, NOW, SLOT } from '#test/cluster/world/times.ts';

/** The first slot goes through everywhere; the obstacles stand when the second comes. */
export const FIRST = SLOT;
export const SECOND = daysAfter(SLOT, 1);
export const SECOND_NOW = daysAfter(NOW, 1);

/** One obstacle in a namespace of its own. */
export interface FailureCase {
  readonly title: string;
  readonly namespace: string;
  readonly objects: readonly (readonly [ResourceType, CreateBody])[];
  /** Put up between the two slots. */
  readonly putUp: (server: ApiServer) => Promise<Obstacle>;
  /** What the one error says, and the object that it is about; absent where nothing fails. `WriteFailed` unless said. */
  readonly failure?: readonly [what: string, object: string, code?: DiagnosticCode];
  /** Every write of the tick in the namespace, without events. */
  readonly meanwhile: readonly string[];
  /** What a second tick in front of the obstacle tries once more. */
  readonly again: readonly string[];
  /** Every write of the first tick after the obstacle is gone. */
  readonly afterwards: readonly string[];
}

/** Of an EtcdDefrag. */
export function defragProbe(namespace: string): Probe {
  return createProbe(DEFRAG, namespace, 'probe', { clusterRef: { name: 'kv' } });
}
