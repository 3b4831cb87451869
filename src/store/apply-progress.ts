import type { AppliedChange } from '#core/change/applied.ts';
import type { Change } from '#core/change/change.ts';
import type { RetentionChanges, ScheduleChanges } from '#core/change/change-set.ts';
import type { WorkChange } from '#core/change/work-change.ts';
import type { Diagnostic, DiagnosticCode } from '#core/diagnostic.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Store, WriteFailure, WriteResult } from './port.ts';

/** Why finished runs of a schedule are not deleted in this walk: all of them, or those of one slot. */
export interface Need {
  readonly why: string;
  readonly slot?: Instant;
}

/** One schedule, or whatever else has changes, being applied. */
export interface Progress<Owner = ScheduleChanges | RetentionChanges> {
  readonly store: Store;
  readonly reconciliation: Reconciliation;
  readonly schedule: Owner;
  readonly applied: AppliedChange[];
  readonly diagnostics: Diagnostic[];
  /** Why nothing more is written; shared by all schedules of the walk. */
  readonly halt: { reason: string | undefined };
  /** By the uid of a schedule; shared like `halt`. */
  readonly needed: Map<string, Need>;
  /** Asked before every write. */
  readonly stopReason: () => string | undefined;
}

export function note(
  progress: Progress<unknown>,
  change: Change | WorkChange,
  state: AppliedChange['state'],
  message?: string,
): void {
  progress.applied.push({ change, state, ...(message === undefined ? {} : { message }) });
}

export function report(
  progress: Progress<unknown>,
  change: Change | WorkChange,
  code: DiagnosticCode & ('WriteFailed' | 'NameTaken' | 'ChangedMeanwhile'),
  { message, fix }: Pick<WriteFailure, 'message' | 'fix'>,
): void {
  progress.diagnostics.push({
    code,
    severity: code === 'ChangedMeanwhile' ? 'warning' : 'error',
    object: change.key,
    what: `${change.verb} of ${change.key.kind} ${change.key.name}: ${message}`,
    ...(fix === undefined ? {} : { fix }),
  });
}

/** A write that did not go through. Once the store is somebody else's, every further write would be too. */
export function failWrite(
  progress: Progress<unknown>,
  change: Change | WorkChange,
  failure: WriteFailure,
): void {
  const { kind, message } = failure;
  if (kind === 'lost') progress.halt.reason ??= message;
  note(progress, change, 'failed', message);
  report(progress, change, kind === 'conflict' ? 'ChangedMeanwhile' : 'WriteFailed', failure);
}

/**
 * What came of a write that has nothing left to do once its object is gone.
 * @returns why it failed; undefined where it did not
 */
export function noteWrite(
  progress: Progress<unknown>,
  change: Change | WorkChange,
  result: WriteResult,
): string | undefined {
  if (result.ok) note(progress, change, 'done');
  else if (result.failure.kind === 'gone') note(progress, change, 'unnecessary', 'gone already');
  else {
    failWrite(progress, change, result.failure);
    return result.failure.message;
  }
  return undefined;
}
