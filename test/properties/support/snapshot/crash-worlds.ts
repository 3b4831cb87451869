import type { Json, KubeObject } from '#core/object/object.ts';
import { instant } from '#core/time/instant.ts';
import {
  claimObject,
  GROUP,
  jobObject,
  PRUNED_BY,
  policyObject,
  type Recipe,
  repositoryObject,
  runObject,
  scheduleObject,
  type Timetable,
  timeText,
} from './objects.ts';
import { type Progress, statusOf } from './operator.ts';
import { planOf } from './plan.ts';
import type { Authors } from './scene.ts';

const SLOT = 1_781_060_400; // 2026-06-10T03:00:00Z
const HOUR = 3600;
export const NOW = instant(SLOT + 10);

const BASE: Timetable = {
  name: 'hourly',
  aim: { tier: 'gold' },
  cron: '0 * * * *',
  zone: 'UTC',
  jitter: '0',
  runOnCreate: false,
  suspend: false,
  concurrency: 'Replace',
  deadline: undefined,
  failedLimit: 1,
};

const RECIPE: Recipe = {
  tier: 'gold',
  suspend: false,
  repositories: ['nas'],
  source: { claim: 'pgdata' },
  keep: 1,
};

const RECIPES: Readonly<Record<string, Recipe>> = {
  data: RECIPE,
  media: { ...RECIPE, repositories: ['nas', 'offsite'], source: { disk: 'fast' } },
  apart: { ...RECIPE, tier: undefined },
};
const CLAIMS = { files: 'fast', pictures: 'fast' };

const AUTHORS: Authors = {
  timetables: new Map(),
  recipes: new Map(Object.entries(RECIPES)),
  leaving: new Set(),
  defaults: new Map(),
  claims: new Map(Object.entries(CLAIMS)),
};

const SHARED: readonly KubeObject[] = [
  repositoryObject('nas', { zone: undefined, jitter: undefined }),
  repositoryObject('offsite', { zone: undefined, jitter: undefined }),
  ...Object.entries(CLAIMS).map(([name, disk]) => claimObject(name, disk)),
];
const POLICIES: readonly KubeObject[] = Object.entries(RECIPES).map(([name, recipe]) =>
  policyObject(name, recipe),
);

/** Settled up to so many hours ago. */
function settled(timetable: Timetable, hoursAgo: number, more: Record<string, Json> = {}): KubeObject {
  const pin = { at: timeText(SLOT - (hoursAgo - 1) * HOUR), cron: '0 * * * *', timezone: 'UTC', jitter: '0' };
  const status = { lastSchedule: { at: timeText(SLOT - hoursAgo * HOUR) }, nextSchedule: pin, ...more };
  return scheduleObject(timetable, `uid-${timetable.name}`, SLOT - 48 * HOUR, status);
}

/** The Snapshots of a slot so many hours ago, each with its own progress; those at work have their Jobs. */
function slotRuns(
  timetable: Timetable,
  hoursAgo: number,
  progresses: readonly (Progress | 'fresh')[],
): readonly KubeObject[] {
  const slot = SLOT - hoursAgo * HOUR;
  const { runs } = planOf({ timetable, authors: AUTHORS }, slot);
  return runs.slice(0, progresses.length).flatMap(({ name, policy, claim, repository }, index) => {
    const progress = progresses[index] ?? 'fresh';
    const run = runObject({
      name,
      policy,
      uid: `uid-run-${name}`,
      created: slot + 5,
      schedule: timetable.name,
      owner: `uid-${timetable.name}`,
      slot,
      wanted: { claim, repository },
      ...(progress === 'fresh' ? {} : { status: statusOf(progress, slot + 120 + index) }),
    });
    return progress === 'running' ? [run, jobObject(run)] : [run];
  });
}

function marked(run: KubeObject): KubeObject {
  const annotations = { ...run.metadata.annotations, [PRUNED_BY]: 'replaced-run' };
  return { ...run, metadata: { ...run.metadata, annotations } };
}

