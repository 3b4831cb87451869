import type { Verdict, VerdictCode } from '#core/change/verdict.ts';
import type { ForecastSlot } from '#core/forecast.ts';
import type { Finding, Schedule } from '#core/kind.ts';
import type { KindRules } from '#core/kind-rules.ts';
import type { FieldPath, ObjectKey } from '#core/object/object.ts';
import type { RetentionRule } from '#core/retention.ts';
import type { ConcurrencyPolicy } from '#core/run/concurrency.ts';
import type { HistoryPool } from '#core/run/history.ts';
import type { RunPhase } from '#core/run/phase.ts';
import type { DstRule } from '#core/slot/dialect.ts';
import type { TimingProblem } from '#core/slot/timing.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Zone } from '#core/time/zone.ts';

/** Where the zone of a schedule is written. */
export type ZoneOrigin =
  | { readonly from: 'field'; readonly path: FieldPath }
  | { readonly from: 'prefix' }
  /** From another object, in words. */
  | { readonly from: 'referent'; readonly words: string }
  | { readonly from: 'default' };

export interface TimingExplanation {
  readonly expression: string;
  /** With numbers for `H`; undefined where that is the same, or the expression cannot be used. */
  readonly resolved: string | undefined;
  /** Undefined where the zone or the expression cannot be used. */
  readonly zone: Zone | undefined;
  /** As it is written. */
  readonly zoneName: string;
  /** Why there is no zone of that name; undefined if there is one. */
  readonly zoneProblem: string | undefined;
  readonly zoneOrigin: ZoneOrigin;
  /** Why the expression is not even looked at, and the way out; undefined where it is. */
  readonly refused: Pick<TimingProblem, 'what' | 'fix'> | undefined;
  readonly dst: DstRule;
  /** Seconds over which slots are spread; 0 = none. */
  readonly jitterSeconds: number;
  /** In words, where the window does not stand on the schedule itself. */
  readonly jitterFrom: string | undefined;
  /** Whether zone and window are as in a cluster, or the object has no uid of its own yet. */
  readonly provisional: boolean;
}

/** What holds for this schedule, the kind's own rules among it. */
export interface RulesExplanation {
  readonly concurrency: ConcurrencyPolicy;
  readonly deadlineSeconds: number | undefined;
  readonly graceSeconds: number;
  readonly exactlyOnDeadline: KindRules['exactlyOnDeadline'];
  readonly suspendedSlots: KindRules['suspendedSlots'];
  readonly heldSlots: KindRules['heldSlots'];
  readonly history: readonly HistoryPool[];
}

/** By which rule of somebody else the successful runs are kept, see `RetentionRule`. */
export interface RetentionExplanation {
  /** Of the `Retention`: the configuration uses it. */
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly keeps: RetentionRule['keeps'];
  readonly per: string;
  /**
   * Who deletes what is beyond it. `other`: by the configuration, or because of the record of who wrote the status of
   * the object · `nobody`: ticks would, but this object is not selected.
   */
  readonly keeper:
    | { readonly who: 'tick' | 'nobody' }
    | { readonly who: 'other'; readonly name: string; readonly since: 'configuration' | 'record' };
  /** How many a tick would delete now. */
  readonly surplus: number;
}

/** A run of the schedule's own, as it stands. */
export interface ToldRun {
  readonly name: string;
  readonly phase: RunPhase;
  /** As its own API spells it; empty if nobody has looked at the run yet. */
  readonly phaseText: string;
  readonly terminating: boolean;
}

/** The schedule's latest own run, by its slot. */
export interface LastRun extends ToldRun {
  readonly slot: Instant;
  readonly finishedAt: Instant | undefined;
}

/** A run that a person asked for: it has no slot, and settles none. */
export interface HandMadeRun extends ToldRun {
  readonly madeAt: Instant | undefined;
  readonly finishedAt: Instant | undefined;
}

/** A slot up to now. */
export interface PastSlot extends ForecastSlot {
  /** Those of its runs that still exist, by name. */
  readonly runs: readonly ToldRun[];
  /** Why there are none; only where there are none. */
  readonly absence?: Absence;
}

/**
 * Why a slot of the past has no run. `owed`: this tick judges it · `told`: an event says it · `gap`: a run of an
 * older slot is there, and no event tells why this one has none · `unknown`: it is older than every run that is there.
 */
export type Absence =
  | { readonly code: 'owed'; readonly fate: Fate['code']; readonly by?: Instant }
  | { readonly code: 'told'; readonly reason: string; readonly note: string }
  | { readonly code: 'beforeCreation' | 'gap' | 'unknown' };

/**
 * What becomes of one owed slot. The latest one has the verdict of the schedule. `superseded`: a later slot stands
 * for it · `ran`: its run exists.
 */
export interface Fate {
  readonly slot: Instant;
  readonly code: VerdictCode | 'superseded' | 'ran';
  readonly lateSeconds: number;
  /** The slot that stands for a superseded one. */
  readonly by?: Instant;
  /** The run that exists or is made for the slot, or those that hold it. */
  readonly runs?: readonly string[];
  /** The last second at which the slot is still wanted; absent where there is no deadline. */
  readonly wantedUntil?: Instant;
}

/** Owed: due since the anchor and not yet settled before this tick. */
export interface OwedExplanation {
  readonly count: number;
  readonly oldest: Instant;
  readonly latest: Instant;
  /** The latest first, ten at most. */
  readonly fates: readonly Fate[];
}

/** An event as it stands in the API. */
export interface ToldEvent {
  /** RFC 3339. */
  readonly at: string;
  readonly type: string;
  readonly reason: string;
  readonly note: string;
}

/** Everything that decides about one schedule, as data. */
export interface Explanation {
  readonly apiVersion: string;
  readonly key: ObjectKey;
  readonly now: Instant;
  readonly suspended: boolean;
  readonly timing: TimingExplanation;
  readonly rules: RulesExplanation;
  /** In the order of their names; empty where the schedule alone decides. */
  readonly retention: readonly RetentionExplanation[];
  readonly anchor: { readonly at: Instant; readonly from: Schedule['anchorFrom'] };
  /** A later slot whose run of ours exists: settled too, although no status says so yet. */
  readonly proved: Instant | undefined;
  readonly lastRun: LastRun | undefined;
  readonly lastSuccess: Instant | undefined;
  /** Slots in a row that failed; undefined where the kind does not count them. */
  readonly failures: number | undefined;
  /** The latest first. */
  readonly byHand: readonly HandMadeRun[];
  /** Names of unfinished runs of the schedule's own, and of those made by hand. */
  readonly active: readonly string[];
  readonly owed: OwedExplanation | undefined;
  readonly verdict: Verdict;
  /** What a replacement takes away, then the names of finished runs that history or time to live do. */
  readonly removed: readonly string[];
  /** What was told of the schedule lately, the newest first. */
  readonly events: readonly ToldEvent[];
  /** The last five up to now, the latest first, whatever became of them. */
  readonly previous: readonly PastSlot[];
  /** The next five. */
  readonly next: readonly ForecastSlot[];
  /** Where the one who acts on an observed object may do something else. */
  readonly mayDiffer: readonly Finding[];
}
