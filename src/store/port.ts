import type { Precondition } from '#core/change/change.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { FieldValue } from '#core/object/field-value.ts';
import type { Json, JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Listing } from '#core/observed.ts';
import type { LabelledReference, LiveObject, LiveReference } from '#core/run/driver.ts';
import type { Instant } from '#core/time/instant.ts';

/**
 * `transient` may go through later · `conflict` a precondition failed · `fieldConflict` another manager owns a
 * field · `exists` the name is taken · `terminating` the namespace goes away · `lost` the store is no longer ours.
 */
export type FailureKind =
  | 'transient'
  | 'conflict'
  | 'fieldConflict'
  | 'exists'
  | 'forbidden'
  | 'gone'
  | 'invalid'
  | 'terminating'
  | 'lost';

export interface WriteFailure {
  readonly kind: FailureKind;
  readonly message: string;
  readonly fix?: string;
}

export type WriteResult =
  | { readonly ok: true; readonly object: KubeObject }
  | { readonly ok: false; readonly failure: WriteFailure };

export type ReadResult =
  | { readonly state: 'found'; readonly object: KubeObject }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly message: string };

export type Preparation =
  | { readonly ok: true; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** What is left out of a list. */
export interface ListNarrowing {
  /** Only these; the list then says in its scope which of them were read. Types that are in no namespace come whole. */
  readonly namespaces?: readonly string[];
  /**
   * Objects that have this are of no use. A store that can tell them apart leaves them out of a list of all namespaces, and
   * says so in its scope: then no namespace counts as read whole. Others list all.
   */
  readonly without?: FieldValue;
  /** Of whose fields somebody will ask who wrote them; a store may leave out what nobody asks for. All unless set. */
  readonly records?: 'none' | 'status';
}

/** Where objects live. Every implementation passes the same contract suite. */
export interface Store {
  /** For people: where this is. */
  readonly description: string;
  /** How many writes to different objects it takes at once; 1 = one after the other. */
  readonly writesAtOnce: number;
  /** Takes the lock and whatever else writing needs. Called once, before the lists of a tick that will write. */
  prepare(): Promise<Preparation>;
  list(type: ResourceType, narrowing?: ListNarrowing): Promise<Listing>;
  get(type: ResourceType, key: ObjectKey): Promise<ReadResult>;
  /**
   * An object of any group, found by its kind: no plural is guessed. Kinds that are in no namespace count as unserved,
   * since a reference to one would leave the namespace that it stands in.
   */
  find(reference: LiveReference): Promise<LiveObject>;
  /** The objects that carry all of these labels, of one namespace or of all that the store looks at. */
  listLabelled(reference: LabelledReference): Promise<Listing>;
  /**
   * By name, once: an object of that name is never altered. A definition with a status subresource drops the status of
   * the body, and so do stores that are no API; one without keeps it.
   */
  create(type: ResourceType, object: KubeObject): Promise<WriteResult>;
  /**
   * Replaces the status fields that this manager owns by exactly these. A definition without a status subresource has
   * no place for that: the object is `gone` in the answer though it stands, and `create` was the time to say it.
   * The same holds of annotations, which travel along where the API keeps those of a status write, as it does for Jobs.
   */
  applyStatus(
    type: ResourceType,
    key: ObjectKey,
    precondition: Precondition,
    fields: JsonObject,
    annotations?: Readonly<Record<string, string>>,
  ): Promise<WriteResult>;
  /**
   * Sets (text) and removes (null) annotations and nothing else; the object must still be the one of uid and
   * resourceVersion. In the API a JSON Patch with `test` on both (design.md 3.6). What changes nothing writes nothing.
   */
  annotate(
    type: ResourceType,
    key: ObjectKey,
    precondition: Precondition,
    annotations: Readonly<Record<string, string | null>>,
  ): Promise<WriteResult>;
  /**
   * Takes finalizers off, and nothing else; uid and resourceVersion as in `annotate`. An object that is being deleted
   * vanishes with the last of them.
   */
  removeFinalizers(
    type: ResourceType,
    key: ObjectKey,
    precondition: Precondition,
    finalizers: readonly string[],
  ): Promise<WriteResult>;
  /**
   * Sets one field below the spec, such as `['schedule', 'suspend']`, and nothing else; uid and resourceVersion as in
   * `annotate`. What would hold the field is never made up, and the spec of an object that a manifest spells out is the
   * manifest's: both are `invalid`.
   */
  setSpecField(
    type: ResourceType,
    key: ObjectKey,
    precondition: Precondition,
    path: readonly string[],
    value: Json,
  ): Promise<WriteResult>;
  /**
   * What the object controls goes too: in the background, or in the foreground, where the object stays until all of
   * it is gone.
   */
  delete(
    type: ResourceType,
    key: ObjectKey,
    precondition: Precondition,
    propagation?: 'Foreground',
  ): Promise<WriteResult>;
  /** Releases what `prepare` took. */
  close(): Promise<void>;
}

/** Something that is held until long after its holder can be alive. */
export interface Stuck {
  /** By how much its holder's last sign of life lies ahead of our clock; zero where its term alone is too long. */
  readonly aheadSeconds: number;
}

/** Who has what only one process may have at a time. */
export interface Holder {
  /** For people. */
  readonly name: string;
  readonly since: Instant | undefined;
  /** From then on it is free, unless the holder shows that it lives. */
  readonly until: Instant;
  /** Left out where that is no later than a holder with a right clock could make it. */
  readonly stuck?: Stuck;
}

/** What the last completed tick left; a text that is no time is never taken for none. */
export type Recorded =
  | { readonly state: 'none' }
  | { readonly state: 'at'; readonly at: Instant }
  | { readonly state: 'unreadable'; readonly text: string };

export type Released = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** The time in which a process may write. */
export interface Tenure {
  readonly recorded: Recorded;
  /** Somebody else has it now, or may have it: nothing is to be written any more. */
  readonly isLost: () => boolean;
  /** Gives it back, with a new record where a tick was completed. What is lost already is left alone. */
  readonly release: (completed: Instant | undefined) => Promise<Released>;
}

export type Taking =
  | { readonly state: 'taken'; readonly tenure: Tenure }
  | { readonly state: 'held'; readonly by: Holder }
  | { readonly state: 'failed'; readonly message: string; readonly fix?: string };

/** Keeps two ticks apart, and when the last one was completed. Every implementation passes the same contract suite. */
export interface Watermark {
  /** For people: what and where it is. */
  readonly description: string;
  /** Never waits. What a process left that showed no life for long enough is taken over. */
  readonly take: () => Promise<Taking>;
}

export type { Listing };
