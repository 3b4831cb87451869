import { JOB } from '#api/resources.ts';
import type { Precondition } from '#core/change/change.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { controllerReference } from '#core/object/owner.ts';
import type { ResourceType } from '#core/object/resource.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import type { Store, WriteResult } from '#store/port.ts';

export { CRON_JOB, JOB };

const POD_TEMPLATE: JsonObject = {
  spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/tool:1' }] },
};

export function cronJob(namespace: string, name: string, more: Partial<KubeObject> = {}): KubeObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, namespace },
    spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: POD_TEMPLATE } } },
    ...more,
  };
}

export function job(namespace: string, name: string, owner?: KubeObject): KubeObject {
  const ownerReferences = owner === undefined ? {} : { ownerReferences: [controllerReference(owner)] };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace,
      labels: { app: 'tool' },
      annotations: { 'example.com/note': 'kept' },
      ...ownerReferences,
    },
    spec: { template: POD_TEMPLATE },
  };
}

export const FIRST = '2026-06-10T03:00:00Z';
export const SECOND = '2026-06-11T03:00:00Z';

export function accepted(result: WriteResult): KubeObject {
  if (!result.ok) throw new Error(`refused as ${result.failure.kind}: ${result.failure.message}`);
  return result.object;
}

/** The kind of a failure, or `ok`. */
export function outcome(result: WriteResult): string {
  return result.ok ? 'ok' : result.failure.kind;
}

export function preconditionOf(object: KubeObject): Precondition {
  return { uid: object.metadata.uid ?? '', resourceVersion: object.metadata.resourceVersion ?? '' };
}

export async function listed(store: Store, type: ResourceType): Promise<readonly KubeObject[]> {
  const listing = await store.list(type);
  if (listing.state !== 'read') throw new Error(`${type.kind} is ${listing.state}`);
  return listing.objects.map(({ object }) => object);
}

/** A kind whose names may have 253 characters; those of Jobs and CronJobs are shorter on a real server. */
export const CONFIG_MAP: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  shortNames: ['cm'],
  namespaced: true,
};

export function configMap(namespace: string, name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { key: 'value' } };
}
