import { constants } from 'node:fs';
import { type FileHandle, open, readlink } from 'node:fs/promises';

/** Far more than the API server takes of one object (1.5 MiB), little enough to read in a tick. */
const MOST_BYTES = 16 * 1024 * 1024;
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

function fault(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path });
}

/** A link that leads nowhere is something that is there, not something that is missing. */
async function openThere(path: string): Promise<FileHandle> {
  try {
    return await open(path, FLAGS);
  } catch (error) {
    const isLink = await readlink(path).then(
      () => true,
      () => false,
    );
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw isMissing && isLink ? fault('ENOLINK', path) : error;
  }
}

/** Never trusts the size that the system tells: a file may grow, and those of /proc say 0. */
async function readUpTo(file: FileHandle, size: number, path: string): Promise<Uint8Array> {
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > MOST_BYTES) throw fault('EFBIG', path);
    if (length === buffer.length) buffer = Buffer.concat([buffer], length * 2);
  }
}

async function readRegular(file: FileHandle, path: string): Promise<Uint8Array> {
  const stats = await file.stat();
  if (stats.isDirectory()) throw fault('EISDIR', path);
  if (!stats.isFile()) throw fault('EFTYPE', path);
  if (stats.size > MOST_BYTES) throw fault('EFBIG', path);
  return readUpTo(file, stats.size, path);
}

/**
 * The text of a regular file. Opened without waiting and looked at before it is read: a named pipe without a writer
 * would hold the tick for ever, a device would never end.
 * @throws the error of the system; `EISDIR`, `EFTYPE` (a device, socket or pipe), `EFBIG` (larger than 16 MiB),
 * `ENOLINK` (a link to nothing) and `EILSEQ` (not UTF-8) say what is there instead
 */
export async function readText(path: string): Promise<string> {
  const file = await openThere(path);
  let bytes: Uint8Array;
  try {
    bytes = await readRegular(file, path);
  } finally {
    await file.close();
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fault('EILSEQ', path);
  }
}
