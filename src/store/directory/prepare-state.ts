import { holderText } from '#core/holder-text.ts';
import type { Preparation } from '#store/port.ts';
import { codeOf } from './file-error.ts';
import { listKind } from './list-kind.ts';
import type { LockPlace } from './lock.ts';
import { acquireLock, releaseLock } from './lock.ts';
import { versionNumber } from './meta.ts';
import { overlapOf } from './overlap.ts';
import { pruneRecords } from './prune.ts';
import type { Session } from './session.ts';
import type { Opening } from './state-folder.ts';
import { makeFolders, openFolder, removeLeftovers, unusable, unusableBecause } from './state-folder.ts';
import { stateWriter } from './state-writer.ts';

async function highestVersion(session: Session): Promise<number> {
  const kinds = await session.reader.kinds();
  const paths = (await Promise.all(kinds.map((folder) => session.reader.pathsOfKind(folder)))).flat();
  let highest = 0;
  for (const file of (await session.reader.storedAt(paths)).values()) {
    if (file.state !== 'stored') continue;
    highest = Math.max(highest, versionNumber(file.record.object.metadata.resourceVersion));
  }
  return highest;
}

const OVERLAP =
  'what a tick records there would be manifests for the next one, each object a duplicate of its own manifest';

async function openApart(session: Session, place: LockPlace): Promise<Opening> {
  const overlap = await overlapOf(place.files, place.root, session.sources);
  if (overlap === undefined) return openFolder(place);
  const fix = 'name another folder with --state, below or beside the manifests';
  return { ok: false, diagnostic: { ...unusable(place.root, overlap, fix), why: OVERLAP } };
}

/** Judges the folder anew: it may have been repaired, or upgraded, since the store was opened. */
export async function judgeFolder(session: Session, place: LockPlace): Promise<Opening> {
  const opening = await openApart(session, place);
  session.refusal = opening.ok ? undefined : opening.diagnostic;
  if (!opening.ok) session.report(opening.diagnostic);
  return opening;
}

/** Everything that the lock protects. Throws what the file system says. */
async function prepareLocked(session: Session, place: LockPlace): Promise<Preparation> {
  const opening = await judgeFolder(session, place);
  if (!opening.ok) return opening;
  await removeLeftovers(place);
  session.writer = stateWriter(place, opening.resourceVersion ?? (await highestVersion(session)));
  if (session.pruning?.isDry === false) await pruneRecords(session, session.pruning);
  for (const type of session.listed.values()) await listKind(session, type);
  return { ok: true, diagnostics: session.diagnostics() };
}

async function giveUp(session: Session, place: LockPlace): Promise<void> {
  session.writer = undefined;
  try {
    await releaseLock(place);
  } catch (error) {
    // The lock runs out by itself; what went wrong before matters more.
    if (codeOf(error) === undefined) throw error;
  }
}

async function lockFolder(session: Session, place: LockPlace): Promise<Preparation> {
  const opening = await judgeFolder(session, place);
  if (!opening.ok) return opening;
  await makeFolders(place, place.root);
  const attempt = await acquireLock(place);
  if (attempt.ok) return { ok: true, diagnostics: [] };
  return {
    ok: false,
    diagnostic: {
      code: 'StateLocked',
      severity: 'error',
      what: `The state folder ${place.root} is in use by ${holderText(attempt.by.holder)} until ${attempt.by.expires}.`,
      why: 'two processes that decide from the same state could start a run twice',
      fix: 'Wait for it to end. If that process is gone, the lock runs out by itself at the time named.',
    },
  };
}

/**
 * Takes the lock, cleans up after crashes, and records what Git changed. Nothing in the folder is touched when its
 * format is newer or somebody else holds the lock.
 */
export async function prepareState(session: Session): Promise<Preparation> {
  const { place } = session;
  if (place === undefined) {
    const diagnostic = unusable('', 'none was given', 'name one with --state');
    return { ok: false, diagnostic: { ...diagnostic, what: 'There is no state folder to write to.' } };
  }
  try {
    const locked = await lockFolder(session, place);
    if (!locked.ok) return locked;
    const prepared = await prepareLocked(session, place);
    if (!prepared.ok) await giveUp(session, place);
    return prepared;
  } catch (error) {
    await giveUp(session, place);
    return { ok: false, diagnostic: unusableBecause(place.root, error) };
  }
}
