import { JOB } from '#api/resources.ts';
import type { Settings } from '#core/kind.ts';
import type { JsonObject, KubeObject } from '#core/object/object.ts';
import { typeId } from '#core/observed.ts';
import { type Reconciliation, reconcile } from '#core/reconcile.ts';
import type { Live } from '#core/run/driver.ts';
import { formatInstant, instant } from '#core/time/instant.ts';
import { NOTHING_LIVE } from '#core/works.ts';
import { MANAGED_JOBS } from '#drivers/managed-job/index.ts';

const START = Date.parse('2026-11-30T12:00:00Z') / 1000;
const NOW = instant(START + 600);
const SETTINGS: Settings = {
  graceSeconds: 90,
  defaultTimeZone: 'UTC',
  writers: { 'managed-jobs': 'manage' },
  retention: {},
};

export interface JobWorld {
  readonly jobs: readonly KubeObject[];
  readonly pods: readonly KubeObject[];
}

/** Whether pods run and nothing is to be done, or all are over and have to be counted. */
export type Moment = 'running' | 'over';

function job(index: number, pods: number): KubeObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `job-${index}`,
      namespace: `team-${index % 40}`,
      uid: `uid-${index}`,
      resourceVersion: '1',
    },
    spec: {
      managedBy: 'minutehand.dev/job',
      completionMode: 'Indexed',
      completions: 2 * pods,
      parallelism: pods,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.37' }] } },
    },
    status: {
      active: pods,
      ready: pods,
      startTime: formatInstant(instant(START)),
      terminating: 0,
      uncountedTerminatedPods: {},
    },
  };
}

function statusOf(moment: Moment): JsonObject {
  if (moment === 'running')
    return { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], containerStatuses: [] };
  const terminated = { exitCode: 0, finishedAt: formatInstant(instant(START + 60)) };
  return {
    phase: 'Succeeded',
    containerStatuses: [{ name: 'main', restartCount: 0, state: { terminated } }],
  };
}

function podOf(
  { metadata: { name, namespace = '', uid = '' } }: KubeObject,
  index: number,
  moment: Moment,
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${name}-${index}-abcde`,
      namespace,
      uid: `${uid}-${index}`,
      resourceVersion: '1',
      creationTimestamp: formatInstant(instant(START)),
      labels: { 'minutehand.dev/managed-job': 'true' },
      annotations: {
        'batch.kubernetes.io/job-completion-index': `${index}`,
        'minutehand.dev/owner-uid': uid,
      },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true }],
      finalizers: ['batch.kubernetes.io/job-tracking'],
    },
    spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'busybox:1.37' }] },
    status: statusOf(moment),
  };
}

export function jobWorldText(jobs: number, pods: number, moment: Moment): string {
  const all = Array.from({ length: jobs }, (_, index) => job(index, pods));
  const world: JobWorld = {
    jobs: all,
    pods: all.flatMap((one) => Array.from({ length: pods }, (_, index) => podOf(one, index, moment))),
  };
  return JSON.stringify(world);
}

/** The whole decision about Jobs that nobody has looked at yet. */
export function decideJobs({ jobs, pods }: JobWorld): Reconciliation {
  const observed = new Map([
    [typeId(JOB), { state: 'read', objects: jobs.map((object) => ({ object })) } as const],
  ]);
  const live: Live = { ...NOTHING_LIVE, labelled: () => ({ state: 'read', objects: pods }) };
  return reconcile({ observed, kinds: [], drivers: [MANAGED_JOBS], settings: SETTINGS, now: NOW, live });
}

/** How many pods would be counted. */
export function countReleases({ changeSet }: Reconciliation): number {
  return changeSet.counts.works?.releases ?? 0;
}
