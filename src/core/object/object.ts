/** Anything that JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Where a value stands in a manifest; line and column count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Counted from 1 within the file. */
  readonly document?: number;
}

/** A path into an object: `['spec', 'containers', 0]`. */
export type FieldPath = readonly (string | number)[];

/** What identifies an object among all others. The version takes no part. `namespace` is empty for cluster-scoped kinds. */
export interface ObjectKey {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: JsonObject;
}

/** The part of `metadata` that every kind shares, after its types were checked. */
export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** One object of the Kubernetes API: metadata checked, the rest as it came. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec?: Json;
  readonly status?: Json;
  readonly [key: string]: unknown;
}

/** An object with the place it was read from; objects from an API have none. */
export interface SourcedObject {
  readonly object: KubeObject;
  /** Its uid was made up for this look: the API has not seen the object yet. */
  readonly provisional?: true;
  /** Its manifest says no time of creation: the one that it has is when it was first looked at. */
  readonly assumedCreation?: true;
  /** The place of a field, or of the nearest parent that the manifest spells out. */
  readonly placeOf?: (path: FieldPath) => Place;
}
