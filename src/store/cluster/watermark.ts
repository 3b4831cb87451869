import { keyText } from '#core/object/key.ts';
import type { KubeObject } from '#core/object/object.ts';
import { pointerOf } from '#core/object/pointer.ts';
import { instant } from '#core/time/instant.ts';
import type { Taking, Watermark, WriteResult } from '#store/port.ts';
import { createObject } from './create-object.ts';
import { getObject } from './get-object.ts';
import {
  holderOf,
  holdsLease,
  isOurs,
  LEASE,
  LEASE_SECONDS,
  newLease,
  readLease,
  takenSpec,
} from './lease.ts';
import type { Session } from './session.ts';
import { holdLease, type LeaseWish, patchLease } from './tenure.ts';

export interface LeaseOptions extends Omit<LeaseWish, 'session' | 'key'> {
  readonly namespace: string;
  readonly name: string;
}

const MOST_TRIES = 3;
const RIGHTS = 'bind the Role of examples/cluster/lease to this account, or tick without a Lease';
const SPEC = pointerOf(['spec']);

/** `again`: somebody was faster, or the Lease vanished meanwhile. */
type Seized =
  | Exclude<Taking, { state: 'taken' }>
  | { readonly state: 'ours'; readonly lease: KubeObject }
  | { readonly state: 'again' };

function settled(result: WriteResult): Seized {
  if (result.ok) return { state: 'ours', lease: result.object };
  const { kind, message } = result.failure;
  if (kind === 'conflict' || kind === 'exists') return { state: 'again' };
  return { state: 'failed', message, ...(kind === 'forbidden' ? { fix: RIGHTS } : {}) };
}

async function seize(wish: LeaseWish): Promise<Seized> {
  const { session, key, holder, clock } = wish;
  const read = await getObject(session, LEASE, key);
  if (read.state === 'failed') return { state: 'failed', message: read.message, fix: RIGHTS };
  if (read.state === 'missing')
    return settled(await createObject(session, LEASE, newLease(key, holder, clock())));
  const lease = read.object;
  if (!isOurs(lease)) {
    const fix =
      'name another one; one that is made beforehand has the label app.kubernetes.io/managed-by: minutehand';
    return { state: 'failed', message: 'it is of somebody else', fix };
  }
  const record = readLease(lease);
  if (record.state === 'unreadable')
    return { state: 'failed', message: record.what, fix: 'delete it: the next tick makes it anew' };
  // A create or a patch whose answer was lost.
  if (record.state === 'held' && record.holder === holder) return { state: 'ours', lease };
  if (record.state === 'held' && record.until > clock())
    return { state: 'held', by: holderOf(record, clock()) };
  const spec = takenSpec(lease, holder, clock());
  const isTaken = (live: KubeObject): boolean => holdsLease(live, holder);
  return settled(await patchLease(wish, lease, [{ op: 'add', path: SPEC, value: spec }], isTaken));
}

/**
 * A Lease of the API. Whether its holder still lives is judged by its `renewTime` and by the clock here: nodes whose
 * clocks differ by more than the duration of a Lease take it from each other, and then names and preconditions alone
 * keep two ticks apart.
 */
export function leaseWatermark(session: Session, { namespace, name, ...options }: LeaseOptions): Watermark {
  const key = { group: LEASE.group, kind: LEASE.kind, namespace, name };
  const wish = { ...options, session, key };
  return {
    description: keyText(key),
    take: async () => {
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const seized = await seize(wish);
        if (seized.state === 'again') continue;
        return seized.state === 'ours' ? { state: 'taken', tenure: holdLease(wish, seized.lease) } : seized;
      }
      const until = instant(wish.clock() / 1000 + LEASE_SECONDS);
      return { state: 'held', by: { name: 'several processes at once', since: undefined, until } };
    },
  };
}
