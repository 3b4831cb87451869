import type { CreateChange, DeleteChange, DeleteReason } from '#core/change/change.ts';
import type { VerdictCode } from '#core/change/verdict.ts';
import type { DiagnosticCode, Severity } from '#core/diagnostic.ts';
import type { KindRules } from '#core/kind-rules.ts';
import type { FieldPath, Json, JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Referents } from '#core/referents.ts';
import type { Retention, RetentionRule } from '#core/retention.ts';
import type { ConcurrencyPolicy, HoldReason } from '#core/run/concurrency.ts';
import type { HistoryPool } from '#core/run/history.ts';
import type { RunLifecycle } from '#core/run/lifecycle.ts';
import type { CreateOutcome, DeleteOutcome } from '#core/run/outcome.ts';
import type { Run, RunPhase } from '#core/run/phase.ts';
import type { RunPlan, Unmet } from '#core/run/plan.ts';
import type { RunReading } from '#core/run/run-reading.ts';
import type { Workload } from '#core/run/workload.ts';
import type { OwedSlots } from '#core/slot/decide-slot.ts';
import type { DstRule } from '#core/slot/dialect.ts';
import type { Pin } from '#core/slot/owing.ts';
import type { Timing, TimingProblem } from '#core/slot/timing.ts';
import type { Suspension } from '#core/suspension.ts';
import type { Instant } from '#core/time/instant.ts';
import type { TimingSource } from '#core/timing-source.ts';

/** What holds for every object of a tick. */
export interface Settings {
  /** Seconds that a tick may be late by nature (design.md 3.12). */
  readonly graceSeconds: number;
  /** The zone of schedules that name none, where their kind has no rule of its own. */
  readonly defaultTimeZone: string;
  /** Per kind id: whether its objects are acted on or only foretold. Absent = the kind's default. */
  readonly writers: Readonly<Record<string, 'manage' | 'observe'>>;
  /** Overrides every dialect's own rule at clock changes, in previews. */
  readonly dst?: DstRule;
  /** Per id of a `Retention`: whether its surplus is deleted; absent = not. */
  readonly retention: Readonly<Record<string, 'manage' | 'observe'>>;
  /** Per kind id: seconds that a slot may be late, for kinds whose schedules have no deadline of their own. */
  readonly deadlines?: Readonly<Record<string, number>>;
  readonly maxCreates?: number;
  /** For one repository or cluster, see `Schedule.lanes`. */
  readonly maxCreatesPerLane?: number;
  readonly maxDeletes?: number;
  /** Whether transitions are told by events; absent = they are. */
  readonly events?: 'on' | 'off';
}

/** One problem of one object, before it is given a place. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly path: FieldPath;
  readonly what: string;
  readonly why?: string;
  readonly fix?: string;
}

/** What was decided about the owed slot before anything was written. */
export type Decision =
  | { readonly state: 'deleting' }
  | { readonly state: 'badTiming'; readonly problem: TimingProblem }
  | { readonly state: 'never'; readonly timing: Timing }
  | {
      readonly state: 'suspended';
      readonly timing: Timing | undefined;
      readonly owed: OwedSlots | undefined;
      readonly next: Instant | undefined;
    }
  | {
      readonly state: 'resumed';
      readonly timing: Timing;
      readonly owed: OwedSlots;
      readonly next: Instant | undefined;
    }
  | {
      readonly state: 'waiting';
      readonly timing: Timing;
      readonly next: Instant | undefined;
      /** A slot before the one that is waited for, see `SlotDecision`. */
      readonly overlooked?: Instant;
    }
  | { readonly state: 'expired'; readonly timing: Timing; readonly owed: OwedSlots }
  | {
      readonly state: 'held';
      readonly timing: Timing;
      readonly owed: OwedSlots;
      readonly by: readonly Run[];
      readonly reason: HoldReason;
    }
  /** Nothing can be started for any target that is left, because of something that the schedule points to. */
  | {
      readonly state: 'blocked';
      readonly timing: Timing;
      readonly owed: OwedSlots;
      readonly plan: RunPlan;
    }
  /** The slot is settled without a run: there is nothing to start. */
  | { readonly state: 'empty'; readonly timing: Timing; readonly owed: OwedSlots; readonly plan: RunPlan }
  /** The runs of the slot exist already: creates whose status was lost. */
  | {
      readonly state: 'done';
      readonly timing: Timing;
      readonly owed: OwedSlots;
      readonly runs: readonly Run[];
      readonly plan: RunPlan;
    }
  /** The run of the slot exists, unfinished and being deleted: no success, and its name is not free yet. */
  | {
      readonly state: 'leaving';
      readonly timing: Timing;
      readonly owed: OwedSlots;
      readonly plan: RunPlan;
      readonly run: Run;
    }
  /** The run's name belongs to somebody else. */
  | {
      readonly state: 'taken';
      readonly timing: Timing;
      readonly owed: OwedSlots;
      readonly plan: RunPlan;
      readonly name: string;
    }
  | { readonly state: 'deferred'; readonly timing: Timing; readonly owed: OwedSlots; readonly budget: string }
  | {
      readonly state: 'fire';
      readonly timing: Timing;
      readonly owed: OwedSlots;
      readonly plan: RunPlan;
      /** One per target that has no run yet; never empty. */
      readonly creates: readonly CreateChange[];
      /** Runs of the slot that exist already. */
      readonly existing: readonly Run[];
      /** Targets whose run cannot be created now: the slot stays owed for them. */
      readonly unmet: readonly Unmet[];
      /** What is deleted first, in this order. */
      readonly victims: readonly DeleteChange[];
    };

