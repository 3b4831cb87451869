import { BACKUP, BACKUP_JOB, RESTORE_JOB } from '#api/backups/resources.ts';
import type { JsonObject } from '#core/object/object.ts';
import { apiVersionOf, type ResourceType } from '#core/object/resource.ts';
import { PLAN } from '#kinds/backup-plan/resources.ts';
import { CRON_JOB } from '#kinds/cron-job/resources.ts';
import { POLICY } from '#kinds/etcd-defrag-policy/resources.ts';
import { SCHEDULE } from '#kinds/snapshot-schedule/resources.ts';
import type { CreateBody } from '#test/cluster/world/api.ts';
import { cronJob, defragPolicy, snapshotSchedule } from '#test/cluster/world/objects.ts';
import { seriesName } from './series.ts';

export const NAMESPACE = 'team-a';

const SLOT = '2026-11-29T03:00:00Z';
const END = '2026-11-29T03:04:10Z';
const NEXT = '2026-11-30T03:00:00Z';

function seconds(time: string): number {
  return Date.parse(time) / 1000;
}

/** An object, its status, and the series that must come of it; when it was created the server says. */
export interface Exported {
  readonly type: ResourceType;
  readonly object: CreateBody;
  readonly status?: JsonObject;
  /** What tells when it was created, if anything does. */
  readonly created?: string;
  readonly series: readonly (readonly [
    metric: string,
    value: number,
    labels?: Readonly<Record<string, string>>,
  ])[];
}

function condition(type: string, status: 'True' | 'False', reason: string): JsonObject {
  return { type, status, reason, message: 'as it is', lastTransitionTime: SLOT };
}

const APPLICATION = { apiGroup: 'apps.cozystack.io', kind: 'Redis', name: 'sessions' };

function backupObject(type: ResourceType, name: string, spec: JsonObject): CreateBody {
  return { apiVersion: apiVersionOf(type), kind: type.kind, metadata: { name, namespace: NAMESPACE }, spec };
}

const SCHEDULE_CREATED = 'minutehand_schedule_created_timestamp_seconds';
const ORDER_CREATED = 'minutehand_order_created_timestamp_seconds';

function phases(metric: string, now: string, all: readonly string[], labels = {}): Exported['series'] {
  return all.map((phase) => [metric, phase === now ? 1 : 0, { ...labels, phase }]);
}

const ORDER_PHASES = ['Pending', 'Running', 'Succeeded', 'Failed'];
const OF_PLAN = { plan: 'redis' };
const OF_BACKUP = { ...OF_PLAN, application: 'sessions', application_kind: 'Redis' };

