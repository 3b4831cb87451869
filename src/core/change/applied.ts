import type { Change } from '#core/change/change.ts';
import type { RetentionChanges, ScheduleChanges, WorkChanges } from '#core/change/change-set.ts';
import type { Verdict } from '#core/change/verdict.ts';
import type { WorkChange } from '#core/change/work-change.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { WorkState } from '#core/run/driver.ts';

export const CHANGE_STATES = ['done', 'unnecessary', 'failed', 'skipped'] as const;

/** What happened to one change; `unnecessary` is what somebody had done already or what no longer applied. */
export interface AppliedChange {
  readonly change: Change | WorkChange;
  readonly state: (typeof CHANGE_STATES)[number];
  readonly message?: string;
}

export interface AppliedSchedule {
  readonly schedule: ScheduleChanges;
  /** After the outcomes of the writes. */
  readonly verdict: Verdict;
  readonly applied: readonly AppliedChange[];
}

export interface AppliedRetention {
  readonly owner: RetentionChanges;
  readonly applied: readonly AppliedChange[];
}

export interface AppliedWork {
  readonly work: WorkChanges;
  /** After the outcomes of the writes. */
  readonly state: WorkState;
  readonly reason?: string;
  readonly applied: readonly AppliedChange[];
}

/** What came of a change set; schedules without changes are left out. */
export interface ApplyReport {
  readonly schedules: readonly AppliedSchedule[];
  readonly retention: readonly AppliedRetention[];
  readonly works: readonly AppliedWork[];
  readonly diagnostics: readonly Diagnostic[];
  /** Some writes failed; events are best effort and never count. */
  readonly partial: boolean;
}
