import { type AlertCases, always, DAY, HOUR, instantAt, since } from '#test/monitoring/alert-case.ts';

const SNAPSHOTS = '{namespace="team-a",name="nightly",kind="SnapshotSchedule"}';
const POLICY = '{namespace="team-a",name="weekly",kind="EtcdDefragPolicy"}';
const PLAN = '{namespace="team-a",name="redis",kind="Plan"}';
const CRON_JOB = '{namespace="team-a",cronjob="dump"}';

const NIGHTLY = { namespace: 'team-a', name: 'nightly', kind: 'SnapshotSchedule' };
const WEEKLY = { namespace: 'team-a', name: 'weekly', kind: 'EtcdDefragPolicy' };
const REDIS = { namespace: 'team-a', name: 'redis', kind: 'Plan' };
const DUMP = { namespace: 'team-a', name: 'dump', kind: 'CronJob' };

const CREATED = 'minutehand_schedule_created_timestamp_seconds';
const LAST_SLOT = 'minutehand_schedule_last_slot_timestamp_seconds';
const SUCCESS = 'minutehand_schedule_last_success_timestamp_seconds';
const SUSPENDED = 'minutehand_schedule_suspended';
const CONDITION = 'minutehand_schedule_condition';

/** A slot at one o'clock, and nothing but this to say of it. */
const ONE_SLOT = {
  [`${CREATED}${SNAPSHOTS}`]: always(0),
  [`${SUSPENDED}${SNAPSHOTS}`]: always(0),
  [`${LAST_SLOT}${SNAPSHOTS}`]: since(HOUR, instantAt(HOUR)),
};
const SIX_HOURS_LATER = 7 * HOUR + 5;
const WAS_AT_ONE = '1970-01-01 01:00:00 +0000 UTC';

/** The same without a first slot that lies in the future: settled at half past six. */
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

export const TOO_OLD: AlertCases = {
  MinutehandScheduleSuccessTooOld: [
    {
      what: 'the second night failed',
      series: {
        [`${CREATED}${SNAPSHOTS}`]: always(0),
        [`${SUSPENDED}${SNAPSHOTS}`]: always(0),
        [`${LAST_SLOT}${SNAPSHOTS}`]: [
          [HOUR, instantAt(HOUR)],
          [DAY + HOUR, instantAt(DAY + HOUR)],
        ],
        [`${SUCCESS}${SNAPSHOTS}`]: since(HOUR + 9, instantAt(HOUR)),
      },
      at: DAY + SIX_HOURS_LATER,
      every: 5,
      fires: [
        {
          labels: NIGHTLY,
          summary:
            'SnapshotSchedule team-a/nightly has not succeeded since its slot of 1970-01-02 01:00:00 +0000 UTC',
        },
      ],
    },
    {
      what: 'every run of an hour fails, all night long',
      series: {
        [`${CREATED}${POLICY}`]: always(0),
        [`${SUSPENDED}${POLICY}`]: always(0),
        [`${LAST_SLOT}${POLICY}`]: '0+300x200',
        [`${SUCCESS}${POLICY}`]: always(instantAt(3)),
      },
      at: 10 * HOUR,
      every: 5,
      fires: [
        {
          labels: WEEKLY,
          summary:
            'EtcdDefragPolicy team-a/weekly has not succeeded since its slot of 1970-01-01 04:00:00 +0000 UTC',
        },
      ],
    },
    {
      what: 'a weekend without slots, two days after the last success',
      series: {
        [`${CREATED}${SNAPSHOTS}`]: always(0),
        [`${SUSPENDED}${SNAPSHOTS}`]: always(0),
        [`${LAST_SLOT}${SNAPSHOTS}`]: since(HOUR, instantAt(HOUR)),
        [`${SUCCESS}${SNAPSHOTS}`]: since(HOUR + 9, instantAt(HOUR)),
      },
      at: 2 * DAY + 20 * HOUR,
      every: 5,
      fires: [],
    },
    {
      what: 'the run of the second night still has time',
      series: {
        [`${CREATED}${SNAPSHOTS}`]: always(0),
        [`${SUSPENDED}${SNAPSHOTS}`]: always(0),
        [`${LAST_SLOT}${SNAPSHOTS}`]: [
          [HOUR, instantAt(HOUR)],
          [DAY + HOUR, instantAt(DAY + HOUR)],
        ],
        [`${SUCCESS}${SNAPSHOTS}`]: since(HOUR + 9, instantAt(HOUR)),
      },
      at: DAY + HOUR + 6 * HOUR - 5,
      every: 5,
      fires: [],
    },
    {
      what: 'a run starts every minute, and the success of the last one is always behind the newest slot',
      series: {
        [`${CREATED}${POLICY}`]: always(0),
        [`${SUSPENDED}${POLICY}`]: always(0),
        [`${LAST_SLOT}${POLICY}`]: '0+300x200',
        [`${SUCCESS}${POLICY}`]: '-50+300x200',
      },
      at: 10 * HOUR,
      every: 5,
      fires: [],
    },
    {
      what: 'slots that a suspended policy let pass',
      series: {
        [`${CREATED}${POLICY}`]: always(0),
        [`${SUSPENDED}${POLICY}`]: always(1),
        [`${LAST_SLOT}${POLICY}`]: '0+300x200',
        [`${SUCCESS}${POLICY}`]: always(instantAt(3)),
      },
      at: 10 * HOUR,
      every: 5,
      fires: [],
    },
  ],
};

