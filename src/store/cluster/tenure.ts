import { preconditionOf } from '#core/change/precondition.ts';
import { holderText } from '#core/holder-text.ts';
import { LAST_COMPLETED_ANNOTATION } from '#core/object/annotations.ts';
import type { KubeObject, ObjectKey } from '#core/object/object.ts';
import { pointerOf } from '#core/object/pointer.ts';
import { formatInstant } from '#core/time/instant.ts';
import type { Tenure, WriteResult } from '#store/port.ts';
import { annotating } from './annotate-object.ts';
import { getObject } from './get-object.ts';
import { holdsLease, LEASE, LEASE_SECONDS, microTime, readLease, recordedIn } from './lease.ts';
import { type PatchOperation, patchObject } from './patch-object.ts';
import type { Session } from './session.ts';

/** Which Lease, and for whom. */
export interface LeaseWish {
  readonly session: Session;
  readonly key: ObjectKey;
  /** Who takes it; no two processes have the same. */
  readonly holder: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Does something again and again until the answer is called. */
  readonly repeat?: Repeat | undefined;
}

export type Repeat = (act: () => void, everyMs: number) => () => void;

/** Never keeps a process alive. */
function onTimer(act: () => void, everyMs: number): () => void {
  const timer = setInterval(act, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

const RENEW_MS = (LEASE_SECONDS * 1000) / 3;
const RENEW_TIME = pointerOf(['spec', 'renewTime']);
const HOLDER_IDENTITY = pointerOf(['spec', 'holderIdentity']);

/** A patch of the Lease in the version that was read. */
export function patchLease(
  { session, key }: LeaseWish,
  lease: KubeObject,
  operations: readonly PatchOperation[],
  stands: (live: KubeObject) => boolean,
): Promise<WriteResult> {
  return patchObject(session, { type: LEASE, key, precondition: preconditionOf(lease) }, operations, stands);
}

/** Keeps the Lease as long as it is held, and gives it back. */
export function holdLease(wish: LeaseWish, taken: KubeObject): Tenure {
  const { session, key, holder, clock } = wish;
  let lease = taken;
  let renewed = clock();
  let lost: string | undefined;
  let ended = false;

  /** Whether it is still ours, whatever else of it was changed meanwhile. */
  async function look(): Promise<boolean> {
    const read = await getObject(session, LEASE, key);
    if (read.state === 'found' && holdsLease(read.object, holder)) {
      lease = read.object;
      return true;
    }
    if (read.state === 'failed') return false;
    const record = read.state === 'found' ? readLease(read.object) : undefined;
    lost =
      record?.state === 'held'
        ? `it was taken over by ${holderText(record.holder)}`
        : 'somebody else took it away';
    return false;
  }

  async function write(
    operations: () => readonly PatchOperation[],
    stands: (live: KubeObject) => boolean,
  ): Promise<WriteResult> {
    const first = await patchLease(wish, lease, operations(), stands);
    if (first.ok || !['conflict', 'gone'].includes(first.failure.kind)) return first;
    return (await look()) ? patchLease(wish, lease, operations(), stands) : first;
  }

  async function renew(): Promise<void> {
    const now = clock();
    const at = microTime(now);
    const result = await write(
      () => [{ op: 'add', path: RENEW_TIME, value: at }],
      (live) => holdsLease(live, holder),
    );
    if (!result.ok) return;
    lease = result.object;
    renewed = now;
  }

  let writing: Promise<void> = Promise.resolve();
  const { repeat = onTimer } = wish;
  const end = repeat(() => {
    writing = writing.then(() => (ended ? undefined : renew()));
  }, RENEW_MS);

  const isLost = (): boolean => lost !== undefined || clock() - renewed >= LEASE_SECONDS * 1000;

  return {
    recorded: recordedIn(taken),
    isLost,
    release: async (completed) => {
      ended = true;
      end();
      await writing;
      if (lost !== undefined) return { ok: false, message: lost };
      const record = completed === undefined ? {} : { [LAST_COMPLETED_ANNOTATION]: formatInstant(completed) };
      const result = await write(
        () => [...annotating(lease, record), { op: 'remove', path: HOLDER_IDENTITY }],
        (live) => !holdsLease(live, holder),
      );
      if (result.ok) return { ok: true };
      return { ok: false, message: lost ?? result.failure.message };
    },
  };
}
