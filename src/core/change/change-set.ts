import type { Change, DeleteChange } from '#core/change/change.ts';
import type { Verdict, VerdictCode } from '#core/change/verdict.ts';
import type { WorkChange } from '#core/change/work-change.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import { keyId } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { WorkState } from '#core/run/driver.ts';
import type { Instant } from '#core/time/instant.ts';

/** What a tick wants for one schedule. */
export interface ScheduleChanges {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  /** As read; empty where the store has not seen the object yet. */
  readonly uid: string;
  readonly resourceVersion: string;
  readonly verdict: Verdict;
  /** In the order in which they are applied (design.md 3.5). */
  readonly changes: readonly Change[];
  /** Made by hand for slots of the past: runs of several slots, and nothing else. */
  readonly backfill?: true;
}

/** What an object that decides how many runs are kept wants deleted, whoever started them. */
export interface RetentionChanges {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly changes: readonly DeleteChange[];
}

/** What a tick wants for one order of a driver: a BackupJob, a RestoreJob, or what waits for a finalizer. */
export interface WorkChanges {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The id of the driver. */
  readonly driver: string;
  readonly state: WorkState;
  readonly reason?: string;
  readonly detail?: string;
  /** In this order; one that does not go through ends the rest. */
  readonly changes: readonly WorkChange[];
}

/** What orders add up to; their creates are no runs of schedules and are counted here alone. */
export interface WorkCounts {
  readonly orders: number;
  readonly states: Readonly<Partial<Record<WorkState, number>>>;
  /** Beside `orders`: those that failed before, which stay in sight. Only where there are some. */
  readonly failedEarlier?: number;
  readonly creates: number;
  readonly statuses: number;
  readonly releases: number;
  /** Only where there are some. */
  readonly deletes?: number;
  readonly events: number;
}

/** Exhaustive: the verdicts add up to the schedules, the verbs to the changes. */
export interface Counts {
  readonly schedules: number;
  readonly verdicts: Readonly<Partial<Record<VerdictCode, number>>>;
  readonly creates: number;
  readonly deletes: number;
  /** Only where there are some. */
  readonly annotations?: number;
  readonly statuses: number;
  readonly events: number;
  /** Only where there are some. */
  readonly works?: WorkCounts;
}

/** The output of a tick, as data. */
export interface ChangeSet {
  readonly formatVersion: 1;
  readonly now: Instant;
  readonly graceSeconds: number;
  readonly schedules: readonly ScheduleChanges[];
  /** Applied behind all schedules: their statuses tell of runs that go here. */
  readonly retention: readonly RetentionChanges[];
  /** Unfinished orders of drivers. */
  readonly works: readonly WorkChanges[];
  readonly counts: Counts;
  readonly diagnostics: readonly Diagnostic[];
}

export function countChanges(
  schedules: readonly ScheduleChanges[],
  retention: readonly RetentionChanges[],
  works: readonly WorkChanges[] = [],
  failedEarlier = 0,
): Counts {
  const verdicts: Partial<Record<VerdictCode, number>> = {};
  const verbs = { create: 0, delete: 0, annotate: 0, apply: 0, event: 0 };
  for (const { verdict, changes } of schedules) {
    verdicts[verdict.code] = (verdicts[verdict.code] ?? 0) + 1;
    for (const change of changes) verbs[change.verb] += 1;
  }
  for (const { changes } of retention) verbs.delete += changes.length;
  return {
    schedules: schedules.length,
    verdicts,
    creates: verbs.create,
    deletes: verbs.delete,
    ...(verbs.annotate === 0 ? {} : { annotations: verbs.annotate }),
    statuses: verbs.apply,
    events: verbs.event,
    ...(works.length + failedEarlier === 0 ? {} : { works: countWorks(works, failedEarlier) }),
  };
}

function countWorks(works: readonly WorkChanges[], failedEarlier: number): WorkCounts {
  const states: Partial<Record<WorkState, number>> = {};
  const verbs = { create: 0, apply: 0, release: 0, delete: 0, event: 0 };
  for (const { state, changes } of works) {
    states[state] = (states[state] ?? 0) + 1;
    for (const change of changes) verbs[change.verb] += 1;
  }
  return {
    orders: works.length,
    states,
    ...(failedEarlier === 0 ? {} : { failedEarlier }),
    creates: verbs.create,
    statuses: verbs.apply,
    releases: verbs.release,
    ...(verbs.delete === 0 ? {} : { deletes: verbs.delete }),
    events: verbs.event,
  };
}

/** What schedules, or those that decide how many runs are kept, delete: by `keyId`. */
export function deletedBy(owners: readonly Pick<ScheduleChanges, 'changes'>[]): ReadonlySet<string> {
  const deleted = new Set<string>();
  for (const { changes } of owners)
    for (const change of changes) if (change.verb === 'delete') deleted.add(keyId(change.key));
  return deleted;
}

export function hasChanges(set: ChangeSet): boolean {
  return [...set.schedules, ...set.retention, ...set.works].some(({ changes }) => changes.length > 0);
}
