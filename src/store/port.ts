import type { Precondition } from '#core/change/change.ts';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { Json, JsonObject, KubeObject, ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Listing } from '#core/observed.ts';
import type { LabelledReference, LiveObject, LiveReference } from '#core/run/driver.ts';

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
  /** Of whose fields somebody will ask who wrote them; a store may leave out what nobody asks for. All unless set. */
  readonly records?: 'none' | 'status';
}

/** Where objects live. Every implementation passes the same contract suite. */
export interface Store {
  /** For people: where this is. */
  readonly description: string;
  /** How many writes of different schedules it takes at once; 1 = one after the other. */
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
  /** The objects of one namespace that carry all of these labels. */
  listLabelled(reference: LabelledReference): Promise<Listing>;
  /**
   * By name, once: an object of that name is never altered. A definition with a status subresource drops the status of
   * the body, and so do stores that are no API; one without keeps it.
   */
  create(type: ResourceType, object: KubeObject): Promise<WriteResult>;
  /**
   * Replaces the status fields that this manager owns by exactly these. A definition without a status subresource has
   * no place for that: the object is `gone` in the answer though it stands, and `create` was the time to say it.
   */
  applyStatus(
    type: ResourceType,
    key: ObjectKey,
    precondition: Precondition,
    fields: JsonObject,
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
  /** Background propagation: what the object controls goes too. */
  delete(type: ResourceType, key: ObjectKey, precondition: Precondition): Promise<WriteResult>;
  /** Releases what `prepare` took. */
  close(): Promise<void>;
}

export type { Listing };
