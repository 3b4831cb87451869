import { isObject } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import type { CaseRow, ConditionRow, PodRow } from './case-row.ts';

const NAMESPACE = 'default';
const JOB_NAME = 'work';
const UID = 'uid-job';
const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';

/** The containers that rules of a failure policy name, which the API wants to be there. */
function namedContainers({ spec }: CaseRow): readonly string[] {
  const { rules } = isObject(spec.podFailurePolicy) ? spec.podFailurePolicy : {};
  const codes = (Array.isArray(rules) ? rules : []).map((rule) => (isObject(rule) ? rule.onExitCodes : null));
  const names = codes.map((one) => (isObject(one) ? one.containerName : undefined));
  return [...new Set(names)].filter((name) => typeof name === 'string' && name !== 'main') as string[];
}

/** The rows leave out what has nothing to do with them: containers, and a restart policy of Never. */
function templateOf(row: CaseRow): JsonObject {
  const { spec } = row;
  const given = isObject(spec.template) ? spec.template : {};
  const podSpec = isObject(given.spec) ? given.spec : {};
  return {
    ...given,
    spec: {
      restartPolicy: 'Never',
      containers: ['main', ...namedContainers(row)].map((name) => ({ name, image: 'registry.test/work:1' })),
      ...podSpec,
    },
  };
}

function conditionOf({ type, status = 'True', reason, lastTransitionTime }: ConditionRow): JsonObject {
  return { type, status, reason, ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }) };
}

function statusOf({ prior = {}, startTime }: CaseRow): JsonObject {
  const { succeeded, failed, completedIndexes, conditions } = prior;
  return {
    ...(succeeded === undefined ? {} : { succeeded }),
    ...(failed === undefined ? {} : { failed }),
    ...(completedIndexes === undefined ? {} : { completedIndexes }),
    ...(conditions === undefined ? {} : { conditions: conditions.map(conditionOf) }),
    ...(startTime === null ? {} : { startTime }),
  };
}

/** @param managedBy written into the spec instead of what the row says, if given */
export function jobOf(row: CaseRow, managedBy?: string): KubeObject {
  const backoff = row.prior?.backoff;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: JOB_NAME,
      namespace: NAMESPACE,
      uid: UID,
      resourceVersion: '1',
      ...(backoff === undefined
        ? {}
        : { annotations: { 'minutehand.dev/backoff': JSON.stringify(backoff) } }),
      ...(row.deleting === true ? { deletionTimestamp: row.now } : {}),
    },
    spec: { ...row.spec, template: templateOf(row), ...(managedBy === undefined ? {} : { managedBy }) },
    status: statusOf(row),
  };
}

function containerState({ exitCode, finishedAt }: PodRow): JsonObject {
  if (exitCode === undefined) return { running: {} };
  return { terminated: { exitCode, ...(finishedAt === undefined ? {} : { finishedAt }) } };
}

function podStatus(pod: PodRow): Json {
  const { phase, exitCode, restarts, container = 'main', conditions = [], ready = false } = pod;
  const hasContainer = exitCode !== undefined || restarts !== undefined;
  return {
    phase,
    conditions: [...conditions, ...(ready ? [{ type: 'Ready', status: 'True' }] : [])],
    ...(hasContainer
      ? { containerStatuses: [{ name: container, restartCount: restarts ?? 0, state: containerState(pod) }] }
      : {}),
  };
}

function podAnnotations({ index, indexFailureCount }: PodRow): Record<string, string> {
  return {
    ...(index === undefined ? {} : { 'batch.kubernetes.io/job-completion-index': `${index}` }),
    ...(indexFailureCount === undefined
      ? {}
      : { 'batch.kubernetes.io/job-index-failure-count': `${indexFailureCount}` }),
  };
}

function podOf(row: CaseRow, pod: PodRow): KubeObject {
  const { name, created, deletionTimestamp, deletionGracePeriodSeconds } = pod;
  const grace = deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: NAMESPACE,
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: created ?? row.startTime ?? row.now,
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...grace,
      annotations: podAnnotations(pod),
      finalizers: pod.counted === true ? [] : [TRACKING_FINALIZER],
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          name: JOB_NAME,
          uid: UID,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: templateOf(row).spec ?? {},
    status: podStatus(pod),
  };
}

export function podsOf(row: CaseRow): readonly KubeObject[] {
  return row.pods.map((pod) => podOf(row, pod));
}
