import type { Json, KubeObject, OwnerReference } from '#core/object/object.ts';
import { formatInstant, instant } from '#core/time/instant.ts';
import { API_VERSIONS, APPLICATION, classOf, type Timetable, uidOf } from './timetable.ts';

/** How far a run has come; `odd` is a phase that no build knows yet. */
export type Progress = 'fresh' | 'running' | 'succeeded' | 'failed' | 'odd';

const GROUP = 'etcd-operator.cozystack.io';

function timeText(at: number): string {
  return formatInstant(instant(at));
}

/** The status of a run that came so far; a Job knows no odd phase and just runs on. */
export function runStatus(kind: Timetable['kind'], progress: Progress, at: number): Json | undefined {
  // A driver alone says how an order gets on.
  if (kind === 'Plan') return progress === 'odd' ? { phase: 'Verifying' } : undefined;
  if (kind === 'EtcdDefragPolicy') {
    switch (progress) {
      case 'fresh':
        return undefined;
      case 'running':
        return { phase: 'Running', startedAt: timeText(at) };
      case 'succeeded':
        return { phase: 'Complete', completedAt: timeText(at) };
      case 'failed':
        return { phase: 'Failed', completedAt: timeText(at) };
      case 'odd':
        return { phase: 'Verifying' };
    }
  }
  switch (progress) {
    case 'fresh':
      return undefined;
    case 'running':
    case 'odd':
      return { active: 1, startTime: timeText(at) };
    case 'succeeded':
    case 'failed': {
      const type = progress === 'succeeded' ? 'Complete' : 'Failed';
      const end = progress === 'succeeded' ? { completionTime: timeText(at) } : {};
      return {
        startTime: timeText(at - 20),
        ...end,
        conditions: [{ type, status: 'True', lastTransitionTime: timeText(at) }],
      };
    }
  }
}

export function runNameOf(timetable: Timetable, slot: number): string {
  return `${timetable.name}-${timetable.kind === 'EtcdDefragPolicy' ? slot : Math.floor(slot / 60)}`;
}

export function ownerReference(timetable: Timetable, uid = uidOf(timetable)): OwnerReference {
  const apiVersion = API_VERSIONS[timetable.kind];
  return { apiVersion, kind: timetable.kind, name: timetable.name, uid, controller: true };
}

export interface RunDraft {
  readonly name: string;
  readonly slot: number | undefined;
  /** Own, of an earlier schedule of the same name, or of nobody. */
  readonly owner: 'own' | 'other' | 'none';
  readonly manual: boolean;
  readonly created: number;
  readonly progress: Progress;
  readonly since: number;
  readonly terminating: boolean;
}

function annotationsOf(draft: RunDraft): Readonly<Record<string, string>> | undefined {
  if (draft.manual) return { 'cronjob.kubernetes.io/instantiate': 'manual' };
  if (draft.slot === undefined || draft.owner !== 'own') return undefined;
  return { 'batch.kubernetes.io/cronjob-scheduled-timestamp': timeText(draft.slot) };
}

/** The kinds of runs, by that of the schedule. */
export const RUN_KINDS: Readonly<Record<Timetable['kind'], string>> = {
  CronJob: 'Job',
  EtcdDefragPolicy: 'EtcdDefrag',
  Plan: 'BackupJob',
};

function labelsOf(timetable: Timetable): Pick<KubeObject['metadata'], 'labels'> {
  if (timetable.kind !== 'EtcdDefragPolicy') return {};
  return { labels: { [`${GROUP}/defrag-policy`]: timetable.name, [`${GROUP}/cluster`]: 'kv' } };
}

function runSpec(timetable: Timetable): Json {
  const ttl = timetable.ttl === undefined ? {} : { ttlSecondsAfterFinished: timetable.ttl };
  switch (timetable.kind) {
    case 'CronJob':
      return ttl;
    case 'EtcdDefragPolicy':
      return { clusterRef: { name: 'kv' }, ...ttl };
    case 'Plan':
      return { applicationRef: { ...APPLICATION }, backupClassName: classOf(timetable) };
  }
}

/** A run as it stands in the API. */
export function runObject(timetable: Timetable, draft: RunDraft): KubeObject {
  const annotations = annotationsOf(draft);
  const uid = draft.owner === 'other' ? 'uid-of-an-earlier-one' : uidOf(timetable);
  const status = runStatus(timetable.kind, draft.progress, draft.since);
  return {
    apiVersion: API_VERSIONS[timetable.kind],
    kind: RUN_KINDS[timetable.kind],
    metadata: {
      name: draft.name,
      namespace: timetable.namespace,
      uid: `uid-run-${timetable.kind}-${timetable.namespace}-${draft.name}`,
      creationTimestamp: timeText(draft.created),
      ...(draft.owner === 'none' ? {} : { ownerReferences: [ownerReference(timetable, uid)] }),
      ...(draft.owner === 'none' ? {} : labelsOf(timetable)),
      ...(annotations === undefined ? {} : { annotations }),
      ...(draft.terminating
        ? { deletionTimestamp: timeText(draft.since), finalizers: ['example.org/hold'] }
        : {}),
    },
    spec: runSpec(timetable),
    ...(status === undefined ? {} : { status }),
  };
}
