import * as z from 'zod/mini';
import type { GfsRule } from '#core/run/gfs.ts';

const MAX_UINT32 = 4_294_967_295;

const Count = z.int().check(z.minimum(0), z.maximum(MAX_UINT32));
/** int64: beyond the numbers that are exact here, but a number of seconds nobody lives to see. */
const Whole = z.number().check(z.multipleOf(1));
const Text = z.string();
const Name = z.string().check(z.minLength(1));
/** Longer than any window that somebody writes; a server wants a limit to what its rules look at. */
const Jitter = z.string('a text such as "30m"').check(z.maxLength(64));

export const PolicyRef = z.object({ name: Name, namespace: z.optional(Text) });

/** The rules of a selector itself are those of the API's label selectors. */
const Selector = z.record(z.string(), z.json());

/** snapshot-schedule.md 1.1; a negative deadline is refused at admission only (6.2). */
export const Timetable = z.object({
  cron: Name,
  jitter: z.optional(Jitter),
  timezone: z.optional(Text),
  runOnCreate: z.optional(z.boolean()),
  suspend: z.optional(z.boolean()),
  concurrencyPolicy: z.optional(z.enum(['Forbid', 'Allow', 'Replace'])),
  startingDeadlineSeconds: z.optional(Whole),
});

export const Deletion = z.object({ onScheduleDelete: z.optional(z.enum(['Retain', 'Delete'])) });

/** snapshot-schedule.md 1.1. */
export const ScheduleSpec = z.object({
  policyRef: z.optional(PolicyRef),
  policySelector: z.optional(Selector),
  schedule: Timetable,
  failedJobsHistoryLimit: z.optional(Count),
  deletion: z.optional(Deletion),
});
export type ScheduleSpec = z.infer<typeof ScheduleSpec>;

/** snapshot-schedule.md 1.1. */
export const DEFAULTS = { failedJobsHistoryLimit: 10, concurrencyPolicy: 'Forbid' } as const;

export const RepositoryRef = z.object({
  kind: z.optional(z.enum(['Repository', 'ClusterRepository'])),
  name: Name,
  namespace: z.optional(Text),
});
export type RepositoryRef = z.infer<typeof RepositoryRef>;

const ClaimSelector = z.object({
  labelSelector: z.optional(Selector),
  namespaceSelector: z.optional(z.object({ matchNames: z.optional(z.array(Name)) })),
});

/** The part of a source that decides how many Snapshots a slot has. */
export const Source = z.looseObject({
  pvc: z.optional(z.looseObject({ name: Name })),
  pvcSelector: z.optional(ClaimSelector),
  nfs: z.optional(z.looseObject({})),
});
export type Source = z.infer<typeof Source>;

/** snapshot-schedule.md 4.2. */
export const RetentionBlock = z.object({
  keepLatest: z.optional(Count),
  keepHourly: z.optional(Count),
  keepDaily: z.optional(Count),
  keepWeekly: z.optional(Count),
  keepMonthly: z.optional(Count),
  keepAnnual: z.optional(Count),
});

/** Buckets that are written; a key that is missing keeps nothing. */
export function gfsRule(block: z.infer<typeof RetentionBlock>): GfsRule {
  return Object.fromEntries(Object.entries(block).filter(([, count]) => count !== undefined));
}

/** What a schedule needs of a SnapshotPolicy (snapshot-schedule.md 1.4); the rest is its operator's. */
export const PolicySpec = z.looseObject({
  suspend: z.optional(z.boolean()),
  repository: z.optional(RepositoryRef),
  repositories: z.optional(z.array(RepositoryRef).check(z.minLength(1), z.maxLength(8))),
  sources: z.optional(z.array(Source).check(z.maxLength(100))),
  groupBy: z.optional(z.enum(['VolumeGroupSnapshot', 'None'])),
  defaultDeletionPolicy: z.optional(z.enum(['Delete', 'Retain', 'Orphan'])),
  retention: z.optional(RetentionBlock),
});
export type PolicySpec = z.infer<typeof PolicySpec>;

const ScheduleDefaults = z.object({ timezone: z.optional(Text), jitter: z.optional(Jitter) });

/** What a schedule needs of a Repository or ClusterRepository (snapshot-schedule.md 1.5). */
export const RepositorySpec = z.looseObject({ scheduleDefaults: z.optional(ScheduleDefaults) });