/** Outcomes of writes, aligned with the changes that they answer. */
export interface Outcomes {
  readonly creates: readonly CreateOutcome[];
  readonly victims: readonly DeleteOutcome[];
  /** Of `SettleInput.removed`; left out while they are still to be tried. */
  readonly removals?: readonly DeleteOutcome[];
}

/** Everything that a kind needs to say what its status and events are. */
export interface SettleInput {
  readonly now: Instant;
  readonly decision: Decision;
  readonly outcomes: Outcomes;
  /** The schedule's runs as they were read, sorted by name. */
  readonly runs: readonly Run[];
  /** Runs that history and time to live take away in this tick. */
  readonly removed: readonly Run[];
  /** The newest slot after the anchor that a run of ours stands for: settled, whatever else is decided. */
  readonly proved?: Instant;
}

/** An event before it has a name. */
export interface EventDraft {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly slot?: Instant;
  /** What else makes the event the same event; two drafts of one identity are one event. */
  readonly identity: string;
}

export interface Settled {
  /** Every field that we own with its value; a field left out is absent. */
  readonly status: JsonObject;
  readonly events: readonly EventDraft[];
  readonly findings: readonly Finding[];
  /** The kind's own reason for the verdict. */
  readonly reason?: string;
  /** One more sentence for people, behind that of the decision. */
  readonly detail?: string;
  /** Overrides the verdict that follows from the decision, where an outcome changed it. */
  readonly code?: VerdictCode;
}

/** A slot of which every run is there. */
export interface SettledSlot {
  readonly slot: Instant;
  readonly next: Instant | undefined;
  readonly plan: RunPlan;
}

