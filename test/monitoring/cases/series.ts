/** Selectors of one schedule of each kind, and the labels that they leave in an alert. */
export const SNAPSHOTS = '{namespace="team-a",name="nightly",kind="SnapshotSchedule"}';
export const POLICY = '{namespace="team-a",name="weekly",kind="EtcdDefragPolicy"}';
export const PLAN = '{namespace="team-a",name="redis",kind="Plan"}';
export const CRON_JOB = '{namespace="team-a",cronjob="dump"}';

export const NIGHTLY = { namespace: 'team-a', name: 'nightly', kind: 'SnapshotSchedule' };
export const WEEKLY = { namespace: 'team-a', name: 'weekly', kind: 'EtcdDefragPolicy' };
export const REDIS = { namespace: 'team-a', name: 'redis', kind: 'Plan' };
export const DUMP = { namespace: 'team-a', name: 'dump', kind: 'CronJob' };

export const CREATED = 'minutehand_schedule_created_timestamp_seconds';
export const LAST_SLOT = 'minutehand_schedule_last_slot_timestamp_seconds';
export const SUCCESS = 'minutehand_schedule_last_success_timestamp_seconds';
export const SUSPENDED = 'minutehand_schedule_suspended';

/** The condition of a schedule, as a series. */
export function condition(schedule: string, type: string, reason: string): string {
  return `minutehand_schedule_condition${schedule.replace('}', `,type="${type}",reason="${reason}"}`)}`;
}
