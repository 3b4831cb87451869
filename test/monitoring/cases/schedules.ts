import { type AlertCases, always, DAY, HOUR, instantAt, since } from '#test/monitoring/alert-case.ts';
import {
  CRON_JOB,
  condition,
  DUMP,
  NIGHTLY,
  PLAN,
  POLICY,
  REDIS,
  SNAPSHOTS,
  SUSPENDED,
  WEEKLY,
} from './series.ts';

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
      what: 'the schedule cannot be used any more, which is another alert',
      series: {
        [NEXT]: always(instantAt(HOUR)),
        [`${SUSPENDED}${SNAPSHOTS}`]: always(0),
        [condition(SNAPSHOTS, 'Ready', 'InvalidSchedule')]: always(0),
      },
      at: 2 * HOUR + 10,
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
        [condition(POLICY, 'Active', 'InvalidSchedule')]: always(0),
        [condition(SNAPSHOTS, 'Ready', 'InvalidSchedule')]: always(0),
        [condition(SNAPSHOTS, 'Stalled', 'InvalidSchedule')]: always(1),
        [condition(PLAN, 'Error', 'InvalidSchedule')]: always(1),
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
        [condition(POLICY, 'Active', 'Suspended')]: always(0),
        [condition(SNAPSHOTS, 'Ready', 'Scheduled')]: always(1),
        [condition(PLAN, 'Error', 'ScheduleValid')]: always(0),
      },
      at: 30,
      fires: [],
    },
  ],
  MinutehandScheduleBlocked: [
    {
      what: 'each reason that keeps a slot due',
      series: {
        [condition(POLICY, 'Active', 'StampFailed')]: always(0),
        [condition(SNAPSHOTS, 'Ready', 'MissingDependency')]: always(0),
        [condition(SNAPSHOTS, 'ScheduleRunnable', 'BlockedOnUnreadableRun')]: always(0),
        [condition(PLAN, 'Error', 'CreateRefused')]: always(1),
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
        [condition(SNAPSHOTS, 'Ready', 'MissingDependency')]: [
          [0, 0],
          [14, undefined],
        ],
        [condition(SNAPSHOTS, 'Ready', 'Scheduled')]: since(14, 1),
        [condition(SNAPSHOTS, 'ScheduleRunnable', 'Runnable')]: always(1),
      },
      throughout: true,
      at: 20,
      fires: [],
    },
  ],
};
