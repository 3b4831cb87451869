import type { JsonObject, KubeObject, Metadata } from '#core/object/object.ts';
import { type Listing, type Observed, typeId } from '#core/observed.ts';
import { type Reconciliation, reconcile } from '#core/reconcile.ts';
import { formatInstant, type Instant, instant, parseInstant } from '#core/time/instant.ts';
import { KINDS } from '#kinds/index.ts';
import { POLICY, REPOSITORY, SCHEDULE, SNAPSHOT } from '#kinds/snapshot-schedule/resources.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo'];
const PER_NAMESPACE = 50;
const RUNS = 20;
const DAY = 86_400;

/** It is night in none of the zones: every schedule has fired for the day and is settled. */
export const SETTLED: Instant = parseInstant('2026-06-10T21:00:10Z') as Instant;
/** A day later without a tick in between: every schedule owes one slot. */
export const DAY_LATER: Instant = instant(SETTLED + DAY);

/** Schedules, Snapshots, policies and repositories. */
type Lists = readonly [
  schedules: readonly KubeObject[],
  snapshots: readonly KubeObject[],
  policies: readonly KubeObject[],
  repositories: readonly KubeObject[],
];

function uid(type: number, index: number, run = 0): string {
  return `5f0c2d6e-000${type}-4000-8${String(run).padStart(3, '0')}-${String(index).padStart(12, '0')}`;
}

function metadata(group: number, name: string, rest: Partial<Metadata> & { readonly uid: string }): Metadata {
  return {
    name,
    namespace: `team-${group}`,
    resourceVersion: '1000',
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...rest,
  };
}

function groupOf(index: number): number {
  return Math.floor(index / PER_NAMESPACE);
}

/** One schedule in ten selects its policy by label, which means a look at every policy of its namespace. */
function schedule(index: number): KubeObject {
  const aim: JsonObject =
    index % 10 === 0
      ? { policySelector: { matchLabels: { app: `app-${index}` } } }
      : { policyRef: { name: `app-${index}` } };
  return {
    apiVersion: 'kopiur.home-operations.com/v1alpha1',
    kind: 'SnapshotSchedule',
    metadata: metadata(groupOf(index), `nightly-${index}`, { uid: uid(1, index), generation: 1 }),
    spec: {
      ...aim,
      schedule: { cron: 'H 3 * * *', concurrencyPolicy: 'Forbid', runOnCreate: false },
      failedJobsHistoryLimit: 10,
    },
  };
}

function policy(index: number): KubeObject {
  const labels = { app: `app-${index}` };
  return {
    apiVersion: 'kopiur.home-operations.com/v1alpha1',
    kind: 'SnapshotPolicy',
    metadata: metadata(groupOf(index), `app-${index}`, { uid: uid(2, index), labels }),
    spec: {
      repository: { kind: 'Repository', name: 'nas' },
      sources: [{ pvc: { name: `app-${index}` } }],
      defaultDeletionPolicy: 'Delete',
      retention: { keepLatest: RUNS, keepDaily: 7, keepWeekly: 4 },
    },
  };
}

function repository(group: number): KubeObject {
  const timezone = ZONES[group % ZONES.length] ?? 'UTC';
  return {
    apiVersion: 'kopiur.home-operations.com/v1alpha1',
    kind: 'Repository',
    metadata: metadata(group, 'nas', { uid: uid(3, group) }),
    spec: { scheduleDefaults: { timezone, jitter: '30m' } },
  };
}

/** The newest first; one in seven failed. */
function snapshot(index: number, run: number): KubeObject {
  const slot = instant(SETTLED - (run + 1) * DAY);
  const [start, end] = [formatInstant(instant(slot + 20)), formatInstant(instant(slot + 300))];
  const name = `nightly-${index}-${formatInstant(slot).replace(/\D/g, '')}`;
  return {
    apiVersion: 'kopiur.home-operations.com/v1alpha1',
    kind: 'Snapshot',
    metadata: metadata(groupOf(index), name, {
      uid: uid(4, index, run),
      creationTimestamp: start,
      labels: {
        'app.kubernetes.io/managed-by': 'kopiur',
        'kopiur.home-operations.com/config': `app-${index}`,
        'kopiur.home-operations.com/origin': 'scheduled',
        'kopiur.home-operations.com/schedule': `nightly-${index}`,
      },
      annotations: {
        'minutehand.dev/owner-uid': uid(1, index),
        'minutehand.dev/slot': formatInstant(slot),
      },
    }),
    spec: { policyRef: { name: `app-${index}` }, deletionPolicy: 'Delete' },
    status: {
      phase: run % 7 === 6 ? 'Failed' : 'Succeeded',
      origin: 'scheduled',
      timing: { startTime: start, endTime: end },
      ...(run % 7 === 6 ? {} : { snapshot: { kopiaSnapshotID: `k${index}-${run}` } }),
    },
  };
}

function listing(objects: readonly KubeObject[]): Listing {
  return { state: 'read', objects: objects.map((object) => ({ object })) };
}

/** The decision about everything that `JSON.parse` made of the text of a world. */
export function decideSnapshots(
  [schedules, snapshots, policies, repositories]: Lists,
  now: Instant,
): Reconciliation {
  const observed: Observed = new Map([
    [typeId(SCHEDULE), listing(schedules)],
    [typeId(SNAPSHOT), listing(snapshots)],
    [typeId(POLICY), listing(policies)],
    [typeId(REPOSITORY), listing(repositories)],
  ]);
  const retention = { 'snapshot-policy': 'manage' } as const;
  const settings = { graceSeconds: 90, defaultTimeZone: 'UTC', writers: {}, retention };
  return reconcile({ observed, kinds: KINDS, settings, now });
}

/** A tick writes what it says of every schedule. */
function settled(schedules: readonly KubeObject[], { changeSet }: Reconciliation): readonly KubeObject[] {
  const written = new Map(
    changeSet.schedules.map(({ key, changes }) => [key.name, changes.find(({ verb }) => verb === 'apply')]),
  );
  return schedules.map((object) => {
    const change = written.get(object.metadata.name);
    return change?.verb === 'apply' ? { ...object, status: change.fields } : object;
  });
}

/** Schedules with their Snapshots, policies and repositories as JSON text, settled at `SETTLED`. */
export function snapshotWorldText(count: number): string {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const schedules = indexes.map(schedule);
  const snapshots = indexes.flatMap((index) =>
    Array.from({ length: RUNS }, (_, run) => snapshot(index, run)),
  );
  const policies = indexes.map(policy);
  const repositories = Array.from({ length: Math.ceil(count / PER_NAMESPACE) }, (_, group) =>
    repository(group),
  );
  const decided = decideSnapshots([schedules, snapshots, policies, repositories], SETTLED);
  return JSON.stringify([settled(schedules, decided), snapshots, policies, repositories]);
}