const NEXT = `minutehand_schedule_next_slot_timestamp_seconds${SNAPSHOTS}`;

export const SCHEDULES: AlertCases = {
  MinutehandScheduleFailing: [
    {
      what: 'the third failure running',
      series: {
        [`minutehand_schedule_consecutive_failures${SNAPSHOTS}`]: [
          [0, 2],
          [5, 3],
        ],
      },
      at: 6,
      fires: [{ labels: NIGHTLY, summary: 'SnapshotSchedule team-a/nightly failed in 3 slots running' }],
    },
    {
      what: 'two failures, and then a success',
      series: {
        [`minutehand_schedule_consecutive_failures${SNAPSHOTS}`]: [
          [0, 2],
          [5, 0],
        ],
      },
      at: 4,
      fires: [],
    },
  ],
  MinutehandScheduleHeld: [
    {
      what: 'a slot is due for more than an hour',
      series: { [NEXT]: always(instantAt(HOUR)), [`${SUSPENDED}${SNAPSHOTS}`]: always(0) },
      at: 2 * HOUR + 10,
      every: 5,
      fires: [
        { labels: NIGHTLY, summary: 'SnapshotSchedule team-a/nightly waits with its slot for 1h 10m 0s' },
      ],
    },
    {
      what: 'it waits, but not yet for an hour',
      series: { [NEXT]: always(instantAt(HOUR)), [`${SUSPENDED}${SNAPSHOTS}`]: always(0) },
      at: 2 * HOUR,
      every: 5,
      fires: [],
    },
    {
      what: 'the slot passed while the schedule is suspended',
      series: { [NEXT]: always(instantAt(HOUR)), [`${SUSPENDED}${SNAPSHOTS}`]: always(1) },
      at: 2 * HOUR + 10,
      every: 5,
      fires: [],
    },
    {
      what: 'it waited for an hour, fired, and is owed the next one tomorrow',
      series: {
        [NEXT]: [
          [0, instantAt(HOUR)],
          [2 * HOUR + 5, instantAt(DAY + HOUR)],
        ],
        [`${SUSPENDED}${SNAPSHOTS}`]: always(0),
      },
      at: 2 * HOUR + 10,
      every: 5,
      fires: [],
    },
  ],
  MinutehandRunUnfinished: [
    {
      what: 'one run for six hours',
      series: {
        'minutehand_schedule_active_run_info{namespace="team-a",name="weekly",kind="EtcdDefragPolicy",run="weekly-1"}':
          always(1),
      },
      at: 6 * HOUR,
      every: 5,
      fires: [
        {
          labels: { ...WEEKLY, run: 'weekly-1' },
          summary: 'weekly-1 of EtcdDefragPolicy team-a/weekly has been unfinished for six hours',
        },
      ],
    },
    {
      what: 'always some run, but never the same one for six hours',
      series: {
        'minutehand_schedule_active_run_info{namespace="team-a",name="weekly",kind="EtcdDefragPolicy",run="weekly-1"}':
          [
            [0, 1],
            [5 * HOUR, undefined],
          ],
        'minutehand_schedule_active_run_info{namespace="team-a",name="weekly",kind="EtcdDefragPolicy",run="weekly-2"}':
          since(5 * HOUR, 1),
      },
      at: 10 * HOUR,
      every: 5,
      fires: [],
    },
  ],
  MinutehandScheduleSuspended: [
    {
      what: 'for a week, a SnapshotSchedule and a CronJob',
      series: {
        [`${SUSPENDED}${SNAPSHOTS}`]: always(1),
        [`kube_cronjob_spec_suspend${CRON_JOB}`]: always(1),
      },
      at: 7 * DAY + 5,
      every: 5,
      fires: [
        { labels: DUMP, summary: 'CronJob team-a/dump has been suspended for a week' },
        { labels: NIGHTLY, summary: 'SnapshotSchedule team-a/nightly has been suspended for a week' },
      ],
    },
    {
      what: 'resumed for a quarter of an hour in between',
      series: {
        [`${SUSPENDED}${SNAPSHOTS}`]: [
          [0, 1],
          [DAY, 0],
          [DAY + 15, 1],
        ],
      },
      at: 7 * DAY + 5,
      every: 5,
      fires: [],
    },
  ],
  MinutehandScheduleInvalid: [
    {
      what: 'each kind, by its own condition',
      series: {
        [`${CONDITION}${POLICY.replace('}', ',type="Active",reason="InvalidSchedule"}')}`]: always(0),
        [`${CONDITION}${SNAPSHOTS.replace('}', ',type="Ready",reason="InvalidSchedule"}')}`]: always(0),
        [`${CONDITION}${SNAPSHOTS.replace('}', ',type="Stalled",reason="InvalidSchedule"}')}`]: always(1),
        [`${CONDITION}${PLAN.replace('}', ',type="Error",reason="InvalidSchedule"}')}`]: always(1),
      },
      at: 0,
      fires: [
        { labels: WEEKLY, summary: 'the schedule of EtcdDefragPolicy team-a/weekly cannot be used' },
        { labels: REDIS, summary: 'the schedule of Plan team-a/redis cannot be used' },
        { labels: NIGHTLY, summary: 'the schedule of SnapshotSchedule team-a/nightly cannot be used' },
      ],
    },
    {
      what: 'valid, suspended, and mended',
      series: {
        [`${CONDITION}${POLICY.replace('}', ',type="Active",reason="Suspended"}')}`]: always(0),
        [`${CONDITION}${SNAPSHOTS.replace('}', ',type="Ready",reason="Scheduled"}')}`]: always(1),
        [`${CONDITION}${PLAN.replace('}', ',type="Error",reason="ScheduleValid"}')}`]: always(0),
      },
      at: 30,
      fires: [],
    },
  ],
  MinutehandScheduleBlocked: [
    {
      what: 'each reason that keeps a slot due',
      series: {
        [`${CONDITION}${POLICY.replace('}', ',type="Active",reason="StampFailed"}')}`]: always(0),
        [`${CONDITION}${SNAPSHOTS.replace('}', ',type="Ready",reason="MissingDependency"}')}`]: always(0),
        [`${CONDITION}${SNAPSHOTS.replace('}', ',type="ScheduleRunnable",reason="BlockedOnUnreadableRun"}')}`]:
          always(0),
        [`${CONDITION}${PLAN.replace('}', ',type="Error",reason="CreateRefused"}')}`]: always(1),
      },
      at: 15,
      fires: [
        {
          labels: { ...WEEKLY, reason: 'StampFailed' },
          summary: 'EtcdDefragPolicy team-a/weekly cannot start its slot: StampFailed',
        },
        {
          labels: { ...REDIS, reason: 'CreateRefused' },
          summary: 'Plan team-a/redis cannot start its slot: CreateRefused',
        },
        {
          labels: { ...NIGHTLY, reason: 'BlockedOnUnreadableRun' },
          summary: 'SnapshotSchedule team-a/nightly cannot start its slot: BlockedOnUnreadableRun',
        },
        {
          labels: { ...NIGHTLY, reason: 'MissingDependency' },
          summary: 'SnapshotSchedule team-a/nightly cannot start its slot: MissingDependency',
        },
      ],
    },
    {
      what: 'mended before a quarter of an hour was over',
      series: {
        [`${CONDITION}${SNAPSHOTS.replace('}', ',type="Ready",reason="MissingDependency"}')}`]: [
          [0, 0],
          [14, undefined],
        ],
        [`${CONDITION}${SNAPSHOTS.replace('}', ',type="Ready",reason="Scheduled"}')}`]: since(14, 1),
        [`${CONDITION}${SNAPSHOTS.replace('}', ',type="ScheduleRunnable",reason="Runnable"}')}`]: always(1),
      },
      at: 20,
      fires: [],
    },
  ],
};
