import type { KubeObject } from '#core/object/object.ts';
import {
  claimObject,
  jobObject,
  policyObject,
  type Recipe,
  repositoryObject,
  runObject,
  scheduleObject,
  type Timetable,
  timeText,
} from './objects.ts';
import { type Progress, statusOf } from './operator.ts';

/* Schedules, policies and runs beside all others: in the same namespace, and with nothing in common. */

const RECIPE: Recipe = {
  tier: undefined,
  suspend: false,
  repositories: ['apart-nas'],
  source: { claim: 'apart-disk' },
  keep: 1,
};

const MINUTELY: Timetable = {
  name: 'apart-named',
  aim: { policy: 'apart-data' },
  cron: '* * * * *',
  zone: undefined,
  jitter: undefined,
  runOnCreate: false,
  suspend: false,
  concurrency: 'Replace',
  deadline: 600,
  failedLimit: 1,
};

const HELD: Timetable = {
  ...MINUTELY,
  name: 'apart-held',
  aim: { policy: 'apart-busy' },
  concurrency: 'Forbid',
};
const SELECTING: Timetable = { ...MINUTELY, name: 'apart-selecting', aim: { tier: 'apart' } };

export function isApart(name: string): boolean {
  return name.startsWith('apart-');
}

/** Settled until five minutes ago. */
function schedule(timetable: Timetable, minute: number): KubeObject {
  const status = {
    lastSchedule: { at: timeText(minute - 360) },
    nextSchedule: { at: timeText(minute - 300), cron: timetable.cron, timezone: 'Asia/Kolkata' },
  };
  return scheduleObject(timetable, `uid-${timetable.name}`, minute - 7200, status);
}

function run({ name }: Timetable, policy: string, slot: number, progress: Progress): KubeObject {
  return runObject({
    name: `${name}-${timeText(slot).replace(/\D/g, '')}`,
    policy,
    uid: `uid-run-${name}-${slot}`,
    created: slot + 1,
    schedule: name,
    owner: `uid-${name}`,
    slot,
    status: statusOf(progress, slot + 20),
  });
}

/** One that replaces, trims and fires, one that is held, and one that selects its policies. */
export function apartObjects(now: number): readonly KubeObject[] {
  const minute = Math.floor(now / 60) * 60;
  const running = run(MINUTELY, 'apart-data', minute - 360, 'running');
  return [
    repositoryObject('apart-nas', { zone: 'Asia/Kolkata', jitter: undefined }),
    claimObject('apart-disk', 'apart'),
    policyObject('apart-data', RECIPE),
    policyObject('apart-busy', RECIPE),
    policyObject('apart-media', { ...RECIPE, tier: 'apart', source: { disk: 'apart' } }),
    schedule(MINUTELY, minute),
    schedule(HELD, minute),
    schedule(SELECTING, minute),
    running,
    jobObject(running),
    run(MINUTELY, 'apart-data', minute - 420, 'failed'),
    run(MINUTELY, 'apart-data', minute - 480, 'failed'),
    run(MINUTELY, 'apart-data', minute - 540, 'succeeded'),
    run(MINUTELY, 'apart-data', minute - 600, 'unchanged'),
    runObject({
      name: 'apart-by-hand',
      policy: 'apart-busy',
      uid: 'uid-apart-by-hand',
      created: minute - 400,
      status: statusOf('running', minute),
    }),
  ];
}
