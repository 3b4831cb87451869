import type { Diagnostic } from '#core/diagnostic.ts';
import type { ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { UnusableObject } from '#core/object/unusable-object.ts';
import type { Instant } from '#core/time/instant.ts';
import type { LockPlace } from './lock.ts';
import type { ManifestIndex } from './manifest-index.ts';
import type { Pruning } from './pruning.ts';
import type { Known } from './resolve.ts';
import { objectPath } from './state-path.ts';
import type { StateReader } from './state-reader.ts';
import type { StateWriter } from './state-writer.ts';
import { StoreFailure } from './store-failure.ts';

/** One open store: what it was opened with, and what it learned. */
export interface Session {
  /** Absent when the store has no state folder: it is never written then. */
  readonly place: LockPlace | undefined;
  /** The state folder as the user named it; empty when there is none. */
  readonly shown: string;
  /** Absolute paths that manifests are read from. */
  readonly sources: readonly string[];
  readonly now: Instant;
  readonly manifests: ManifestIndex;
  readonly complete: boolean;
  /** What manifests spell out and nobody can use. */
  readonly unusable: readonly UnusableObject[];
  /** Absent: what is recorded of objects without manifest stays. */
  readonly pruning: Pruning | undefined;
  /** Ids of objects that a dry run of a prune found: lists are read without them. */
  readonly prunable: Set<string>;
  readonly reader: StateReader;
  /** A finding is kept once, however often it is made. */
  readonly report: (diagnostic: Diagnostic) => void;
  readonly diagnostics: () => readonly Diagnostic[];
  /** Runs writes one after the other. */
  readonly inTurn: <T>(run: () => Promise<T>) => Promise<T>;
  /** Kinds that were listed, by their folder. */
  readonly listed: Map<string, ResourceType>;
  /** Recorded objects whose manifest is gone, by the folder of their kind; of the kinds that were listed. */
  readonly gone: Map<string, readonly ObjectKey[]>;
  /** Why the state folder must not be used. */
  refusal: Diagnostic | undefined;
  /** There from `prepare` to `close`. */
  writer: StateWriter | undefined;
  /** Keys of recorded objects by the uid of their controller, read before the first delete. */
  dependents: Map<string, ObjectKey[]> | undefined;
}

export function requireWriter(session: Session): StateWriter {
  if (session.writer !== undefined) return session.writer;
  throw new StoreFailure('lost', 'The state folder is not held for writing: prepare the store first.');
}

/** Reads everything there is under one key, now. */
export async function readKnown(session: Session, key: ObjectKey): Promise<Known> {
  const path = objectPath(key);
  const source = session.manifests.at(key);
  const [stored, tombstone] = await Promise.all([
    session.reader.stored(path),
    source === undefined ? undefined : session.reader.tombstone(path),
  ]);
  return { declared: source === undefined ? undefined : { key, manifest: source.object }, stored, tombstone };
}

/** A queue of one: each function starts when the one before has ended, well or not. */
export function oneAtATime(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run, run);
    last = next.catch(() => undefined);
    return next;
  };
}
