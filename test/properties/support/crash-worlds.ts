import type { Json, KubeObject } from '#core/object/object.ts';
import { formatInstant, instant } from '#core/time/instant.ts';
import { type Progress, runNameOf, runObject } from './run-object.ts';
import { scheduleObject, type Timetable } from './timetable.ts';

export const NOW = instant(1_781_060_410); // 2026-06-10T03:00:10Z
const SLOT = 1_781_060_400;
const HOUR = 3600;

const CRON_JOB: Timetable = {
  kind: 'CronJob',
  namespace: 'harbor',
  name: 'rotate',
  expression: '0 * * * *',
  zone: undefined,
  deadline: 600,
  concurrency: 'Replace',
  suspend: false,
  limit: 1,
  failedLimit: 0,
  ttl: undefined,
};
const POLICY: Timetable = {
  ...CRON_JOB,
  kind: 'EtcdDefragPolicy',
  name: 'defrag',
  concurrency: 'Forbid',
  failedLimit: undefined,
};

function run(timetable: Timetable, hoursAgo: number, progress: Progress, ttl?: number): KubeObject {
  const slot = SLOT - hoursAgo * HOUR;
  return runObject(ttl === undefined ? timetable : { ...timetable, ttl }, {
    name: runNameOf(timetable, slot),
    slot,
    owner: 'own',
    manual: false,
    created: slot,
    progress,
    since: slot + 120,
    terminating: false,
  });
}

function settled(timetable: Timetable, hoursAgo = 1, more: Record<string, Json> = {}): KubeObject {
  const lastScheduleTime = formatInstant(instant(SLOT - hoursAgo * HOUR));
  return scheduleObject(timetable, SLOT - 48 * HOUR, { lastScheduleTime, ...more });
}

function suspendedCondition(): Json {
  const lastTransitionTime = formatInstant(instant(SLOT - 5 * HOUR));
  return [
    {
      type: 'Active',
      status: 'False',
      reason: 'Suspended',
      message: 'spec.suspend is true',
      lastTransitionTime,
    },
  ];
}

/** Worlds in which a tick has much to write, by what happens in them. */
export const CRASH_WORLDS: Readonly<Record<string, readonly KubeObject[]>> = {
  'a CronJob that replaces two runs and trims both histories': [
    settled(CRON_JOB),
    run(CRON_JOB, 1, 'running'),
    run(CRON_JOB, 2, 'fresh'),
    run(CRON_JOB, 3, 'succeeded'),
    run(CRON_JOB, 4, 'succeeded'),
    run(CRON_JOB, 5, 'failed'),
    run(CRON_JOB, 6, 'succeeded', 60),
  ],
  'a CronJob that was never seen before': [scheduleObject({ ...CRON_JOB, name: 'first' }, SLOT - 48 * HOUR)],
  'a CronJob whose run ended and is kept by nothing': [
    settled({ ...CRON_JOB, name: 'forget', limit: 0, concurrency: 'Forbid' }),
    run({ ...CRON_JOB, name: 'forget' }, 1, 'succeeded'),
  ],
  'a CronJob with fields that nobody owns and that must go': [
    settled({ ...CRON_JOB, name: 'untracked', concurrency: 'Allow' }, 0, {
      active: [{ kind: 'Job', name: 'long-gone', uid: 'uid-gone' }],
    }),
  ],
  'a CronJob that is held': [
    settled({ ...CRON_JOB, name: 'held', concurrency: 'Forbid' }),
    run({ ...CRON_JOB, name: 'held' }, 1, 'running'),
  ],
  'a policy that stamps a run and trims its history': [
    settled(POLICY),
    run(POLICY, 1, 'succeeded'),
    run(POLICY, 2, 'failed'),
    run(POLICY, 3, 'succeeded', 60),
  ],
  'a policy that skips a slot beside a run': [
    settled({ ...POLICY, name: 'busy' }),
    run({ ...POLICY, name: 'busy' }, 1, 'running'),
  ],
  'a policy whose slot is too old': [settled({ ...POLICY, name: 'late', expression: '30 * * * *' })],
  'a policy that is suspended': [settled({ ...POLICY, name: 'paused', suspend: true }, 5)],
  'a policy that was resumed': [
    settled({ ...POLICY, name: 'resumed' }, 5, { conditions: suspendedCondition() }),
  ],
};

/** All of them in one tick. */
export const CRASH_WORLD: readonly KubeObject[] = Object.values(CRASH_WORLDS).flat();
