import type { ObjectKey, Place } from '#core/object/object.ts';

/**
 * An object that a manifest spells out and that cannot be used. It may exist, so it is not absent: what would be
 * decided from its absence is left alone (design.md 3.2).
 */
export interface UnusableObject {
  /** As far as the manifest tells; the name is empty where it does not. */
  readonly key: ObjectKey;
  /** False where the manifest does not say which namespace is meant: it may be any. */
  readonly namespaceTold: boolean;
  readonly place?: Place;
}
