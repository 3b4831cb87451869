import type { Observed } from '#core/observed.ts';
import { gateByHand } from '#core/run/concurrency.ts';
import type { Run } from '#core/run/phase.ts';
import type { Blocker, Omission, PlannedRun } from '#core/run/plan.ts';
import { readHandMade, readOthers } from '#core/run/read-runs.ts';
import type { Entry } from '#core/settle.ts';
import type { Instant } from '#core/time/instant.ts';

/** What becomes of a run that a person asks for. */
export type ByHand =
  /** `concurrencyPolicy` lets nothing start beside these. */
  | { readonly state: 'held'; readonly by: readonly Run[] }
  | {
      readonly state: 'start';
      /** Empty where nothing can be started; then something is blocked or omitted. */
      readonly runs: readonly PlannedRun[];
      readonly blocked: readonly Blocker[];
      readonly omitted: readonly Omission[];
    };

/** The runs beside which a person may start none: of those made by hand also such as hold no slot. */
export function heldByHand({ kind, schedule, runs }: Entry, observed: Observed): readonly Run[] {
  const handMade = readHandMade(kind, schedule, observed);
  const known = new Set(handMade.map(({ object }) => object));
  return gateByHand({
    policy: schedule.concurrency,
    runs: [...runs, ...handMade],
    others: readOthers(kind, schedule, observed).filter(({ object }) => !known.has(object)),
    terminatingRuns: kind.rules.terminatingRuns,
  });
}

/**
 * A run without a slot: no anchor moves, no budget counts. A schedule whose own runs never overlap holds it as it would
 * hold a slot, also where its policy is Replace, since a person who asks for a run has not asked to end one.
 */
export function decideByHand(
  entry: Entry,
  observed: Observed,
  { now, despiteRunning }: { readonly now: Instant; readonly despiteRunning: boolean },
): ByHand {
  const by = despiteRunning ? [] : heldByHand(entry, observed);
  if (by.length > 0) return { state: 'held', by };
  return { state: 'start', ...entry.schedule.manualRuns(now) };
}
