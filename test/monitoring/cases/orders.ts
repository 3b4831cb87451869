import {
  type AlertCases,
  always,
  DAY,
  HOUR,
  instantAt,
  type Step,
  since,
} from '#test/monitoring/alert-case.ts';

const BACKUP_JOB = 'namespace="team-a",name="redis-60",kind="BackupJob",plan="redis"';
const RESTORE_JOB = 'namespace="team-a",name="back",kind="RestoreJob"';
const COMPLETED = 'minutehand_order_completed_timestamp_seconds';
const CREATED = 'minutehand_order_created_timestamp_seconds';
const PHASE = 'minutehand_order_phase';

function failed(order: string, minute: number): Readonly<Record<string, readonly Step[]>> {
  return {
    [`${COMPLETED}{${order}}`]: since(minute, instantAt(minute)),
    [`${PHASE}{${order},phase="Failed"}`]: since(minute, 1),
  };
}

export const ORDERS: AlertCases = {
  MinutehandOrderFailed: [
    {
      what: 'a BackupJob and a RestoreJob',
      series: { ...failed(BACKUP_JOB, HOUR), ...failed(RESTORE_JOB, HOUR + 30) },
      at: 2 * HOUR,
      fires: [
        {
          labels: { namespace: 'team-a', name: 'redis-60', kind: 'BackupJob', plan: 'redis' },
          summary: 'BackupJob team-a/redis-60 failed at 1970-01-01 01:00:00 +0000 UTC',
        },
        {
          labels: { namespace: 'team-a', name: 'back', kind: 'RestoreJob' },
          summary: 'RestoreJob team-a/back failed at 1970-01-01 01:30:00 +0000 UTC',
        },
      ],
    },
    {
      what: 'the next BackupJob of the Plan succeeded',
      series: {
        ...failed(BACKUP_JOB, HOUR),
        [`${COMPLETED}{namespace="team-a",name="redis-90",kind="BackupJob",plan="redis"}`]: since(
          92,
          instantAt(92),
        ),
        [`${PHASE}{namespace="team-a",name="redis-90",kind="BackupJob",plan="redis",phase="Succeeded"}`]:
          since(92, 1),
      },
      at: 2 * HOUR,
      fires: [],
    },
    {
      what: 'it failed more than a day ago',
      series: failed(BACKUP_JOB, HOUR),
      at: DAY + HOUR,
      every: 5,
      fires: [],
    },
    {
      what: 'it succeeded',
      series: {
        [`${COMPLETED}{${BACKUP_JOB}}`]: since(HOUR, instantAt(HOUR)),
        [`${PHASE}{${BACKUP_JOB},phase="Failed"}`]: always(0),
        [`${PHASE}{${BACKUP_JOB},phase="Succeeded"}`]: since(HOUR, 1),
      },
      at: 2 * HOUR,
      fires: [],
    },
  ],
  MinutehandOrderUnfinished: [
    {
      what: 'nobody has taken it up, or it runs and runs',
      series: {
        [`${CREATED}{${BACKUP_JOB}}`]: always(0),
        [`${CREATED}{${RESTORE_JOB}}`]: always(0),
        [`${PHASE}{${RESTORE_JOB},phase="Running"}`]: always(1),
        [`${PHASE}{${RESTORE_JOB},phase="Succeeded"}`]: always(0),
      },
      at: 6 * HOUR + 5,
      every: 5,
      fires: [
        {
          labels: { namespace: 'team-a', name: 'redis-60', kind: 'BackupJob' },
          summary: 'BackupJob team-a/redis-60 is unfinished after 6h 5m 0s',
        },
        {
          labels: { namespace: 'team-a', name: 'back', kind: 'RestoreJob' },
          summary: 'RestoreJob team-a/back is unfinished after 6h 5m 0s',
        },
      ],
    },
    {
      what: 'it ended, one way or the other, and another is not six hours old',
      series: {
        [`${CREATED}{${BACKUP_JOB}}`]: always(0),
        [`${PHASE}{${BACKUP_JOB},phase="Failed"}`]: since(HOUR, 1),
        [`${CREATED}{${RESTORE_JOB}}`]: since(10, instantAt(10)),
      },
      at: 6 * HOUR + 5,
      every: 5,
      fires: [],
    },
  ],
};
