import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import type { Instant } from '#core/time/instant.ts';
import { admit, declaredUid } from './admit.ts';
import { annotatedOver } from './annotations.ts';
import type { StateRecord, Stored } from './state-object.ts';

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
  | (StateRecord & {
      readonly state: 'present';
      readonly pending: boolean;
      /** Its uid, status and the like come from the state folder. */
      readonly recorded: boolean;
    })
  /** Recorded, but its manifest is gone. */
  | (StateRecord & { readonly state: 'hidden' })
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

/** A manifest that turns up for an object of the store leaves the annotations that it says nothing about. */
function adopted(record: StateRecord): StateRecord {
  return { ...record, annotated: annotatedOver(undefined, record.object.metadata.annotations) };
}

/** What the store says there is under a key. */
export function resolve(known: Known, now: Instant): Resolved {
  const { declared, stored } = known;
  if (stored.state === 'damaged') return stored;
  const record = stored.state === 'stored' && !isLeftover(known) ? stored.record : undefined;
  if (declared !== undefined && !isBuried(known)) {
    const kept = record?.origin === 'store' ? adopted(record) : record;
    const admitted = admit(declared.manifest, kept, declared.key, now);
    const pending = admitted.pending || record?.origin !== 'manifest';
    return { ...admitted, state: 'present', origin: 'manifest', pending };
  }
  if (record === undefined) return { state: 'missing' };
  if (record.origin === 'manifest') return { ...record, state: 'hidden' };
  return { ...record, state: 'present', pending: false, recorded: true };
}
