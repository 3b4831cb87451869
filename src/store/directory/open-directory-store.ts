import { resolve as resolvePath } from 'node:path';
import type { Diagnostic } from '#core/diagnostic.ts';
import type { SourcedObject } from '#core/object/object.ts';
import type { UnusableObject } from '#core/object/unusable-object.ts';
import { within } from '#core/observed.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Store } from '#store/port.ts';
import {
  annotateObject,
  applyStatus,
  createObject,
  deleteObject,
  removeFinalizers,
  setSpecField,
} from './change-object.ts';
import { expireEvents } from './expire-events.ts';
import { codeOf } from './file-error.ts';
import { findLive, listLabelled } from './find-live.ts';
import { getObject } from './find-object.ts';
import { goneManifests } from './gone-manifests.ts';
import { isHolderDead } from './holder.ts';
import { listKind } from './list-kind.ts';
import type { LockPlace } from './lock.ts';
import { releaseLock } from './lock.ts';
import { indexManifests } from './manifest-index.ts';
import { judgeFolder, prepareState } from './prepare-state.ts';
import { pruneRecords } from './prune.ts';
import type { Pruning } from './pruning.ts';
import type { Session } from './session.ts';
import { oneAtATime } from './session.ts';
import type { StateFiles } from './state-files.ts';
import { machineFiles } from './state-files.ts';
import { unusableBecause } from './state-folder.ts';
import { stateReader } from './state-reader.ts';
import { asResult } from './store-failure.ts';

export interface DirectoryOptions {
  /** What was read of Git; never written. */
  readonly manifests: readonly SourcedObject[];
  /** Whether every manifest could be read; otherwise one that is missing may still exist. */
  readonly complete: boolean;
  /** What the manifests spell out and nobody can use: lists are incomplete where it belongs. */
  readonly unusable?: readonly UnusableObject[];
  /** The files and folders that it was read from; one of them in the state folder makes that unusable. */
  readonly sources?: readonly string[];
  /** The state folder; undefined: there is none, nothing is ever written and `prepare` refuses. */
  readonly state: string | undefined;
  /** What relative paths start from; the working directory of the process when absent. */
  readonly cwd?: string;
  /** The creation time of objects that nobody dated. */
  readonly now: Instant;
  /** From `lockHolder`: who holds the lock. */
  readonly holder: string;
  /** Epoch milliseconds, for the expiry of the lock only. */
  readonly clock: () => number;
  /** Remove what is recorded of objects whose manifest is gone, and what they control. */
  readonly prune?: Pruning | undefined;
  readonly files?: StateFiles;
  /** Whether the process of another holder is known to have ended. */
  readonly isDead?: (holder: string) => boolean;
}

export interface DirectoryStore extends Store {
  /** What was found so far that is wrong with the state folder, in the order of finding. */
  readonly diagnostics: () => readonly Diagnostic[];
}

function pathOf({ cwd }: DirectoryOptions, path: string): string {
  return cwd === undefined ? resolvePath(path) : resolvePath(cwd, path);
}

function lockPlace(options: DirectoryOptions, files: StateFiles): LockPlace | undefined {
  if (options.state === undefined) return undefined;
  const { holder, clock } = options;
  const isDead = options.isDead ?? ((other: string) => isHolderDead(other, holder));
  return { files, root: pathOf(options, options.state), holder, clock, isDead };
}

function newSession(options: DirectoryOptions): Session {
  const files = options.files ?? machineFiles;
  const place = lockPlace(options, files);
  const found = new Map<string, Diagnostic>();
  return {
    place,
    shown: options.state ?? '',
    sources: (options.sources ?? []).map((path) => pathOf(options, path)),
    now: options.now,
    manifests: indexManifests(options.manifests),
    complete: options.complete,
    unusable: options.unusable ?? [],
    pruning: options.prune,
    prunable: new Set(),
    reader: stateReader(files, place?.root),
    report: (diagnostic) => {
      found.set(`${diagnostic.code} ${diagnostic.what}`, diagnostic);
    },
    diagnostics: () => [...found.values()],
    inTurn: oneAtATime(),
    listed: new Map(),
    gone: new Map(),
    refusal: undefined,
    writer: undefined,
    dependents: undefined,
  };
}

function diagnosticsOf(session: Session): readonly Diagnostic[] {
  const gone = goneManifests(session);
  return gone === undefined ? session.diagnostics() : [...session.diagnostics(), gone];
}

async function closeSession(session: Session): Promise<void> {
  const { place, writer } = session;
  if (place === undefined || writer === undefined) return;
  if (writer.hasWritten()) await expireEvents(session, writer.turn());
  session.writer = undefined;
  try {
    await releaseLock(place);
  } catch (error) {
    // A lock that cannot be removed runs out by itself.
    if (codeOf(error) === undefined) throw error;
  }
}

/** What cannot be looked at is told where it is listed, too. */
async function tellPrunable(session: Session, place: LockPlace): Promise<void> {
  if (session.pruning?.isDry !== true) return;
  try {
    await pruneRecords(session, session.pruning);
  } catch (error) {
    session.report(unusableBecause(place.root, error));
  }
}

/**
 * Objects in a tree of manifests and a state folder (design.md 5). Reads need no lock; writes need `prepare`.
 * A folder that must not be used gives unreadable lists, a preparation that is not ok, and a diagnostic.
 */
export async function openDirectoryStore(options: DirectoryOptions): Promise<DirectoryStore> {
  const session = newSession(options);
  if (session.place !== undefined && (await judgeFolder(session, session.place)).ok)
    await tellPrunable(session, session.place);
  return {
    writesAtOnce: 1,
    description:
      session.place === undefined ? 'manifests without a state folder' : `state folder ${session.place.root}`,
    diagnostics: () => diagnosticsOf(session),
    prepare: () => prepareState(session),
    list: async (type, narrowing) => {
      const listing = await listKind(session, type);
      return type.namespaced ? within(listing, narrowing?.namespaces) : listing;
    },
    get: (_type, key) => getObject(session, key),
    find: (reference) => findLive(session, reference),
    listLabelled: (reference) => listLabelled(session, reference),
    create: (type, object) => session.inTurn(() => asResult(() => createObject(session, type, object))),
    applyStatus: (_type, key, precondition, fields, annotations) =>
      session.inTurn(() => asResult(() => applyStatus(session, key, precondition, { fields, annotations }))),
    annotate: (_type, key, precondition, annotations) =>
      session.inTurn(() => asResult(() => annotateObject(session, key, precondition, annotations))),
    removeFinalizers: (_type, key, precondition, finalizers) =>
      session.inTurn(() => asResult(() => removeFinalizers(session, key, precondition, finalizers))),
    setSpecField: (_type, key, precondition, path, value) =>
      session.inTurn(() => asResult(() => setSpecField(session, key, precondition, { path, value }))),
    delete: (_type, key, precondition) =>
      session.inTurn(() => asResult(() => deleteObject(session, key, precondition))),
    close: () => session.inTurn(() => closeSession(session)),
  };
}