function byHand(name: string, policy: string, hoursAgo: number, progress: Progress): KubeObject {
  const created = SLOT - hoursAgo * HOUR + 1800;
  return runObject({ name, policy, uid: `uid-${name}`, created, status: statusOf(progress, created + 60) });
}

function leaving(policy: KubeObject): KubeObject {
  const metadata = {
    ...policy.metadata,
    deletionTimestamp: timeText(SLOT - HOUR),
    finalizers: ['example.org/hold'],
  };
  return { ...policy, metadata };
}

const SINGLE: Timetable = { ...BASE, name: 'single', aim: { policy: 'apart' }, concurrency: 'Forbid' };

function pausedStatus(): Record<string, Json> {
  const lastTransitionTime = timeText(SLOT - 5 * HOUR);
  const condition = { type: 'Ready', status: 'True', reason: 'Suspended', message: '', lastTransitionTime };
  return { conditions: [condition] };
}

function world(...objects: readonly KubeObject[]): readonly KubeObject[] {
  return [...SHARED, ...POLICIES, ...objects];
}

/** Worlds in which a tick has much to write, by what happens in them. */
export const CRASH_WORLDS: Readonly<Record<string, readonly KubeObject[]>> = {
  'a fan-out that replaces runs with Jobs and trims history and retention': world(
    settled(BASE, 1, { consecutiveFailures: 3, lastFailedSchedule: { at: timeText(SLOT - 2 * HOUR) } }),
    ...slotRuns(BASE, 1, ['running', 'fresh', 'pending', 'running', 'succeeded']),
    ...slotRuns(BASE, 2, ['failed', 'succeeded', 'unchanged', 'succeeded', 'succeeded']),
    ...slotRuns(BASE, 3, ['succeeded', 'failed', 'succeeded', 'committed', 'succeeded']).map(marked),
    ...slotRuns(BASE, 4, ['succeeded', 'succeeded', 'failed', 'failed', 'unchanged']),
    byHand('now', 'data', 5, 'succeeded'),
  ),
  'a fan-out of which one policy is under deletion': [
    ...SHARED,
    ...POLICIES.map((policy) => (policy.metadata.name === 'data' ? leaving(policy) : policy)),
    settled({ ...BASE, concurrency: 'Allow', failedLimit: 0 }, 1),
    ...slotRuns(BASE, 1, ['failed', 'failed', 'succeeded']),
    ...slotRuns(BASE, 0, ['failed', 'succeeded']),
  ],
  'a fan-out that stopped half way': world(
    settled({ ...BASE, failedLimit: 0 }, 1),
    ...slotRuns(BASE, 0, ['failed', 'succeeded']),
    ...slotRuns(BASE, 1, ['failed', 'running', 'running']),
  ),
  'a schedule that was never seen before': world(
    scheduleObject({ ...SINGLE, runOnCreate: true }, 'uid-single', SLOT - 100),
  ),
  'a schedule that waits for its first pin': world(scheduleObject(SINGLE, 'uid-single', SLOT - 100)),
  'a schedule that is held by a run of somebody else': world(
    settled(SINGLE, 1),
    byHand('by-hand', 'apart', 1, 'running'),
    ...slotRuns(SINGLE, 2, ['failed']),
    ...slotRuns(SINGLE, 3, ['failed']),
  ),
  'a schedule of which slots are too old': world(settled({ ...SINGLE, cron: '30 * * * *', deadline: 60 }, 4)),
  'a name that is taken': world(
    settled(SINGLE, 1),
    ...slotRuns(SINGLE, 0, ['running']).map((run) => ({
      ...run,
      metadata: { ...run.metadata, annotations: {}, labels: { [`${GROUP}/origin`]: 'manual' } },
    })),
  ),
  'a schedule that is suspended': world(
    settled({ ...SINGLE, suspend: true, failedLimit: 0 }, 5),
    ...slotRuns(SINGLE, 4, ['failed']),
  ),
  'a schedule that was resumed': world(settled(SINGLE, 5, pausedStatus())),
};
