import { type AlertCases, always, DAY, HOUR, instantAt, since } from '#test/monitoring/alert-case.ts';
import {
  CREATED,
  CRON_JOB,
  DUMP,
  LAST_SLOT,
  NIGHTLY,
  PLAN,
  REDIS,
  SNAPSHOTS,
  SUCCESS,
  SUSPENDED,
} from './series.ts';

/** A slot at one o'clock, and nothing but this to say of it. */
const ONE_SLOT = {
  [`${CREATED}${SNAPSHOTS}`]: always(0),
  [`${SUSPENDED}${SNAPSHOTS}`]: always(0),
  [`${LAST_SLOT}${SNAPSHOTS}`]: since(HOUR, instantAt(HOUR)),
};
const SIX_HOURS_LATER = 7 * HOUR + 5;
const WAS_AT_ONE = '1970-01-01 01:00:00 +0000 UTC';
const LATE_SLOT = since(6 * HOUR + 30, instantAt(6 * HOUR + 30));

export const NEVER_SUCCEEDED: AlertCases = {
  MinutehandScheduleNeverSucceeded: [
    {
      what: 'a slot passed six hours ago and there is no success',
      series: ONE_SLOT,
      at: SIX_HOURS_LATER,
      every: 5,
      fires: [
        {
          labels: NIGHTLY,
          summary: `SnapshotSchedule team-a/nightly has never succeeded; its slot of ${WAS_AT_ONE} passed six hours ago`,
        },
      ],
    },
    {
      what: 'a CronJob and a Plan are looked at in the same way',
      series: {
        [`kube_cronjob_created${CRON_JOB}`]: always(0),
        [`kube_cronjob_status_last_schedule_time${CRON_JOB}`]: since(HOUR, instantAt(HOUR)),
        [`${CREATED}${PLAN}`]: always(0),
        [`${LAST_SLOT}${PLAN}`]: since(HOUR, instantAt(HOUR)),
        'minutehand_backup_taken_timestamp_seconds{namespace="team-a",name="b1",kind="Backup",plan="redis"}':
          since(HOUR, instantAt(HOUR)),
        'minutehand_backup_phase{namespace="team-a",name="b1",kind="Backup",plan="redis",phase="Ready"}':
          always(0),
      },
      at: SIX_HOURS_LATER,
      every: 5,
      fires: [
        {
          labels: DUMP,
          summary: `CronJob team-a/dump has never succeeded; its slot of ${WAS_AT_ONE} passed six hours ago`,
        },
        {
          labels: REDIS,
          summary: `Plan team-a/redis has never succeeded; its slot of ${WAS_AT_ONE} passed six hours ago`,
        },
      ],
    },
    {
      what: 'a schedule that is younger than its first slot',
      series: { [`${CREATED}${SNAPSHOTS}`]: always(0), [`${SUSPENDED}${SNAPSHOTS}`]: always(0) },
      at: 3 * DAY,
      every: 5,
      fires: [],
    },
    {
      what: 'its first slot was less than six hours ago',
      series: { ...ONE_SLOT, [`${LAST_SLOT}${SNAPSHOTS}`]: LATE_SLOT },
      at: 12 * HOUR + 25,
      every: 5,
      fires: [],
    },
    {
      what: 'a run succeeded',
      series: { ...ONE_SLOT, [`${SUCCESS}${SNAPSHOTS}`]: since(HOUR + 9, instantAt(HOUR)) },
      at: SIX_HOURS_LATER,
      every: 5,
      fires: [],
    },
    {
      what: 'a Plan whose BackupJob succeeded, or whose Backup is ready',
      series: {
        [`${CREATED}${PLAN}`]: always(0),
        [`${LAST_SLOT}${PLAN}`]: since(HOUR, instantAt(HOUR)),
        'minutehand_order_completed_timestamp_seconds{namespace="team-a",name="redis-60",kind="BackupJob",plan="redis"}':
          since(HOUR + 4, instantAt(HOUR + 4)),
        'minutehand_order_phase{namespace="team-a",name="redis-60",kind="BackupJob",plan="redis",phase="Succeeded"}':
          since(HOUR + 4, 1),
        [`${CREATED}${PLAN.replace('redis', 'mail')}`]: always(0),
        [`${LAST_SLOT}${PLAN.replace('redis', 'mail')}`]: since(HOUR, instantAt(HOUR)),
        'minutehand_backup_taken_timestamp_seconds{namespace="team-a",name="b1",kind="Backup",plan="mail"}':
          since(HOUR, instantAt(HOUR)),
        'minutehand_backup_phase{namespace="team-a",name="b1",kind="Backup",plan="mail",phase="Ready"}':
          since(HOUR, 1),
      },
      at: SIX_HOURS_LATER,
      every: 5,
      fires: [],
    },
    {
      what: 'its slots passed while it was suspended',
      series: {
        ...ONE_SLOT,
        [`${SUSPENDED}${SNAPSHOTS}`]: [
          [0, 1],
          [6 * HOUR, 0],
        ],
      },
      at: SIX_HOURS_LATER,
      every: 5,
      fires: [],
    },
    {
      what: 'it is gone',
      series: {
        ...ONE_SLOT,
        [`${LAST_SLOT}${SNAPSHOTS}`]: [
          [HOUR, instantAt(HOUR)],
          [6 * HOUR, undefined],
        ],
      },
      at: SIX_HOURS_LATER,
      every: 5,
      fires: [],
    },
    {
      what: 'it was created anew, and the slot of six hours ago was that of the old one',
      series: {
        ...ONE_SLOT,
        [`${CREATED}${SNAPSHOTS}`]: [
          [0, 0],
          [5 * HOUR, instantAt(5 * HOUR)],
        ],
        [`${LAST_SLOT}${SNAPSHOTS}`]: [
          [HOUR, instantAt(HOUR)],
          [5 * HOUR, undefined],
          [7 * HOUR, instantAt(7 * HOUR)],
        ],
      },
      at: SIX_HOURS_LATER,
      every: 5,
      fires: [],
    },
    {
      what: 'the tick itself, which has alerts of its own',
      series: {
        'kube_cronjob_created{namespace="minutehand",cronjob="minutehand"}': always(0),
        'kube_cronjob_status_last_schedule_time{namespace="minutehand",cronjob="minutehand"}': since(
          HOUR,
          instantAt(HOUR),
        ),
      },
      at: SIX_HOURS_LATER,
      every: 5,
      fires: [],
    },
  ],
};
