import type { DeleteReason } from '#core/change/change.ts';
import type { OwnedBy } from '#core/run/ownership.ts';
import type { TimingProblem } from '#core/slot/timing.ts';

/** Rules that differ between kinds and are data, so that the shared path never asks which kind it has. */
export interface KindRules {
  /** Slots that pass while suspended: settled as they pass, or owed on resumption; none where nothing suspends. */
  readonly suspendedSlots: 'consumed' | 'owed' | 'none';
  /** A slot that may not fire beside a run: settled at once, or kept until the run ends or the deadline passes. */
  readonly heldSlots: 'consumed' | 'kept';
  readonly exactlyOnDeadline: 'wanted' | 'expired';
  /** Owed slots beyond the deadline while a later one is still wanted: skipped and told, or superseded like any other. */
  readonly expiredBacklog: 'skipped' | 'superseded';
  /** Whether finished runs are also pruned while the timing cannot be used, and while the schedule is being deleted. */
  readonly prunes: 'always' | 'whileValid';
  /** Problems of the timing that stay silent while suspended, because suspension is looked at first. */
  readonly suspendHides: readonly TimingProblem['code'][];
  /** Whether an object is acted on where the configuration says nothing. */
  readonly writer: 'manage' | 'observe';
  /** Who acts on objects that are only observed. */
  readonly otherWriter: string;
  /** The longest name of a run. */
  readonly maxRunName: number;
  /** Every status path that we own; no other is ever written. */
  readonly statusFields: readonly string[];
  /** What makes a run the schedule's own: its controller reference, or our mark with the schedule's uid as well. */
  readonly ownedBy: OwnedBy;
  /** Unfinished runs under deletion: they still work and hold, or count for nothing. */
  readonly terminatingRuns: 'hold' | 'ignored';
  /** Which unfinished runs a replacement may cancel: all, or those of earlier slots. */
  readonly replaces: 'any' | 'earlierSlots';
  /** What holds the anchor where the installed definition of the type does not declare its status field. */
  readonly anchorAnnotation?: { readonly field: string; readonly annotation: string };
  /** Annotations that a run is given before it is deleted, by the reason. */
  readonly deleteMarks: Readonly<Partial<Record<DeleteReason, Readonly<Record<string, string>>>>>;
}
