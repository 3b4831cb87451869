import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';
import { HOLDER } from '#core/holder-text.ts';
import { randomDigits } from './digest.ts';
import { codeOf } from './file-error.ts';

/**
 * Where process ids are comparable: the machine, this boot of it and the process namespace. Two containers may
 * share a host name and a volume and still not see each other's processes.
 */
function processSpace(): string {
  const parts = [hostname()];
  try {
    parts.push(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8));
    parts.push(readlinkSync('/proc/self/ns/pid').replace(/\D/g, ''));
  } catch {
    // Not Linux: the host name has to do.
  }
  return parts.join('/');
}

/** Who holds a lock: `host/boot/namespace pid random`. No two processes have the same. */
export function lockHolder(): string {
  return `${processSpace()} ${process.pid} ${randomDigits(6)}`;
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/**
 * Whether the process of another holder is known to have ended: only of one whose process ids mean the same as
 * here. A process id that was used again counts as alive; the lock then waits for its expiry.
 */
export function isHolderDead(other: string, own: string): boolean {
  const theirs = HOLDER.exec(other);
  const ours = HOLDER.exec(own);
  if (theirs === null || ours === null || theirs[1] !== ours[1]) return false;
  const pid = Number(theirs[2]);
  return pid > 0 && isGone(pid);
}
