import { type AlertCases, always, HOUR, type Step } from '#test/monitoring/alert-case.ts';

function schedules(
  kind: string,
  verdict: string,
  steps: readonly Step[],
): Readonly<Record<string, readonly Step[]>> {
  return { [`minutehand_schedules{kind="${kind}",verdict="${verdict}",job="minutehand"}`]: steps };
}

/** What a tick pushes about the schedules as a whole. */
export const PUSHED: AlertCases = {
  MinutehandCronJobsHeld: [
    {
      what: 'in every tick of an hour',
      series: schedules('CronJob', 'held', always(2)),
      at: HOUR,
      fires: [{ labels: { kind: 'CronJob' }, summary: 'slots of 2 CronJobs have waited for an hour' }],
    },
    {
      what: 'for fifty minutes, and then none',
      series: schedules('CronJob', 'held', [
        [0, 2],
        [50, 0],
      ]),
      throughout: true,
      at: HOUR + 10,
      fires: [],
    },
    {
      what: 'another kind, whose own figures say which one it is',
      series: schedules('SnapshotSchedule', 'held', always(2)),
      at: 2 * HOUR,
      fires: [],
    },
  ],
  MinutehandSlotsExpired: [
    {
      what: 'in one tick, some minutes ago',
      series: {
        'minutehand_slots_expired{kind="SnapshotSchedule",job="minutehand"}': [
          [0, 0],
          [5, 3],
          [6, 0],
        ],
      },
      at: 18,
      fires: [
        {
          labels: { kind: 'SnapshotSchedule' },
          summary: '3 slots of kind SnapshotSchedule expired in one tick of the last 15 minutes',
        },
      ],
    },
    {
      what: 'a quarter of an hour later, and where none expired',
      series: {
        'minutehand_slots_expired{kind="SnapshotSchedule",job="minutehand"}': [
          [0, 0],
          [5, 3],
          [6, 0],
        ],
        'minutehand_slots_expired{kind="Plan",job="minutehand"}': always(0),
      },
      at: 21,
      fires: [],
    },
  ],
  MinutehandSlotsDeferred: [
    {
      what: 'for half an hour',
      series: schedules('Plan', 'deferred', always(40)),
      at: 30,
      fires: [{ labels: { kind: 'Plan' }, summary: '40 slots of kind Plan are put off by a budget' }],
    },
    {
      what: 'a backlog that a few ticks worked off',
      series: schedules('Plan', 'deferred', [
        [0, 40],
        [29, 0],
        [35, 4],
      ]),
      throughout: true,
      at: 45,
      fires: [],
    },
  ],
  MinutehandSchedulesNotActedOn: [
    {
      what: 'a list cannot be read for a quarter of an hour',
      series: schedules('SnapshotSchedule', 'unreadable', always(7)),
      at: 15,
      fires: [
        {
          labels: { kind: 'SnapshotSchedule', verdict: 'unreadable' },
          summary: '7 schedules of kind SnapshotSchedule cannot be acted on: unreadable',
        },
      ],
    },
    {
      what: 'creates failed for fourteen minutes, and schedules that wait',
      series: {
        ...schedules('Plan', 'failed', [
          [0, 0],
          [5, 1],
          [19, 0],
        ]),
        ...schedules('Plan', 'waiting', always(9)),
      },
      throughout: true,
      at: 30,
      fires: [],
    },
  ],
  MinutehandSchedulesObserved: [
    {
      what: 'a status that somebody else writes',
      series: schedules('EtcdDefragPolicy', 'observed', always(1)),
      at: 30,
      fires: [
        {
          labels: { kind: 'EtcdDefragPolicy' },
          summary: '1 schedules of kind EtcdDefragPolicy are only observed',
        },
      ],
    },
    {
      what: 'CronJobs, which the controller of the cluster acts on',
      series: schedules('CronJob', 'observed', always(12)),
      at: HOUR,
      fires: [],
    },
  ],
};
