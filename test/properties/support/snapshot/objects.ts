import type { Json, KubeObject, OwnerReference } from '#core/object/object.ts';
import { formatInstant, instant } from '#core/time/instant.ts';

/* What the authors of these tests' objects mean, and the objects as they write them. */

export const NAMESPACE = 'billing';
export const GROUP = 'kopiur.home-operations.com';
export const SLOT_MARK = 'minutehand.dev/slot';
export const OWNER_MARK = 'minutehand.dev/owner-uid';
export const PRUNED_BY = `${GROUP}/pruned-by`;
export const SCHEDULE_LABEL = `${GROUP}/schedule`;

const API_VERSION = `${GROUP}/v1alpha1`;

/** A SnapshotSchedule; all of them live in one namespace. */
export interface Timetable {
  readonly name: string;
  /** One policy by its name, or every one that has the label `tier` with this value. */
  readonly aim: { readonly policy: string } | { readonly tier: string };
  readonly cron: string;
  readonly zone: string | undefined;
  readonly jitter: string | undefined;
  readonly runOnCreate: boolean;
  readonly suspend: boolean;
  readonly concurrency: 'Allow' | 'Forbid' | 'Replace' | undefined;
  readonly deadline: number | undefined;
  readonly failedLimit: number | undefined;
}

/** A SnapshotPolicy. */
export interface Recipe {
  readonly tier: string | undefined;
  readonly suspend: boolean;
  /** Names of repositories; several of them give a Snapshot each. */
  readonly repositories: readonly string[];
  /** A PVC that is named, or every one that has the label `disk` with this value. */
  readonly source: { readonly claim: string } | { readonly disk: string };
  /** `keepLatest`; 0 is a block that keeps nothing, undefined no block at all. */
  readonly keep: number | undefined;
}

/** What a Repository hands down. */
export interface Defaults {
  readonly zone: string | undefined;
  readonly jitter: string | undefined;
}

export function timeText(at: number): string {
  return formatInstant(instant(at));
}

export function without(members: Record<string, Json | undefined>): { readonly [key: string]: Json } {
  const kept = Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return Object.fromEntries(kept);
}

export function scheduleSpec(timetable: Timetable): Json {
  const { aim } = timetable;
  return without({
    ...('policy' in aim
      ? { policyRef: { name: aim.policy } }
      : { policySelector: { matchLabels: { tier: aim.tier } } }),
    schedule: without({
      cron: timetable.cron,
      timezone: timetable.zone,
      jitter: timetable.jitter,
      runOnCreate: timetable.runOnCreate || undefined,
      suspend: timetable.suspend || undefined,
      concurrencyPolicy: timetable.concurrency,
      startingDeadlineSeconds: timetable.deadline,
    }),
    failedJobsHistoryLimit: timetable.failedLimit,
  });
}

function object(
  kind: string,
  name: string,
  more: Partial<KubeObject>,
  labels?: Record<string, string>,
): KubeObject {
  return {
    apiVersion: kind === 'PersistentVolumeClaim' ? 'v1' : API_VERSION,
    kind,
    ...more,
    metadata: {
      name,
      namespace: NAMESPACE,
      uid: `uid-${kind}-${name}`,
      generation: 1,
      ...(labels === undefined ? {} : { labels }),
      ...more.metadata,
    },
  };
}

export function scheduleObject(
  timetable: Timetable,
  uid: string,
  created: number,
  status?: Json,
): KubeObject {
  const made = object('SnapshotSchedule', timetable.name, { spec: scheduleSpec(timetable) });
  return {
    ...made,
    metadata: { ...made.metadata, uid, creationTimestamp: timeText(created) },
    ...(status === undefined ? {} : { status }),
  };
}

