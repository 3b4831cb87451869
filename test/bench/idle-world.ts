import type { KubeObject } from '#core/object/object.ts';
import { type Listing, type Observed, typeId } from '#core/observed.ts';
import { type Instant, parseInstant } from '#core/time/instant.ts';
import { cronJob } from '#kinds/cron-job/index.ts';
import { etcdDefragPolicy } from '#kinds/etcd-defrag-policy/index.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Asia/Kathmandu',
];
const LAST_SLOT = '2026-06-10T03:00:00Z';

/** Nothing is due in this world: every schedule was settled at three, and none has a slot within the minute after. */
export const IDLE_NOW: Instant = parseInstant('2026-06-10T03:00:10Z') as Instant;

function managedFields(fields: readonly string[]): KubeObject['metadata']['managedFields'] {
  const status = Object.fromEntries(fields.map((field) => [`f:${field}`, {}]));
  return [
    { manager: 'kustomize-controller', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:schedule': {} } } },
    { manager: 'minutehand', operation: 'Apply', subresource: 'status', fieldsV1: { 'f:status': status } },
  ];
}

function metadata(index: number, fields: readonly string[]): KubeObject['metadata'] {
  return {
    name: `nightly-${index}`,
    namespace: `team-${index % 50}`,
    uid: `5f0c2d6e-0000-4000-8000-${String(index).padStart(12, '0')}`,
    resourceVersion: String(1000 + index),
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { 'app.kubernetes.io/part-of': 'shop' },
    managedFields: managedFields(fields) ?? [],
  };
}

function policy(index: number): KubeObject {
  return {
    apiVersion: 'etcd-operator.cozystack.io/v1alpha2',
    kind: 'EtcdDefragPolicy',
    metadata: metadata(index, ['lastScheduleTime', 'conditions']),
    spec: {
      clusterRef: { name: 'etcd' },
      schedule: `${index % 60} ${index % 3} * * ${index % 7}`,
      concurrencyPolicy: 'Forbid',
      ttlSecondsAfterFinished: 3600,
      historyLimit: 3,
      rule: { freeSpaceAbove: '200Mi', quotaUsageAbove: '80%', minReclaim: '32Mi' },
    },
    status: {
      lastScheduleTime: LAST_SLOT,
      conditions: [
        {
          lastTransitionTime: '2026-01-01T00:00:00Z',
          message: 'the schedule is valid and not suspended',
          observedGeneration: 1,
          reason: 'Scheduled',
          status: 'True',
          type: 'Active',
        },
      ],
    },
  };
}

function job(index: number): KubeObject {
  const containers = [{ name: 'dump', image: 'postgres:18', command: ['sh', '-ec', 'pg_dump > /backups/x'] }];
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metadata(index, ['lastScheduleTime']),
    spec: {
      schedule: `${index % 60} ${index % 3} ${1 + (index % 28)} * *`,
      timeZone: ZONES[index % ZONES.length] ?? 'UTC',
      concurrencyPolicy: 'Forbid',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: { spec: { backoffLimit: 2, template: { spec: { restartPolicy: 'Never', containers } } } },
    },
    status: { lastScheduleTime: LAST_SLOT },
  };
}

/** Half policies, half CronJobs, as JSON text of two lists. */
export function idleWorldText(schedules: number): string {
  const indexes = Array.from({ length: schedules }, (_, index) => index);
  const policies = indexes.filter((index) => index % 2 === 0).map(policy);
  return JSON.stringify([policies, indexes.filter((index) => index % 2 === 1).map(job)]);
}

function listing(objects: readonly KubeObject[]): Listing {
  return { state: 'read', objects: objects.map((object) => ({ object })) };
}

export function observedFrom([policies, jobs]: readonly [
  readonly KubeObject[],
  readonly KubeObject[],
]): Observed {
  return new Map([
    [typeId(etcdDefragPolicy.resource), listing(policies)],
    [typeId(etcdDefragPolicy.run), listing([])],
    [typeId(cronJob.resource), listing(jobs)],
    [typeId(cronJob.run), listing([])],
  ]);
}