/** One schedule, read and checked. Its functions are pure. */
export interface Schedule extends RunReading {
  readonly object: KubeObject;
  readonly suspended: boolean;
  readonly deadlineSeconds?: number;
  readonly concurrency: ConcurrencyPolicy;
  readonly timing: TimingSource;
  /** What was last settled. */
  readonly anchor: Instant;
  /** `assumed`: nobody knows when it was created, and some time before it was first seen is taken for that. */
  readonly anchorFrom: 'status' | 'creation' | 'assumed' | 'pin' | 'now';
  /** The slot that is owed next, where the kind records that instead of what was settled; the anchor lies before it. */
  readonly pin?: Pin;
  /** Recorded as suspended although it no longer is: slots up to now passed in the pause. */
  readonly resumed: boolean;
  readonly history: readonly HistoryPool[];
  /** The latest success that its status tells of. */
  readonly recordedSuccess: Instant | undefined;
  /** How many slots in a row failed, where its status counts them. */
  readonly recordedFailures: number | undefined;
  readonly findings: readonly Finding[];
  /** What one of its planned runs, or all of them, work on and share with those of others: repositories, clusters. */
  readonly lanes: (run?: KubeObject) => readonly ObjectKey[];
  /** What it points to and is not among the manifests: told of manifests alone, since it may stand elsewhere. */
  readonly absent: () => readonly Finding[];
  /** By which rules of others its successful runs are kept; told, and never asked by a tick. */
  readonly retainedBy: () => readonly RetentionRule[];
  /** Of which finished runs the status tells all that it ever will: before that, history spares them. */
  readonly judged: (runs: readonly Run[]) => (run: Run) => boolean;
  /** Whether a run of this name stands for the slot. */
  readonly isRunName: (name: string, slot: Instant) => boolean;
  /** What the slot wants started, whether it exists already or not. */
  readonly planRuns: (slot: Instant, timing: Timing) => RunPlan;
  /**
   * What a person wants started who asks for a run: marked as made by hand, without a slot, under names that no slot
   * has and that are the same for one second.
   */
  readonly manualRuns: (at: Instant) => RunPlan;
  readonly settle: (input: SettleInput) => Settled;
  /** Where somebody else acts: how its rules may lead to another slot than the one foretold. */
  readonly foretell: (decision: Decision, now: Instant) => readonly Finding[];
  /** The owned fields of a freshly read object with the anchor moved forward to a slot that was run. */
  readonly moveAnchor: (fresh: KubeObject, settled: SettledSlot) => JsonObject;
}

export type Opened =
  | { readonly state: 'open'; readonly schedule: Schedule }
  | {
      readonly state: 'invalid';
      readonly findings: readonly Finding[];
      /** Where the fields that say when can be read all the same: so that their faults are told in one go. */
      readonly timing?: TimingSource;
    };

/** What an object is read in the light of. */
export interface OpenContext {
  readonly settings: Settings;
  readonly now: Instant;
  readonly referents: Referents;
  /** As of `SourcedObject`. */
  readonly assumedCreation?: true;
}

/** A type that schedules point to. */
export interface ReferentKind {
  readonly resource: ResourceType;
  readonly knownFields: Readonly<Record<string, readonly string[]>>;
  /** The offline rules of one object; none for types that are not ours to judge. */
  readonly check: (object: KubeObject) => readonly Finding[];
}

/** What a family of schedules is to the shared path. */
export interface ScheduleKind {
  /** The name of its folder; configuration and flags use it. */
  readonly id: string;
  readonly resource: ResourceType;
  readonly run: ResourceType;
  /** Every type that its schedules point to; listed where there is such a schedule. */
  readonly referents: readonly ReferentKind[];
  /** What carries a run out: it has the run's name, is controlled by the run, and is deleted before it. */
  readonly workload?: Workload;
  /** Who decides how many successful runs are kept, beside the schedules' own limits. */
  readonly retention?: Retention;
  /**
   * The section of the configuration whose `startingDeadlineSeconds` holds for its schedules, which have no such field;
   * absent where they have one.
   */
  readonly deadlineSection?: string;
  /** The fields that the API of the kind knows, by the path of what holds them: `spec`, `spec.rule`. */
  readonly knownFields: Readonly<Record<string, readonly string[]>>;
  /** What the API takes fields for that are left out, by their JSON pointer. */
  readonly defaults: Readonly<Record<string, Json>>;
  readonly rules: KindRules;
  readonly suspension: Suspension;
  /** Of any run object, whoever owns it. */
  readonly phaseOf: (run: KubeObject) => RunPhase;
  /** How its runs begin and end: simulations stand in for whoever carries them out. */
  readonly lifecycle: RunLifecycle;
  /** Whether a run that has the name and the slot of a wanted one is for the same target, too. */
  readonly isSameTarget: (existing: KubeObject, wanted: KubeObject) => boolean;
  /** Whether a freshly read run may still be deleted for this reason, asked where it changed meanwhile. */
  readonly mayPrune: (run: KubeObject, reason: DeleteReason) => boolean;
  /** Under which keys schedules look for a run; the same run may have several. */
  readonly runKeys: (run: KubeObject) => readonly string[];
  /** Reads an object of the kind; anything wrong is a finding, never a throw. */
  readonly open: (object: KubeObject, context: OpenContext) => Opened;
}
