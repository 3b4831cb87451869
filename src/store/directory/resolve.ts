import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import { admit, declaredUid } from './admit.ts';
import type { Origin, Stored } from './state-object.ts';

/** Says that the object of this uid was deleted although a manifest spells it out; no uid when it cannot be read. */
export interface Tombstone {
  readonly uid: string | undefined;
}

/** Everything that is known under one key. */
export interface Known {
  readonly key: ObjectKey;
  readonly manifest: KubeObject | undefined;
  readonly stored: Stored;
  readonly tombstone: Tombstone | undefined;
}

export type Resolved =
  | { readonly state: 'present'; readonly object: KubeObject; readonly origin: Origin; readonly pending: boolean }
  /** Recorded, but its manifest is gone. */
  | { readonly state: 'hidden'; readonly object: KubeObject }
  | { readonly state: 'missing' }
  | { readonly state: 'damaged'; readonly reason: string };

/** Whether a tombstone still speaks of the manifest, which may meanwhile be of another object or gone. */
export function isBuried(known: Known): boolean {
  const { manifest, tombstone, key } = known;
  if (manifest === undefined || tombstone === undefined) return false;
  const declared = declaredUid(manifest, key);
  return declared === undefined || tombstone.uid === undefined || declared === tombstone.uid;
}

/** What the store says there is under a key. */
export function resolve(known: Known, now: Instant): Resolved {
  const { key, stored, tombstone } = known;
  if (stored.state === 'damaged') return stored;
  const buried = isBuried(known);
  const manifest = buried ? undefined : known.manifest;
  const record = stored.state === 'stored' ? stored.record : undefined;
  // A crash between tombstone and removal leaves both: the tombstone was the decision.
  const isRemoved = buried && record !== undefined && record.object.metadata.uid === tombstone?.uid;
  if (manifest !== undefined) {
    const { object, pending } = admit(manifest, record?.object, key, now);
    return { state: 'present', object, origin: 'manifest', pending: pending || record?.origin !== 'manifest' };
  }
  if (record === undefined || isRemoved) return { state: 'missing' };
  if (record.origin === 'manifest') return { state: 'hidden', object: record.object };
  return { state: 'present', object: record.object, origin: 'store', pending: false };
}