function policySpec({ suspend, repositories, source, keep }: Recipe): Json {
  const refs = repositories.map((name): Json => ({ kind: 'Repository', name }));
  const [only] = refs;
  return without({
    ...(refs.length === 1 && only !== undefined ? { repository: only } : { repositories: refs }),
    suspend: suspend || undefined,
    sources: [
      'claim' in source
        ? { pvc: { name: source.claim } }
        : { pvcSelector: { labelSelector: { matchLabels: { disk: source.disk } } } },
    ],
    retention: keep === undefined ? undefined : { keepLatest: keep },
  });
}

export function policyObject(name: string, recipe: Recipe): KubeObject {
  const labels = recipe.tier === undefined ? undefined : { tier: recipe.tier };
  return object('SnapshotPolicy', name, { spec: policySpec(recipe) }, labels);
}

export function repositoryObject(name: string, { zone, jitter }: Defaults): KubeObject {
  const scheduleDefaults = without({ timezone: zone, jitter });
  const isEmpty = Object.keys(scheduleDefaults).length === 0;
  return object('Repository', name, { spec: isEmpty ? {} : { scheduleDefaults } });
}

export function claimObject(name: string, disk: string): KubeObject {
  return object('PersistentVolumeClaim', name, {}, { disk });
}

/** What one Snapshot of a fan-out is for. */
export interface Backup {
  readonly claim: string | undefined;
  readonly repository: string | undefined;
}

function runSpec(policy: string, { claim, repository }: Backup): Json {
  const target = { pvc: { namespace: NAMESPACE, name: claim ?? '' } };
  return without({
    policyRef: { name: policy },
    repository:
      repository === undefined ? undefined : { kind: 'Repository', name: repository, namespace: NAMESPACE },
    source: claim === undefined ? undefined : { sourceIndex: 0, target },
  });
}

/** A Snapshot that somebody other than the program under test made. */
export interface RunDraft {
  readonly name: string;
  readonly policy: string;
  readonly uid: string;
  readonly created: number;
  /** The schedule that its label names. */
  readonly schedule?: string;
  /** The uid that its mark names. */
  readonly owner?: string;
  readonly slot?: number;
  /** The uid of the schedule that controls it. */
  readonly controller?: string;
  /** What it backs up, where its policy alone does not say so. */
  readonly wanted?: Backup;
  readonly status?: Json;
}

function controllerOf({ schedule = '', controller = '' }: RunDraft): OwnerReference {
  return {
    apiVersion: API_VERSION,
    kind: 'SnapshotSchedule',
    name: schedule,
    uid: controller,
    controller: true,
  };
}

export function runObject(draft: RunDraft): KubeObject {
  const origin = draft.schedule === undefined ? 'manual' : 'scheduled';
  const annotations = {
    ...(draft.owner === undefined ? {} : { [OWNER_MARK]: draft.owner }),
    ...(draft.slot === undefined ? {} : { [SLOT_MARK]: timeText(draft.slot) }),
  };
  const made = object(
    'Snapshot',
    draft.name,
    { spec: runSpec(draft.policy, draft.wanted ?? { claim: undefined, repository: undefined }) },
    {
      [`${GROUP}/origin`]: origin,
      [`${GROUP}/config`]: draft.policy,
      ...(draft.schedule === undefined ? {} : { [SCHEDULE_LABEL]: draft.schedule }),
    },
  );
  return {
    ...made,
    metadata: {
      ...made.metadata,
      uid: draft.uid,
      creationTimestamp: timeText(draft.created),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(draft.controller === undefined ? {} : { ownerReferences: [controllerOf(draft)] }),
    },
    ...(draft.status === undefined ? {} : { status: draft.status }),
  };
}

/** The Job that carries a Snapshot out: of the same name, controlled by it. */
export function jobObject(run: KubeObject): KubeObject {
  const { name, namespace = NAMESPACE, uid = '' } = run.metadata;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace,
      uid: `uid-job-${uid}`,
      ownerReferences: [{ apiVersion: API_VERSION, kind: 'Snapshot', name, uid, controller: true }],
    },
    spec: {},
    status: { active: 1 },
  };
}
