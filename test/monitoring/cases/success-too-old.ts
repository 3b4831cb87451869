import { type AlertCases, always, DAY, HOUR, instantAt, since } from '#test/monitoring/alert-case.ts';
import { CREATED, LAST_SLOT, NIGHTLY, POLICY, SNAPSHOTS, SUCCESS, SUSPENDED, WEEKLY } from './series.ts';

/** There from the beginning, and not suspended. */
const NIGHTLY_THERE = { [`${CREATED}${SNAPSHOTS}`]: always(0), [`${SUSPENDED}${SNAPSHOTS}`]: always(0) };
const POLICY_THERE = { [`${CREATED}${POLICY}`]: always(0), [`${SUSPENDED}${POLICY}`]: always(0) };

export const TOO_OLD: AlertCases = {
  MinutehandScheduleSuccessTooOld: [
    {
      what: 'the second night failed',
      series: {
        ...NIGHTLY_THERE,
        [`${LAST_SLOT}${SNAPSHOTS}`]: [
          [HOUR, instantAt(HOUR)],
          [DAY + HOUR, instantAt(DAY + HOUR)],
        ],
        [`${SUCCESS}${SNAPSHOTS}`]: since(HOUR + 9, instantAt(HOUR)),
      },
      at: DAY + 7 * HOUR + 5,
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
        ...POLICY_THERE,
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
        ...NIGHTLY_THERE,
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
        ...NIGHTLY_THERE,
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
        ...POLICY_THERE,
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
