import type { JsonObject } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { POLICY as DEFRAG_POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { SCHEDULE, POLICY as SNAPSHOT_POLICY } from '#kinds/snapshot-schedule/resources.ts';
import { TEMPLATE } from '#test/cli/manifests.ts';
import type { CreateBody } from './api.ts';

interface Parts {
  readonly spec?: JsonObject;
  readonly metadata?: JsonObject;
}

function object(type: ResourceType, where: string, spec: JsonObject, parts: Parts): CreateBody {
  const [namespace = '', name = ''] = where.split('/');
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata: { name, namespace, ...parts.metadata },
    spec: { ...spec, ...parts.spec },
  };
}

/** @param where namespace and name, with a slash between them */
export function defragPolicy(where: string, parts: Parts = {}): CreateBody {
  return object(DEFRAG_POLICY, where, { clusterRef: { name: 'kv' }, schedule: '* * * * *' }, parts);
}

export function cronJob(where: string, parts: Parts = {}): CreateBody {
  return object(CRON_JOB, where, { schedule: '* * * * *', jobTemplate: TEMPLATE }, parts);
}

export function snapshotPolicy(where: string, parts: Parts = {}): CreateBody {
  const spec = { repository: { name: 'nas' }, sources: [{ pvc: { name: 'data' } }] };
  return object(SNAPSHOT_POLICY, where, spec, parts);
}

export function snapshotSchedule(where: string, schedule: JsonObject = {}, parts: Parts = {}): CreateBody {
  const timetable = { cron: '* * * * *', timezone: 'UTC', jitter: '0s', ...schedule };
  const aim = parts.spec?.['policySelector'] === undefined ? { policyRef: { name: 'pg' } } : {};
  return object(SCHEDULE, where, { ...aim, schedule: timetable }, parts);
}
