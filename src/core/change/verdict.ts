import type { Instant } from '#core/time/instant.ts';

/**
 * A slot's fate, the same word in plan, log, metric and explain (design.md 3.15). `empty`: settled without a run,
 * because there was nothing to start.
 */
export const VERDICT_CODES = [
  'fired',
  'empty',
  'held',
  'expired',
  'suspended',
  'waiting',
  'invalid',
  'observed',
  'unreadable',
  'conflict',
  'failed',
  'deferred',
  'deleting',
] as const;
export type VerdictCode = (typeof VERDICT_CODES)[number];

/** Older owed slots. */
export interface OlderSlots {
  readonly count: number;
  readonly oldest: Instant;
}

export interface Verdict {
  readonly code: VerdictCode;
  /** The slot that the verdict is about; absent while nothing is owed. */
  readonly slot?: Instant;
  readonly lateSeconds?: number;
  /** Those that the latest one stands for. */
  readonly superseded?: OlderSlots;
  /** Those that aged past the deadline, where the kind tells them apart. */
  readonly expired?: OlderSlots;
  /** The next slot; absent where there is none. */
  readonly next?: Instant;
  /** The next slot lies between `next` and this, and is fixed once the object has a uid. */
  readonly nextUntil?: Instant;
  /** The kind's own reason, as its conditions and events spell it. */
  readonly reason?: string;
  /** Names of runs that hold the slot, or of the run that stands for it. */
  readonly runs?: readonly string[];
  /** Who acts on an observed object. */
  readonly actor?: string;
  /** What the actor of an observed object is expected to do. */
  readonly foreseen?: Verdict;
  /** One more sentence for people, where the code and the reason do not say it all. */
  readonly detail?: string;
}

/** What comes of it, whoever acts on it. */
export function effectiveVerdict(verdict: Verdict): Verdict {
  return verdict.foreseen ?? verdict;
}
