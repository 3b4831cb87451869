import type { FieldDiff } from '#core/change/diff.ts';
import type { Verdict } from '#core/change/verdict.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { ObjectKey, Place } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Instant } from '#core/time/instant.ts';
import type { DayCount, FiringChanges } from './firing-changes.ts';
import type { Guard } from './guard.ts';
import type { MergeEffects } from './merge-effects.ts';
import type { PeakChange } from './peaks.ts';

/** `affected`: the schedule itself stays as it is, and something that it points to changes what it does. */
export type ObjectChange = 'added' | 'removed' | 'changed' | 'affected';

/** A clock change in the window that the schedule meets otherwise than before. */
export interface ClockChange {
  readonly at: Instant;
  /** What it does to the schedule of the base; absent where it does nothing. */
  readonly before?: string;
  readonly after?: string;
}

/** What a change does to one schedule; only such that differ in something are listed. */
export interface ScheduleComparison {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly change: ObjectChange;
  /** On one side nobody can tell what becomes of it; then nothing is claimed. */
  readonly unknown?: 'unreadable' | 'unselected';
  /** Of the head, else of the base. */
  readonly place?: Place;
  /** Of the first field of its spec that differs, in the head. */
  readonly changedAt?: Place;
  readonly before?: Verdict;
  readonly after?: Verdict;
  /** How many runs its next firing starts: none where there is nothing to start. */
  readonly runsBefore: number;
  readonly runsAfter: number;
  readonly firings: FiringChanges;
  readonly merge: MergeEffects;
  readonly clockChanges: readonly ClockChange[];
  /** Errors and warnings that the base does not have. */
  readonly broken: readonly Diagnostic[];
  readonly mended: readonly Diagnostic[];
  /** It had slots to come, or is new, and has none any more. */
  readonly neverFires: boolean;
  readonly fields: readonly FieldDiff[];
  /** Guards that its annotation acknowledges. */
  readonly acknowledged: readonly string[];
}

/** Another object: an order, something that schedules or orders point to, or one of any type that is broken. */
export interface ReferentComparison {
  readonly type: Pick<ResourceType, 'group' | 'version'>;
  readonly key: ObjectKey;
  readonly change: ObjectChange;
  readonly place?: Place;
  readonly broken: readonly Diagnostic[];
  readonly mended: readonly Diagnostic[];
  readonly fields: readonly FieldDiff[];
  /** Runs that its retention takes away at once. */
  readonly prunes: readonly ObjectKey[];
}

export interface Totals {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly affected: number;
  readonly unchanged: number;
  readonly firingsBefore: number;
  readonly firingsAfter: number;
  readonly firingsAdded: number;
  readonly firingsRemoved: number;
  readonly firingsMoved: number;
  readonly firesNow: number;
  readonly cancels: number;
  readonly prunes: number;
  readonly invalid: number;
  readonly neverFires: number;
}

/** How much is known of what ran before the change. */
export type StatusBasis =
  /** Recorded statuses. */
  | 'recorded'
  /** What manifests spell out themselves, statuses or runs; for the rest as below. */
  | 'declared'
  /** None: what both sides hold is taken to have run every slot up to now, and while suspended none of the last ones. */
  | 'assumed';

export interface Tripped {
  readonly guard: Guard;
  readonly schedules: readonly ObjectKey[];
}

/** What a change does to the firings, as data. */
export interface Comparison {
  readonly formatVersion: 1;
  readonly now: Instant;
  readonly until: Instant;
  readonly basis: StatusBasis;
  readonly base: string;
  readonly head: string;
  readonly totals: Totals;
  /** Of all schedules together. */
  readonly days: readonly DayCount[];
  /** Of everything, and of every repository or cluster whose peak differs. */
  readonly peaks: readonly PeakChange[];
  readonly schedules: readonly ScheduleComparison[];
  readonly referents: readonly ReferentComparison[];
  /** Faults that belong to no object, and that the base does not have. */
  readonly broken: readonly Diagnostic[];
}
