import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Fault } from '#source/text/problem.ts';

/** The bytes of a file, or why they are not wanted. */
export type FileBytes = { readonly bytes: Uint8Array } | { readonly fault: Fault };

const CHUNK = 64 * 1024;

/** `<(helm template …)` in a shell: a pipe that is open already, so that reading it ends. */
function isOpenPipe(path: string): boolean {
  return /^\/(?:dev|proc\/self)\/(?:fd\/\d+|stdin)$/.test(path);
}

export function tooLarge(limit: number): { readonly fault: Fault } {
  const what = `is larger than ${limit} bytes`;
  const why = 'what one file may cost is bounded, so that no file holds a tick up';
  return { fault: { code: 'LimitExceeded', what, why, fix: 'split the file' } };
}

/** Never trusts the size that the system tells: a file may grow, and those of /proc say 0. */
function readUpTo(file: number, size: number, limit: number): FileBytes {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const buffer = Buffer.allocUnsafe(length < size ? size - length + 1 : CHUNK);
    const read = readSync(file, buffer, 0, buffer.length, null);
    if (read === 0) return { bytes: Buffer.concat(chunks, length) };
    chunks.push(buffer.subarray(0, read));
    length += read;
    if (length > limit) return tooLarge(limit);
  }
}

/**
 * Reads a regular file of at most `limit` bytes. Opened without waiting and looked at afterwards: a named pipe
 * without a writer would otherwise hold the tick for ever. Blocking, because a start has nothing else to do meanwhile
 * and each wait for another thread costs more than the read.
 * @throws the operating system's error
 */
export function readBytes(path: string, limit: number): FileBytes {
  const pipe = isOpenPipe(path);
  const file = openSync(path, pipe ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (stats.isDirectory()) return { fault: { code: 'FileUnreadable', what: 'is a folder' } };
    if (!stats.isFile() && !pipe) {
      const what = 'is a device, socket or named pipe, not a file';
      const why = 'reading one may wait, or go on, for ever';
      return { fault: { code: 'FileUnreadable', what, why, fix: 'use `-` to read from standard input' } };
    }
    return stats.size > limit ? tooLarge(limit) : readUpTo(file, stats.size, limit);
  } finally {
    closeSync(file);
  }
}