export const EXPORTED: readonly Exported[] = [
  {
    type: POLICY,
    object: defragPolicy(`${NAMESPACE}/weekly`),
    status: {
      lastScheduleTime: SLOT,
      lastSuccessfulTime: END,
      active: [{ name: 'weekly-1' }, { name: 'weekly-2' }],
      conditions: [condition('Active', 'False', 'InvalidSchedule')],
    },
    created: SCHEDULE_CREATED,
    series: [
      ['minutehand_schedule_suspended', 0],
      ['minutehand_schedule_last_slot_timestamp_seconds', seconds(SLOT)],
      ['minutehand_schedule_last_success_timestamp_seconds', seconds(END)],
      ['minutehand_schedule_active_run_info', 1, { run: 'weekly-1' }],
      ['minutehand_schedule_active_run_info', 1, { run: 'weekly-2' }],
      ['minutehand_schedule_condition', 0, { type: 'Active', reason: 'InvalidSchedule' }],
    ],
  },
  {
    type: POLICY,
    object: defragPolicy(`${NAMESPACE}/young`, { spec: { suspend: true } }),
    created: SCHEDULE_CREATED,
    series: [['minutehand_schedule_suspended', 1]],
  },
  {
    type: SCHEDULE,
    object: snapshotSchedule(`${NAMESPACE}/nightly`, { suspend: true }),
    status: {
      lastSchedule: { at: SLOT },
      nextSchedule: { at: NEXT, cron: '* * * * *', timezone: 'UTC', jitter: '0s' },
      lastSuccessfulSchedule: { at: SLOT },
      lastFailedSchedule: { at: END },
      consecutiveFailures: 2,
      conditions: [
        condition('Ready', 'False', 'MissingDependency'),
        condition('Stalled', 'True', 'MissingDependency'),
      ],
    },
    created: SCHEDULE_CREATED,
    series: [
      ['minutehand_schedule_suspended', 1],
      ['minutehand_schedule_last_slot_timestamp_seconds', seconds(SLOT)],
      ['minutehand_schedule_next_slot_timestamp_seconds', seconds(NEXT)],
      ['minutehand_schedule_last_success_timestamp_seconds', seconds(SLOT)],
      ['minutehand_schedule_last_failure_timestamp_seconds', seconds(END)],
      ['minutehand_schedule_consecutive_failures', 2],
      ['minutehand_schedule_condition', 0, { type: 'Ready', reason: 'MissingDependency' }],
      ['minutehand_schedule_condition', 1, { type: 'Stalled', reason: 'MissingDependency' }],
    ],
  },
  {
    type: PLAN,
    object: backupObject(PLAN, 'redis', {
      applicationRef: APPLICATION,
      backupClassName: 'daily',
      schedule: { cron: '0 3 * * *' },
    }),
    status: { lastScheduleTime: SLOT, conditions: [condition('Error', 'True', 'CreateRefused')] },
    created: SCHEDULE_CREATED,
    series: [
      ['minutehand_schedule_last_slot_timestamp_seconds', seconds(SLOT)],
      ['minutehand_schedule_condition', 1, { type: 'Error', reason: 'CreateRefused' }],
    ],
  },
  {
    type: BACKUP_JOB,
    object: backupObject(BACKUP_JOB, 'redis-1', {
      planRef: { name: 'redis' },
      applicationRef: APPLICATION,
      backupClassName: 'daily',
    }),
    status: { phase: 'Failed', startedAt: SLOT, completedAt: END },
    created: ORDER_CREATED,
    series: [
      ['minutehand_order_started_timestamp_seconds', seconds(SLOT), OF_PLAN],
      ['minutehand_order_completed_timestamp_seconds', seconds(END), OF_PLAN],
      ...phases('minutehand_order_phase', 'Failed', ORDER_PHASES, OF_PLAN),
    ],
  },
  {
    type: RESTORE_JOB,
    object: backupObject(RESTORE_JOB, 'back', { backupRef: { name: 'redis-1' } }),
    created: ORDER_CREATED,
    series: [],
  },
  {
    type: BACKUP,
    object: backupObject(BACKUP, 'redis-1', {
      planRef: { name: 'redis' },
      applicationRef: APPLICATION,
      strategyRef: { apiGroup: 'jobdriver.backups.cozystack.io', kind: 'JobBackupStrategy', name: 'dump' },
      takenAt: END,
    }),
    status: { phase: 'Ready', artifact: { uri: 's3://bucket/redis', sizeBytes: 4096 } },
    series: [
      ['minutehand_backup_taken_timestamp_seconds', seconds(END), OF_BACKUP],
      ['minutehand_backup_size_bytes', 4096, OF_BACKUP],
      ...phases('minutehand_backup_phase', 'Ready', ['Pending', 'Ready', 'Failed'], OF_BACKUP),
    ],
  },
  {
    type: CRON_JOB,
    object: cronJob(`${NAMESPACE}/dump`, { spec: { suspend: true } }),
    status: { lastScheduleTime: SLOT, lastSuccessfulTime: END },
    created: 'kube_cronjob_created',
    series: [
      ['kube_cronjob_info', 1, { schedule: '* * * * *', concurrency_policy: 'Allow' }],
      ['kube_cronjob_spec_suspend', 1],
      ['kube_cronjob_status_last_schedule_time', seconds(SLOT)],
      ['kube_cronjob_status_last_successful_time', seconds(END)],
    ],
  },
];

/** The name of a series of this object. */
export function nameOf({ type, object }: Exported, metric: string, labels = {}): string {
  const { name } = object.metadata;
  const own = metric.startsWith('kube_cronjob_') ? { cronjob: name } : { name, kind: type.kind };
  const ofPlan = type === BACKUP_JOB ? OF_PLAN : {};
  return seriesName(metric, { namespace: NAMESPACE, ...own, ...ofPlan, ...labels });
}
