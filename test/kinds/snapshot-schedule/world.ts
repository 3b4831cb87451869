import type { JsonObject, KubeObject, Metadata } from '#core/object/object.ts';

const API_VERSION = 'kopiur.home-operations.com/v1alpha1';
const CREATED = '2026-01-01T00:00:00Z';

/** An object of the group in the namespace billing; members of metadata are overridden one by one. */
function kopiur(
  kind: string,
  name: string,
  spec: JsonObject,
  more: { readonly metadata?: Partial<Metadata>; readonly status?: JsonObject } = {},
): KubeObject {
  return {
    apiVersion: API_VERSION,
    kind,
    metadata: {
      name,
      namespace: 'billing',
      uid: `uid-${name}`,
      resourceVersion: '5',
      generation: 1,
      creationTimestamp: CREATED,
      ...more.metadata,
    },
    spec,
    ...(more.status === undefined ? {} : { status: more.status }),
  };
}

/** Nightly at three, its slot of 10 June pinned. */
export function schedule(name: string, spec: JsonObject = {}, timetable: JsonObject = {}): KubeObject {
  return kopiur(
    'SnapshotSchedule',
    name,
    {
      policyRef: { name: 'pg' },
      ...spec,
      schedule: { cron: '0 3 * * *', timezone: 'UTC', jitter: '0s', ...timetable },
    },
    { status: { nextSchedule: { at: '2026-06-10T03:00:00Z', cron: '0 3 * * *', timezone: 'UTC' } } },
  );
}

export function policy(
  name: string,
  spec: JsonObject = {},
  labels: Readonly<Record<string, string>> = {},
): KubeObject {
  const base = { repository: { name: 'nas' }, sources: [{ pvc: { name: 'data' } }] };
  return kopiur('SnapshotPolicy', name, { ...base, ...spec }, { metadata: { labels } });
}

/** A run of the schedule's own. */
export function snapshot(name: string, slot: string, status: JsonObject, owner = 'nightly'): KubeObject {
  return kopiur(
    'Snapshot',
    name,
    { policyRef: { name: 'pg' } },
    {
      metadata: {
        creationTimestamp: slot,
        labels: {
          'kopiur.home-operations.com/schedule': owner,
          'kopiur.home-operations.com/origin': 'scheduled',
        },
        annotations: { 'minutehand.dev/slot': slot, 'minutehand.dev/owner-uid': `uid-${owner}` },
      },
      status,
    },
  );
}

/** What carries a run out. */
export function mover(run: string, controller = `uid-${run}`): KubeObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: run,
      namespace: 'billing',
      uid: `uid-job-${run}`,
      resourceVersion: '6',
      ownerReferences: [
        { apiVersion: API_VERSION, kind: 'Snapshot', name: run, uid: controller, controller: true },
      ],
    },
    spec: {},
  };
}

export function claim(
  name: string,
  labels: Readonly<Record<string, string>> = {},
  namespace = 'billing',
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace, uid: `uid-${name}`, labels },
  };
}
