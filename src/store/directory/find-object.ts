import { join } from 'node:path';
import type { ObjectKey } from '#core/object/object.ts';
import type { ReadResult } from '#store/port.ts';
import type { Resolved } from './resolve.ts';
import { resolve } from './resolve.ts';
import type { Session } from './session.ts';
import { readKnown } from './session.ts';
import { objectPath } from './state-path.ts';
import { fileFailure, StoreFailure } from './store-failure.ts';

/** The file of an object, for people. */
export function pathOf(session: Session, key: ObjectKey): string {
  return join(session.place?.root ?? '', objectPath(key));
}

/** What there is under a key, now. Throws `StoreFailure` when its file cannot be read. */
export async function find(session: Session, key: ObjectKey): Promise<Resolved> {
  const found = resolve(await readKnown(session, key), session.now);
  if (found.state !== 'damaged' || found.code === undefined) return found;
  throw fileFailure(pathOf(session, key), 'read', found.code);
}

function toReadResult(session: Session, key: ObjectKey, found: Resolved): ReadResult {
  switch (found.state) {
    case 'present':
      return { state: 'found', object: found.object };
    case 'missing':
      return { state: 'missing' };
    case 'hidden':
      // While some manifest cannot be read, this one may be among them.
      return session.complete ? { state: 'missing' } : { state: 'found', object: found.object };
    case 'damaged':
      return {
        state: 'failed',
        message: `The state file ${pathOf(session, key)} cannot be used: ${found.reason}.`,
      };
  }
}

/** One object as it is now, whatever was listed before. */
export async function getObject(session: Session, key: ObjectKey): Promise<ReadResult> {
  if (session.refusal !== undefined) return { state: 'failed', message: session.refusal.what };
  try {
    return toReadResult(session, key, await find(session, key));
  } catch (error) {
    if (error instanceof StoreFailure) return { state: 'failed', message: error.message };
    throw error;
  }
}
