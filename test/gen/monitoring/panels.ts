import type { Panel } from './panel.ts';

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const OF = 'namespace=~"$namespace",kind=~"$kind"';
const SCHEDULE = '{{kind}} {{namespace}}/{{name}}';
const RED_ABOVE = (limit: number) =>
  [
    [null, 'green'],
    [limit, 'red'],
  ] as const;

const TICK: Row = {
  title: 'Tick',
  panels: [
    {
      title: 'Since the last tick that succeeded',
      description: 'By the CronJob of the tick; above five minutes MinutehandTickNotSucceeding fires.',
      type: 'stat',
      width: 6,
      height: 5,
      unit: 's',
      thresholds: RED_ABOVE(300),
      queries: [
        {
          expr: 'time() - max by (namespace) (kube_cronjob_status_last_successful_time{cronjob="minutehand"})',
          legend: '{{namespace}}',
        },
      ],
    },
    {
      title: 'Exit code',
      description: '0 done, 3 partly applied, 1 and 64 nothing applied.',
      type: 'stat',
      width: 4,
      height: 5,
      thresholds: RED_ABOVE(1),
      queries: [{ expr: 'minutehand_tick_exit_code', legend: 'exit code {{shard}}' }],
    },
    {
      title: 'Firing alerts',
      description: 'Of these rules.',
      type: 'table',
      width: 14,
      height: 5,
      queries: [{ expr: 'ALERTS{alertname=~"Minutehand.+",alertstate="firing"}', legend: '' }],
    },
    {
      title: 'Duration',
      description: 'Of one tick, by what it was at; it has 50 seconds.',
      type: 'timeseries',
      width: 8,
      height: 8,
      unit: 's',
      queries: [{ expr: 'minutehand_tick_duration_seconds', legend: '{{phase}} {{shard}}' }],
    },
    {
      title: 'Lag',
      description: 'Seconds between two completed ticks, and minutes that had none.',
      type: 'timeseries',
      width: 8,
      height: 8,
      queries: [
        { expr: 'minutehand_tick_lag_seconds', legend: 'lag in seconds {{shard}}' },
        { expr: 'minutehand_tick_missed_minutes', legend: 'missed minutes {{shard}}' },
      ],
    },
    {
      title: 'Requests of a tick',
      description: 'By what was answered.',
      type: 'timeseries',
      width: 8,
      height: 8,
      stacked: true,
      queries: [
        { expr: 'sum by (code) (minutehand_requests)', legend: '{{code}}' },
        { expr: 'sum(minutehand_retries)', legend: 'sent again' },
      ],
    },
    {
      title: 'Changes of a tick',
      description: 'Writes by what came of them.',
      type: 'timeseries',
      width: 12,
      height: 8,
      stacked: true,
      queries: [{ expr: 'sum by (verb, outcome) (minutehand_changes) > 0', legend: '{{verb}} {{outcome}}' }],
    },
    {
      title: 'Slots that expired',
      description: 'In one tick, by kind.',
      type: 'timeseries',
      width: 12,
      height: 8,
      queries: [{ expr: 'sum by (kind) (minutehand_slots_expired{kind=~"$kind"})', legend: '{{kind}}' }],
    },
  ],
};

