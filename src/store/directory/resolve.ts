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
  readonly declared: { readonly key: ObjectKey; readonly manifest: KubeObject } | undefined;
  readonly stored: Stored;
  readonly tombstone: Tombstone | undefined;
}

export type Resolved =
  | {
      readonly state: 'present';
      readonly object: KubeObject;
      readonly origin: Origin;
      readonly pending: boolean;
      /** Its uid, status and the like come from the state folder. */
      readonly recorded: boolean;
    }
  /** Recorded, but its manifest is gone. */
  | { readonly state: 'hidden'; readonly object: KubeObject }
  | { readonly state: 'missing' }
  | Extract<Stored, { state: 'damaged' }>;

/** Whether a tombstone still speaks of the manifest, which may meanwhile be of another object or gone. */
export function isBuried(known: Known): boolean {
  const { declared, tombstone } = known;
  if (declared === undefined || tombstone === undefined) return false;
  const uid = declaredUid(declared.manifest, declared.key);
  return uid === undefined || tombstone.uid === undefined || uid === tombstone.uid;
}

/** Whether the file of a deleted object is still there: a crash between tombstone and removal leaves both. */
export function isLeftover(known: Known): boolean {
  const { stored, tombstone } = known;
  if (tombstone === undefined || stored.state !== 'stored') return false;
  return stored.record.object.metadata.uid === tombstone.uid;
}

/** What the store says there is under a key. */
export function resolve(known: Known, now: Instant): Resolved {
  const { declared, stored } = known;
  if (stored.state === 'damaged') return stored;
  const record = stored.state === 'stored' && !isLeftover(known) ? stored.record : undefined;
  if (declared !== undefined && !isBuried(known)) {
    const { object, pending, recorded } = admit(declared.manifest, record?.object, declared.key, now);
    return {
      state: 'present',
      object,
      origin: 'manifest',
      pending: pending || record?.origin !== 'manifest',
      recorded,
    };
  }
  if (record === undefined) return { state: 'missing' };
  if (record.origin === 'manifest') return { state: 'hidden', object: record.object };
  return { state: 'present', object: record.object, origin: 'store', pending: false, recorded: true };
}
