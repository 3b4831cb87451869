import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { type CaseRow, cronJobName, type JobRow, jobName } from './case-row.ts';

const NAMESPACE = 'default';
const UID = 'uid-cron-job';
/** Absent limits mean no trimming in the rows, where the API would fill in 3 and 1. */
const NO_LIMIT = 2_147_483_647;

const JOB_SPEC = {
  template: {
    spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'registry.test/work:1' }] },
  },
};

function conditionsOf(job: JobRow): Json {
  switch (job.state ?? 'running') {
    case 'complete':
      return [{ type: 'Complete', status: 'True' }];
    case 'failed':
      return [{ type: 'Failed', status: 'True' }];
    case 'running':
    case 'missing':
    case 'unlisted':
      return [];
  }
}

function ownerReferences(row: CaseRow, job: JobRow): KubeObject['metadata']['ownerReferences'] {
  if (job.controller === 'none') return [];
  return [
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      name: job.controller === 'otherName' ? 'another' : cronJobName(row),
      uid: job.controller === 'otherUid' ? 'uid-another' : UID,
      controller: true,
      blockOwnerDeletion: true,
    },
  ];
}

function jobObject(row: CaseRow, job: JobRow): KubeObject {
  const name = jobName(row, job);
  const scheduled = job.scheduled;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: NAMESPACE,
      uid: `uid-${name}`,
      resourceVersion: '1',
      ...(scheduled === undefined
        ? {}
        : { annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': scheduled } }),
      ownerReferences: ownerReferences(row, job) ?? [],
    },
    spec: JOB_SPEC,
    status: {
      conditions: conditionsOf(job),
      ...(job.startTime === undefined ? {} : { startTime: job.startTime }),
      ...(job.completionTime === undefined ? {} : { completionTime: job.completionTime }),
    },
  };
}

function trackedEntry(row: CaseRow, job: JobRow): JsonObject {
  const name = jobName(row, job);
  return { apiVersion: 'batch/v1', kind: 'Job', name, namespace: NAMESPACE, uid: `uid-${name}` };
}

/** The Jobs that the one read of a tick holds: `unlisted` ones are found by their direct read (decision 2). */
export function jobsOf(row: CaseRow): readonly KubeObject[] {
  const tracked = row.active.filter((job) => job.state !== 'missing');
  return [...tracked, ...(row.jobs ?? [])].map((job) => jobObject(row, job));
}

export function cronJobOf(row: CaseRow): KubeObject {
  const active = row.active.map((job) => trackedEntry(row, job));
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: {
      name: cronJobName(row),
      namespace: NAMESPACE,
      uid: UID,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: row.created,
      ...(row.deleting === true ? { deletionTimestamp: row.now } : {}),
    },
    spec: {
      schedule: row.schedule,
      concurrencyPolicy: row.concurrencyPolicy,
      successfulJobsHistoryLimit: row.successfulJobsHistoryLimit ?? NO_LIMIT,
      failedJobsHistoryLimit: row.failedJobsHistoryLimit ?? NO_LIMIT,
      ...(row.timeZone === undefined ? {} : { timeZone: row.timeZone }),
      ...(row.suspend === undefined ? {} : { suspend: row.suspend }),
      ...(row.startingDeadlineSeconds === undefined
        ? {}
        : { startingDeadlineSeconds: row.startingDeadlineSeconds }),
      jobTemplate: { spec: JOB_SPEC },
    },
    status: {
      ...(active.length === 0 ? {} : { active }),
      ...(row.lastScheduleTime === undefined ? {} : { lastScheduleTime: row.lastScheduleTime }),
      ...(row.lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime: row.lastSuccessfulTime }),
    },
  };
}