const SCHEDULES: Row = {
  title: 'Schedules',
  panels: [
    {
      title: 'By verdict',
      description: 'What became of them in the last tick.',
      type: 'timeseries',
      width: 12,
      height: 8,
      stacked: true,
      queries: [
        { expr: 'sum by (verdict) (minutehand_schedules{kind=~"$kind"}) > 0', legend: '{{verdict}}' },
      ],
    },
    {
      title: 'How many',
      description: 'By kind, and how many of them are suspended.',
      type: 'timeseries',
      width: 12,
      height: 8,
      queries: [
        {
          expr: `count by (kind) (minutehand:schedule_created_timestamp_seconds{${OF}})`,
          legend: '{{kind}}',
        },
        { expr: `sum by (kind) (minutehand:schedule_suspended{${OF}})`, legend: '{{kind}}, suspended' },
      ],
    },
    {
      title: 'Age of the last success',
      description: 'The oldest twenty.',
      type: 'timeseries',
      width: 12,
      height: 9,
      unit: 's',
      queries: [
        {
          expr: `topk(20, time() - minutehand:schedule_last_success_timestamp_seconds{${OF}})`,
          legend: SCHEDULE,
        },
      ],
    },
    {
      title: 'Without any success',
      description: 'Slots were settled, and none has succeeded; the value is the newest slot.',
      type: 'table',
      width: 12,
      height: 9,
      unit: 'dateTimeAsIso',
      queries: [
        {
          expr: `minutehand:schedule_last_slot_timestamp_seconds{${OF}} * 1000 unless minutehand:schedule_last_success_timestamp_seconds`,
          legend: '',
        },
      ],
    },
    {
      title: 'Next slots',
      description: 'Of schedules that record them; one in the past waits.',
      type: 'table',
      width: 6,
      height: 9,
      unit: 'dateTimeAsIso',
      queries: [{ expr: `minutehand_schedule_next_slot_timestamp_seconds{${OF}} * 1000`, legend: '' }],
    },
    {
      title: 'Last slots',
      description: 'The newest one that is settled, by a run or by being skipped.',
      type: 'table',
      width: 6,
      height: 9,
      unit: 'dateTimeAsIso',
      queries: [{ expr: `minutehand:schedule_last_slot_timestamp_seconds{${OF}} * 1000`, legend: '' }],
    },
    {
      title: 'Failures',
      description: 'Slots that failed since the last success.',
      type: 'table',
      width: 6,
      height: 9,
      queries: [{ expr: `minutehand_schedule_consecutive_failures{${OF}} > 0`, legend: '' }],
    },
    {
      title: 'Newest failures',
      description: 'The newest slot that failed.',
      type: 'table',
      width: 6,
      height: 9,
      unit: 'dateTimeAsIso',
      queries: [{ expr: `minutehand_schedule_last_failure_timestamp_seconds{${OF}} * 1000`, legend: '' }],
    },
    {
      title: 'Conditions that stop a slot',
      description: 'Ready, Active and ScheduleRunnable where they are False; the others where they are True.',
      type: 'table',
      width: 12,
      height: 9,
      queries: [
        {
          expr: `minutehand_schedule_condition{${OF},type=~"Ready|Active|ScheduleRunnable"} == 0 or minutehand_schedule_condition{${OF},type=~"Error|HeldByOtherRun|ReplacementHeld|FanoutCapped|TimezoneDefaultAmbiguous"} == 1`,
          legend: '',
        },
      ],
    },
    {
      title: 'Unfinished runs',
      description: 'Of EtcdDefragPolicies; while there is one, Forbid skips slots.',
      type: 'table',
      width: 12,
      height: 9,
      queries: [{ expr: `minutehand_schedule_active_run_info{${OF}}`, legend: '' }],
    },
  ],
};

const ORDERS: Row = {
  title: 'BackupJobs and RestoreJobs',
  panels: [
    {
      title: 'By phase',
      description: 'As their status tells it.',
      type: 'timeseries',
      width: 12,
      height: 8,
      stacked: true,
      queries: [
        {
          expr: 'sum by (kind, phase) (minutehand_order_phase{namespace=~"$namespace"})',
          legend: '{{kind}} {{phase}}',
        },
      ],
    },
    {
      title: 'Where the Job driver stands',
      description: 'After the last tick.',
      type: 'timeseries',
      width: 12,
      height: 8,
      stacked: true,
      queries: [{ expr: 'sum by (kind, state) (minutehand_orders) > 0', legend: '{{kind}} {{state}}' }],
    },
    {
      title: 'Failed',
      description: 'When.',
      type: 'table',
      width: 8,
      height: 8,
      unit: 'dateTimeAsIso',
      queries: [
        { expr: 'minutehand:order_failed_timestamp_seconds{namespace=~"$namespace"} * 1000', legend: '' },
      ],
    },
    {
      title: 'Duration',
      description: 'From the start to the end, of those that ended in the last day.',
      type: 'timeseries',
      width: 8,
      height: 8,
      unit: 's',
      queries: [
        {
          expr: 'minutehand_order_completed_timestamp_seconds{namespace=~"$namespace"} - minutehand_order_started_timestamp_seconds and minutehand_order_completed_timestamp_seconds > time() - 86400',
          legend: '{{kind}} {{namespace}}/{{name}}',
        },
      ],
    },
    {
      title: 'Backups',
      description: 'Size of those that are ready, by application.',
      type: 'timeseries',
      width: 8,
      height: 8,
      unit: 'bytes',
      queries: [
        {
          expr: 'sum by (namespace, application_kind, application) (minutehand_backup_size_bytes{namespace=~"$namespace"})',
          legend: '{{namespace}} {{application_kind}}/{{application}}',
        },
      ],
    },
  ],
};

export const ROWS: readonly Row[] = [TICK, SCHEDULES, ORDERS];
