import type { WorkApply, WorkCreate, WorkDelete, WorkRelease } from '#core/change/work-change.ts';
import type { EventDraft, Finding, Settings } from '#core/kind.ts';
import type { FieldValue } from '#core/object/field-value.ts';
import type { JsonObject, KubeObject, SourcedObject } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Observed } from '#core/observed.ts';
import type { Referents, Referred } from '#core/referents.ts';
import type { Instant } from '#core/time/instant.ts';
import type { PartPlay } from './part-play.ts';

/** An object of any group, found by its kind as the API names it. */
export interface LiveReference {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Objects that carry all of these labels. */
export interface LabelledReference {
  readonly type: ResourceType;
  /** Empty: wherever the store looks. */
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * `missing`: no object of the name · `unserved`: no kind of the name in the namespaces of that group · `failed`: nobody
 * can tell; a missing right, or a fault that may pass.
 */
export type LiveObject =
  | { readonly state: 'found'; readonly object: KubeObject }
  | { readonly state: 'missing' }
  | { readonly state: 'unserved' }
  | { readonly state: 'failed'; readonly reason: string };

/** What drivers want beside the lists of a tick. */
export interface Wants {
  readonly objects: readonly LiveReference[];
  readonly labelled: readonly LabelledReference[];
  /** Something will be rendered. */
  readonly templates: boolean;
}

/** What was read for `Wants`; asked for anything else it answers `failed`, or `unreadable`. */
export interface Live {
  readonly object: (reference: LiveReference) => LiveObject;
  readonly labelled: (reference: LabelledReference) => Referred;
}

/** Why a text could not be made of a template. */
export type Rendered =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Renders the templates of one order, with what they all may use. Pure: no clock, no environment, no files; what they
 * make and how long they work is bounded, for all of them together.
 */
export type RenderTemplate = (context: JsonObject) => (template: string) => Rendered;

/** Everything that a driver decides from. */
export interface DriverInput {
  readonly observed: Observed;
  readonly referents: Referents;
  readonly settings: Settings;
  readonly now: Instant;
}

/** The same, once what the driver wanted was read. */
export interface WorkInput extends DriverInput {
  readonly live: Live;
  /** Absent where `wants` said that nothing is rendered. */
  readonly render?: RenderTemplate;
}

/** What manifests hold, for those who ask whether it fits together. */
export interface FollowInput extends DriverInput {
  readonly objects: readonly SourcedObject[];
  readonly render: RenderTemplate;
  /** Why a text is no template; undefined for one that is. */
  readonly syntaxProblem: (template: string) => string | undefined;
}

/**
 * Where an order stands after this tick. `foreign` another driver's · `pending` nobody can start it yet · `waiting`
 * started, and something that it needs is missing · `unreadable` something that it needs could not be read, so nothing
 * is changed · `releasing` our finalizers are taken off · `suspended` nothing of it is to run.
 */
export const WORK_STATES = [
  'foreign',
  'pending',
  'waiting',
  'started',
  'running',
  'suspended',
  'succeeded',
  'failed',
  'finished',
  'releasing',
  'deleting',
  'unreadable',
  'invalid',
  'observed',
] as const;
export type WorkState = (typeof WORK_STATES)[number];

/** What an order goes through, for people: class, strategy, what carries it out. */
export interface WorkFact {
  readonly label: string;
  readonly text: string;
}

/** A write of an order with what is done instead where it is refused for good. */
export type WorkStep =
  | {
      readonly verb: 'create';
      readonly change: WorkCreate;
      /** Whether an object that has the name already is the one that is wanted. */
      readonly isWanted: (existing: KubeObject) => boolean;
      /** The API refuses the object for good: status of the order, and an event. */
      readonly refused: (message: string) => WorkEnd;
      /** The name belongs to somebody else; undefined = left for the next tick. */
      readonly taken: (existing: KubeObject) => WorkEnd | undefined;
    }
  | {
      readonly verb: 'apply';
      readonly change: WorkApply;
      /** The fields where that many parts could not be added. */
      readonly without?: (missing: number) => JsonObject;
    }
  | {
      readonly verb: 'release';
      readonly finalizers: readonly string[];
    }
  /** The order itself, once its time is over. */
  | { readonly verb: 'delete'; readonly change: WorkDelete }
  | PartStep;

/**
 * A write to one of the parts that carry an order out. Neighbours of one `batch` may go at once. Where a part cannot be
 * added, no further batch is tried and all else goes on.
 */
export type PartStep =
  | {
      readonly verb: 'add';
      readonly batch: number;
      readonly change: WorkCreate;
      readonly isWanted: (existing: KubeObject) => boolean;
      readonly failed: (message: string) => EventDraft;
    }
  | {
      readonly verb: 'free' | 'remove';
      readonly batch: number;
      readonly change: WorkRelease | WorkDelete;
      /** Whether one that changed since it was read is still meant. */
      readonly isStill: (fresh: KubeObject) => boolean;
    };

/** How an order ends at once. */
export interface WorkEnd {
  /** The whole set of the status fields of the order that we own. */
  readonly status: JsonObject;
  readonly event: EventDraft;
  readonly state: WorkState;
  readonly reason: string;
  readonly detail: string;
}

/** Not before then is there something to do for an order, unless it or a part of it changes. */
export interface WorkTurn {
  readonly at: Instant;
  readonly reason: 'deadline' | 'backoff' | 'ttl';
}

/** One order (a BackupJob, a RestoreJob, or an object that waits for a finalizer) and what this tick does for it. */
export interface Work {
  readonly type: ResourceType;
  readonly source: SourcedObject;
  readonly state: WorkState;
  /** Of one that is `finished`: how it ended. */
  readonly outcome?: 'succeeded' | 'failed';
  /** The reason as the order's condition spells it. */
  readonly reason?: string;
  readonly detail?: string;
  /** When time alone may change what is decided for it. */
  readonly turns?: readonly WorkTurn[];
  /** In this order; one that does not go through ends the rest. */
  readonly steps: readonly WorkStep[];
  /** Told once all steps went through. */
  readonly events: readonly EventDraft[];
  readonly findings: readonly Finding[];
  readonly facts: readonly WorkFact[];
}

/** Orders of a type that are over for good. */
export interface SpentOrders {
  readonly type: ResourceType;
  /** What each of them has, and no other order. */
  readonly field: FieldValue;
}

/** Who carries out orders, from what stands in the API alone. Its functions are pure. */
export interface Driver {
  /** Configuration uses it: `job-driver` is `jobDriver` there. */
  readonly id: string;
  /** What it does on a cluster where the configuration does not say: foretell, or not even read. */
  readonly unset: 'observe' | 'off';
  /** The types of its orders: selected like schedules. */
  readonly orders: readonly ResourceType[];
  /**
   * Orders of which nothing is done, told or counted in a tick any more, not even while they are deleted. They pile up, and
   * the driver does without them where a server can leave them out of a list.
   */
  readonly spent: readonly SpentOrders[];
  /** Every other type that it reads, listed while one of its orders is open. */
  readonly types: readonly ResourceType[];
  /** Among `types` those that are looked at in the namespaces of open orders alone. */
  readonly beside: readonly ResourceType[];
  /** The namespaces of orders for which something is still to be done. */
  readonly openIn: (observed: Observed) => readonly string[];
  /** Types that it creates. */
  readonly creates: readonly ResourceType[];
  /**
   * Whether it may delete an object, or take a finalizer off, that carries out this order, or is the order. Asked by the
   * self-check, of what was read.
   */
  readonly mayEnd: (object: KubeObject, order: KubeObject, verb: 'delete' | 'release') => boolean;
  /** The fields that the API knows, by type (`typeId`) and the path of what holds them. */
  readonly knownFields: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** The offline rules of one object of its types; none for types that are not ours to judge. */
  readonly check: (object: KubeObject) => readonly Finding[];
  /** What the API would not let become of an object of its types, beside that; definitions have such rules themselves. */
  readonly checkChange: (old: KubeObject, fresh: KubeObject) => readonly Finding[];
  /** What an object of its types points to and manifests lack, and templates that nothing can be made of. */
  readonly follow: (object: KubeObject, input: FollowInput) => readonly Finding[];
  readonly wants: (input: DriverInput) => Wants;
  /** All orders, those included that need nothing now. */
  readonly works: (input: WorkInput) => readonly Work[];
  /** How simulations play the parts of its orders; without it an order ends by itself there. */
  readonly play?: PartPlay;
}
