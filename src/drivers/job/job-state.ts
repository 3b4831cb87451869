import { JOB } from '#api/resources.ts';
import type { KubeObject } from '#core/object/object.ts';
import { isControlledBy } from '#core/object/owner.ts';
import type { DriverInput } from '#core/run/driver.ts';
import type { Order } from './order.ts';
import { type Pinned, readPinned } from './pinned.ts';

/** What stands under the name of an order's Job. */
export type JobState =
  | { readonly state: 'missing' }
  | { readonly state: 'own'; readonly job: KubeObject; readonly pinned: Pinned }
  /** Somebody else's, also that of an earlier order of the same name. */
  | { readonly state: 'taken'; readonly job: KubeObject }
  /** The same, and it is being deleted: the name will be free. */
  | { readonly state: 'leaving'; readonly job: KubeObject }
  | { readonly state: 'unreadable'; readonly reason: string };

export function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function findJob({ uid, namespace, jobName }: Order, { referents }: DriverInput): JobState {
  const found = referents.find(JOB, namespace, jobName);
  if (found.state !== 'found') return found;
  const { object: job } = found;
  if (isControlledBy(job, uid)) return { state: 'own', job, pinned: readPinned(job) };
  return { state: isLeaving(job) ? 'leaving' : 'taken', job };
}
