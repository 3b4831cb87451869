import { join } from 'node:path';
import { canonicalJson, isObject } from '#core/object/canonical.ts';
import { formatInstant, instant, parseInstant } from '#core/time/instant.ts';
import { sha256 } from './digest.ts';
import { codeOf } from './file-error.ts';
import type { StateFiles } from './state-files.ts';
import { temporaryLockName } from './state-path.ts';

/** Longer than any tick, shorter than the minute to the next one. */
const LIFETIME_MS = 50_000;
const RENEW_BELOW_MS = 25_000;
const LOCK = 'lock';
const MAX_TRIES = 20;

export interface LockPlace {
  readonly files: StateFiles;
  readonly root: string;
  readonly holder: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Whether the process of that holder is known to have ended. */
  readonly isDead: (holder: string) => boolean;
}

export interface LockText {
  readonly holder: string;
  /** RFC 3339. */
  readonly expires: string;
}

export type LockAttempt = { readonly ok: true } | { readonly ok: false; readonly by: LockText };

type Tail =
  | { readonly state: 'free' }
  | { readonly state: 'held'; readonly name: string; readonly by: LockText }
  | { readonly state: 'stale'; readonly successor: string };

function parseLock(text: string): LockText | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { holder, expires } = value;
    return typeof holder === 'string' && typeof expires === 'string' ? { holder, expires } : undefined;
  } catch {
    return undefined;
  }
}

function lockText(place: LockPlace): string {
  const expires = formatInstant(instant((place.clock() + LIFETIME_MS) / 1000));
  return `${canonicalJson({ expires, holder: place.holder })}\n`;
}

function remainingMs(lock: LockText, place: LockPlace): number {
  const expires = parseInstant(lock.expires);
  return expires === undefined ? 0 : expires * 1000 - place.clock();
}

async function readOrMissing(place: LockPlace, name: string): Promise<string | undefined> {
  try {
    return await place.files.read(join(place.root, name));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === 'EILSEQ') return '';
    throw error;
  }
}

async function removeIfThere(place: LockPlace, name: string): Promise<void> {
  try {
    await place.files.remove(join(place.root, name));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** The name under which a stale lock can be succeeded: one per content, and contents never come back. */
function successorOf(text: string): string {
  return `${LOCK}.${sha256(text).slice(0, 32)}`;
}

function isStale(lock: LockText, place: LockPlace): boolean {
  return remainingMs(lock, place) <= 0 || (lock.holder !== place.holder && place.isDead(lock.holder));
}

/**
 * Follows the lock to its last successor. A successor that is itself stale was left by a process that ended while
 * it took the lock over. A lock that cannot be read was torn by a power cut and is stale.
 */
async function readTail(place: LockPlace): Promise<Tail> {
  let name = LOCK;
  for (;;) {
    const text = await readOrMissing(place, name);
    if (text === undefined) return name === LOCK ? { state: 'free' } : { state: 'stale', successor: name };
    const by = parseLock(text);
    if (by !== undefined && !isStale(by, place)) return { state: 'held', name, by };
    name = successorOf(text);
  }
}

function temporaryName(place: LockPlace): string {
  return temporaryLockName(sha256(place.holder));
}

/** Puts our lock under a name that must be free, complete from the first moment on. False when it was taken. */
async function claim(place: LockPlace, name: string): Promise<boolean> {
  const temporary = temporaryName(place);
  await removeIfThere(place, temporary);
  await place.files.writeNew(join(place.root, temporary), lockText(place), false);
  try {
    await place.files.link(join(place.root, temporary), join(place.root, name));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false;
    throw error;
  } finally {
    await removeIfThere(place, temporary);
  }
}

async function renameIfThere(place: LockPlace, name: string): Promise<boolean> {
  try {
    await place.files.rename(join(place.root, name), join(place.root, LOCK));
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Only one process can make the successor of a stale lock, so only one gets here for it. Reading again from the
 * start proves that the stale lock was still the lock when the successor was made.
 */
async function takeOver(place: LockPlace, successor: string): Promise<boolean> {
  const tail = await readTail(place);
  const isOurs = tail.state === 'held' && tail.name === successor && tail.by.holder === place.holder;
  if (isOurs && (await renameIfThere(place, successor))) return true;
  await removeIfThere(place, successor);
  return false;
}

/** Takes the lock if nobody has it, or if who had it is dead or too late. Never waits. */
export async function acquireLock(place: LockPlace): Promise<LockAttempt> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const tail = await readTail(place);
    if (tail.state === 'held')
      return tail.by.holder === place.holder ? { ok: true } : { ok: false, by: tail.by };
    const target = tail.state === 'free' ? LOCK : tail.successor;
    const claimed = await claim(place, target);
    if (claimed && (target === LOCK || (await takeOver(place, target)))) return { ok: true };
  }
  return { ok: false, by: { holder: 'several processes at once', expires: 'unknown' } };
}

async function renew(place: LockPlace): Promise<void> {
  const temporary = temporaryName(place);
  await removeIfThere(place, temporary);
  await place.files.writeNew(join(place.root, temporary), lockText(place), false);
  await place.files.rename(join(place.root, temporary), join(place.root, LOCK));
}

async function ownRemainingMs(place: LockPlace): Promise<number> {
  const text = await readOrMissing(place, LOCK);
  const lock = text === undefined ? undefined : parseLock(text);
  return lock?.holder === place.holder ? remainingMs(lock, place) : 0;
}

/** Whether the lock is still ours, to be asked before every write; a lock that grows old is renewed. */
export async function holdsLock(place: LockPlace): Promise<boolean> {
  const remaining = await ownRemainingMs(place);
  if (remaining > 0 && remaining < RENEW_BELOW_MS) await renew(place);
  return remaining > 0;
}

/** Gives the lock back. One that ran out is left alone: somebody may be taking it over. */
export async function releaseLock(place: LockPlace): Promise<void> {
  if ((await ownRemainingMs(place)) > 0) await removeIfThere(place, LOCK);
}

/** Whether a file of the state folder is a lock, or was left by a takeover that did not end. */
export function isLockName(name: string): boolean {
  return name === LOCK || isLockLeftover(name);
}

/** Whether a file of the state folder was left by a takeover that did not end. */
export function isLockLeftover(name: string): boolean {
  return /^lock\.[0-9a-f]{32}$/.test(name);
}
