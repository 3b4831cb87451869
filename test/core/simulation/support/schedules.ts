import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { formatInstant, type Instant, instant } from '#core/time/instant.ts';

/* One of everything that a schedule can say, so that the two ways to run its ticks can differ. */

const DEFRAG = 'etcd-operator.cozystack.io/v1alpha2';
const KOPIUR = 'kopiur.home-operations.com/v1alpha1';
const BACKUPS = 'backups.cozystack.io/v1alpha1';

function object(apiVersion: string, kind: string, name: string, created: number, spec: Json): KubeObject {
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace: 'harbor',
      uid: `uid-${name}`,
      generation: 1,
      creationTimestamp: formatInstant(instant(created)),
    },
    spec,
  };
}

const TEMPLATE: JsonObject = {
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.37' }] } },
  },
};

export function defragPolicy(name: string, created: number, spec: JsonObject): KubeObject {
  return object(DEFRAG, 'EtcdDefragPolicy', name, created, { clusterRef: { name: 'kv' }, ...spec });
}

export function cronJob(name: string, created: number, spec: JsonObject): KubeObject {
  return object('batch/v1', 'CronJob', name, created, { jobTemplate: TEMPLATE, ...spec });
}

export function snapshotSchedule(
  name: string,
  created: number,
  policy: string,
  schedule: JsonObject,
  more: JsonObject = {},
): KubeObject {
  const spec = { policyRef: { name: policy }, schedule, ...more };
  return object(KOPIUR, 'SnapshotSchedule', name, created, spec);
}

export function snapshotPolicy(name: string, repositories: readonly string[]): KubeObject {
  const refs = repositories.map((repository): Json => ({ kind: 'Repository', name: repository }));
  const [only] = refs;
  return object(KOPIUR, 'SnapshotPolicy', name, 0, {
    ...(refs.length === 1 && only !== undefined ? { repository: only } : { repositories: refs }),
    sources: [{ pvc: { name: 'disk' } }],
  });
}

export function repository(name: string): KubeObject {
  return object(KOPIUR, 'Repository', name, 0, {});
}

export function plan(name: string, created: number, cron: string): KubeObject {
  return object(BACKUPS, 'Plan', name, created, {
    applicationRef: { kind: 'MariaDB', name: 'ledger' },
    backupClassName: 'weekly',
    schedule: { type: 'cron', cron },
  });
}

/** A run of a schedule that is at work when the simulation begins. */
export function runOf(
  schedule: KubeObject,
  kind: string,
  run: {
    readonly name: string;
    readonly created: number;
    readonly labels?: Record<string, string>;
    readonly status?: Json;
  },
): KubeObject {
  const { apiVersion, metadata } = schedule;
  const made = object(kind === 'Job' ? 'batch/v1' : apiVersion, kind, run.name, run.created, {});
  const owner = {
    apiVersion,
    kind: schedule.kind,
    name: metadata.name,
    uid: metadata.uid ?? '',
    controller: true,
  };
  return {
    ...made,
    metadata: {
      ...made.metadata,
      ownerReferences: [owner],
      ...(run.labels === undefined ? {} : { labels: run.labels }),
    },
    ...(run.status === undefined ? {} : { status: run.status }),
  };
}

const DAY = 86_400;

/** All four kinds, beside each other; some are new, others owe slots of two days. */
export function everySchedule(from: Instant, zone: string): readonly KubeObject[] {
  const old = from - 2 * DAY;
  const tz = (cron: string): string => `CRON_TZ=${zone} ${cron}`;
  const held = cronJob('c-expires', old, {
    schedule: '*/10 * * * *',
    timeZone: zone,
    concurrencyPolicy: 'Forbid',
    startingDeadlineSeconds: 400,
  });
  const odd = defragPolicy('e-odd', from, { schedule: '*/30 * * * *' });
  const policyLabel = 'etcd-operator.cozystack.io/defrag-policy';
  return [
    defragPolicy('e-night', from, { schedule: tz('30 2 * * *') }),
    defragPolicy('e-often', old, { schedule: tz('*/15 * * * *'), historyLimit: 3 }),
    defragPolicy('e-allow', from, {
      schedule: tz('*/20 1-3 * * *'),
      concurrencyPolicy: 'Allow',
      historyLimit: 2,
      ttlSecondsAfterFinished: 3600,
    }),
    defragPolicy('e-pause', old, { schedule: '*/30 * * * *', suspend: true }),
    defragPolicy('e-deadline', old, { schedule: tz('5 * * * *'), startingDeadlineSeconds: 300 }),
    odd,
    runOf(odd, 'EtcdDefrag', {
      name: 'e-odd-1',
      created: from - 900,
      labels: { [policyLabel]: 'e-odd' },
      status: { phase: 'Verifying' },
    }),
    held,
    runOf(held, 'Job', { name: 'c-expires-1', created: from - 300, status: { active: 1 } }),
    cronJob('c-forbid', old, { schedule: '*/10 * * * *', timeZone: zone, concurrencyPolicy: 'Forbid' }),
    cronJob('c-replace', from, { schedule: '*/15 * * * *', timeZone: zone, concurrencyPolicy: 'Replace' }),
    cronJob('c-allow', from, {
      schedule: '30 2 * * *',
      timeZone: zone,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 0,
    }),
    cronJob('c-every', old, { schedule: '@every 37m' }),
    cronJob('c-often', from, { schedule: '@every 25s', concurrencyPolicy: 'Forbid' }),
    cronJob('c-pause', old, { schedule: '*/30 * * * *', suspend: true, timeZone: zone }),
    cronJob('c-leap', from, { schedule: '0 1 29 2 *', timeZone: zone }),
    cronJob('c-last', from, { schedule: '*/45 1-3 31 * *', timeZone: zone }),
    repository('r1'),
    repository('r2'),
    snapshotPolicy('p1', ['r1']),
    snapshotPolicy('p2', ['r1', 'r2']),
    snapshotSchedule('s-hash', from, 'p1', { cron: 'H * * * *', timezone: zone, jitter: '10m' }),
    snapshotSchedule('s-other', from, 'p1', { cron: '*/25 * * * *', timezone: zone }),
    snapshotSchedule('s-forbid', from, 'p2', {
      cron: '*/10 * * * *',
      timezone: zone,
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 900,
    }),
    snapshotSchedule('s-replace', from, 'p2', {
      cron: '*/20 * * * *',
      timezone: zone,
      jitter: '7m',
      concurrencyPolicy: 'Replace',
    }),
    snapshotSchedule(
      's-allow',
      from,
      'p1',
      { cron: '30 2 * * *', timezone: zone, concurrencyPolicy: 'Allow' },
      { failedJobsHistoryLimit: 1 },
    ),
    snapshotSchedule('s-first', from, 'p2', { cron: '0 */3 * * *', timezone: zone, runOnCreate: true }),
    snapshotSchedule('s-pause', from, 'p1', { cron: '*/30 * * * *', suspend: true }),
    snapshotSchedule('s-lost', from, 'nowhere', { cron: '*/40 * * * *', startingDeadlineSeconds: 1200 }),
    plan('b-often', from, tz('*/15 * * * *')),
    plan('b-night', old, tz('30 2 * * *')),
    plan('b-every', from, '@every 90m'),
  ];
}
