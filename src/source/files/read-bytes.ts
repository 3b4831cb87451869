import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
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
  return { fault: { code: 'LimitExceeded', what, fix: 'Split the file' } };
}

/** Never trusts the size that the system tells: a file may grow, and those of /proc say 0. */
async function readUpTo(file: FileHandle, limit: number): Promise<FileBytes> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, null);
    if (bytesRead === 0) return { bytes: Buffer.concat(chunks, length) };
    chunks.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
    if (length > limit) return tooLarge(limit);
  }
}

/**
 * Reads a regular file of at most `limit` bytes. Opened without waiting and looked at afterwards: a named pipe
 * without a writer would otherwise hold the tick for ever.
 * @throws the operating system's error
 */
export async function readBytes(path: string, limit: number): Promise<FileBytes> {
  const pipe = isOpenPipe(path);
  const file = await open(path, pipe ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) return { fault: { code: 'FileUnreadable', what: 'is a folder' } };
    if (!stats.isFile() && !pipe) {
      const what = 'is a device, socket or named pipe, not a file';
      return { fault: { code: 'FileUnreadable', what, fix: 'Use `-` to read from standard input' } };
    }
    return stats.size > limit ? tooLarge(limit) : await readUpTo(file, limit);
  } finally {
    await file.close();
  }
}
