import { type AlertCases, always, HOUR, instantAt, since } from '#test/monitoring/alert-case.ts';

const CRON_JOB = '{namespace="minutehand",cronjob="minutehand"}';
const OF_CRON_JOB = { namespace: 'minutehand', cronjob: 'minutehand' };
const PUSHED = 'job="minutehand"';
const OF_TICK = { job: 'minutehand' };

export const TICK: AlertCases = {
  MinutehandTickNotSucceeding: [
    {
      what: 'the last success is six minutes old',
      series: {
        [`kube_cronjob_created${CRON_JOB}`]: always(0),
        [`kube_cronjob_status_last_successful_time${CRON_JOB}`]: always(instantAt(4)),
      },
      at: 10,
      fires: [
        {
          labels: OF_CRON_JOB,
          summary: 'no tick of CronJob minutehand/minutehand has succeeded for 6m 0s',
        },
      ],
    },
    {
      what: 'none ever succeeded',
      series: { 'kube_cronjob_created{namespace="team-a",cronjob="minutehand"}': always(0) },
      at: 6,
      fires: [
        {
          labels: { namespace: 'team-a', cronjob: 'minutehand' },
          summary: 'no tick of CronJob team-a/minutehand has succeeded for 6m 0s',
        },
      ],
    },
    {
      what: 'some failed, but one succeeded five minutes ago; another was created just now; other CronJobs',
      series: {
        [`kube_cronjob_created${CRON_JOB}`]: always(0),
        [`kube_cronjob_status_last_successful_time${CRON_JOB}`]: always(instantAt(5)),
        'kube_cronjob_created{namespace="team-a",cronjob="minutehand"}': since(8, instantAt(8)),
        'kube_cronjob_created{namespace="team-a",cronjob="dump"}': always(0),
      },
      at: 10,
      fires: [],
    },
  ],
  MinutehandTickMissing: [
    {
      what: 'deleted ten minutes ago',
      series: {
        [`kube_cronjob_info${CRON_JOB}`]: [
          [0, 1],
          [5, undefined],
        ],
      },
      at: 15,
      fires: [{ labels: { cronjob: 'minutehand' }, summary: 'there is no CronJob minutehand' }],
    },
    {
      what: 'kube-state-metrics was away for nine minutes',
      series: {
        [`kube_cronjob_info${CRON_JOB}`]: [
          [0, 1],
          [5, undefined],
          [14, 1],
        ],
      },
      throughout: true,
      at: 20,
      fires: [],
    },
  ],
  MinutehandTickNotCompleted: [
    {
      what: 'what was pushed last is six minutes old',
      series: { [`minutehand_tick_last_completed_timestamp_seconds{${PUSHED}}`]: always(instantAt(4)) },
      at: 10,
      fires: [{ labels: OF_TICK, summary: 'no tick has come to its end for 6m 0s' }],
    },
    {
      what: 'five minutes, and nothing pushed at all',
      series: { [`minutehand_tick_last_completed_timestamp_seconds{${PUSHED}}`]: since(6, instantAt(5)) },
      at: 10,
      fires: [],
    },
  ],
  MinutehandTickFailing: [
    {
      what: 'each tick ends with 1',
      series: { [`minutehand_tick_exit_code{${PUSHED}}`]: always(1) },
      at: 5,
      fires: [{ labels: OF_TICK, summary: 'ticks end with exit code 1' }],
    },
    {
      what: 'each tick ends with 64',
      series: { [`minutehand_tick_exit_code{${PUSHED}}`]: always(64) },
      at: 5,
      fires: [{ labels: OF_TICK, summary: 'ticks end with exit code 64' }],
    },
    {
      what: 'four ticks failed, and others were partly applied',
      series: {
        [`minutehand_tick_exit_code{${PUSHED}}`]: [
          [0, 3],
          [3, 1],
          [7, 3],
        ],
      },
      throughout: true,
      at: 12,
      fires: [],
    },
  ],
  MinutehandTickPartlyApplied: [
    {
      what: 'for a quarter of an hour',
      series: { [`minutehand_tick_exit_code{${PUSHED}}`]: always(3) },
      at: 15,
      fires: [{ labels: OF_TICK, summary: 'ticks end with exit code 3' }],
    },
    {
      what: 'a tick in between ended well',
      series: {
        [`minutehand_tick_exit_code{${PUSHED}}`]: [
          [0, 3],
          [14, 0],
          [15, 3],
        ],
      },
      throughout: true,
      at: 29,
      fires: [],
    },
  ],
  MinutehandTickMissedMinutes: [
    {
      what: 'three of them, some minutes ago',
      series: {
        [`minutehand_tick_missed_minutes{${PUSHED}}`]: [
          [0, 0],
          [5, 3],
          [6, 0],
        ],
      },
      at: 18,
      fires: [{ labels: OF_TICK, summary: '3 minutes running had no completed tick' }],
    },
    {
      what: 'two of them, now and then',
      series: {
        [`minutehand_tick_missed_minutes{${PUSHED}}`]: [
          [0, 0],
          [5, 2],
          [6, 0],
          [10, 2],
          [11, 0],
        ],
      },
      at: 12,
      fires: [],
    },
  ],
  MinutehandTickLagging: [
    {
      what: 'only every third minute has a tick',
      series: { [`minutehand_tick_lag_seconds{${PUSHED}}`]: always(180) },
      at: 35,
      fires: [{ labels: OF_TICK, summary: 'ticks come 3m 0s apart on average' }],
    },
    {
      what: 'five slow ticks within half an hour',
      series: {
        [`minutehand_tick_lag_seconds{${PUSHED}}`]: [
          [0, 60],
          [30, 400],
          [35, 60],
        ],
      },
      throughout: true,
      at: 60,
      fires: [],
    },
  ],
  MinutehandTickThrottled: [
    {
      what: 'every fifth request for ten minutes',
      series: {
        [`minutehand_requests{${PUSHED},verb="GET",code="429"}`]: always(10),
        [`minutehand_requests{${PUSHED},verb="POST",code="429"}`]: always(10),
        [`minutehand_requests{${PUSHED},verb="GET",code="2xx"}`]: always(20),
        [`minutehand_requests{${PUSHED},verb="POST",code="2xx"}`]: always(60),
      },
      at: 10,
      fires: [{ labels: OF_TICK, summary: 'the API server turns 20% of the requests of a tick away' }],
    },
    {
      what: 'every twentieth, and a tick that made no request',
      series: {
        [`minutehand_requests{${PUSHED},verb="GET",code="429"}`]: [
          [0, 1],
          [HOUR, 0],
        ],
        [`minutehand_requests{${PUSHED},verb="GET",code="2xx"}`]: [
          [0, 19],
          [HOUR, 0],
        ],
      },
      throughout: true,
      at: HOUR + 10,
      fires: [],
    },
    {
      what: 'many for nine minutes, and then none',
      series: {
        [`minutehand_requests{${PUSHED},verb="GET",code="429"}`]: [
          [0, 0],
          [5, 50],
          [14, 0],
        ],
        [`minutehand_requests{${PUSHED},verb="GET",code="2xx"}`]: always(50),
      },
      throughout: true,
      at: 20,
      fires: [],
    },
  ],
  MinutehandTickSlow: [
    {
      what: 'near the end of its time',
      series: {
        [`minutehand_tick_duration_seconds{${PUSHED},phase="total"}`]: always(45),
        [`minutehand_tick_duration_seconds{${PUSHED},phase="read"}`]: always(41),
      },
      at: 5,
      fires: [{ labels: { ...OF_TICK, phase: 'total' }, summary: 'a tick takes 45s' }],
    },
    {
      what: 'four busy minutes, and half a minute else',
      series: {
        [`minutehand_tick_duration_seconds{${PUSHED},phase="total"}`]: [
          [0, 30],
          [4, 48],
          [8, 30],
        ],
      },
      throughout: true,
      at: 12,
      fires: [],
    },
  ],
};
