import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomDigits } from './digest.ts';
import { machineFiles, type StateFiles } from './state-files.ts';

/** What may be replaced: a file, or a link, which is never followed to what it points to. */
function isReplaceable(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined || found.isFile() || found.isSymbolicLink();
}

function refusal(path: string): Error {
  return Object.assign(new Error(`${path} is not a regular file`), { code: 'EFTYPE' });
}

/**
 * Writes a file whole or not at all, whatever ends the process in between: under another name, synced, renamed.
 * Rejects with the system's error, and with `EFTYPE` where a folder, a device or a pipe has that name.
 */
export async function writeWholeFile(
  path: string,
  text: string,
  files: StateFiles = machineFiles,
): Promise<void> {
  if (!isReplaceable(path)) throw refusal(path);
  const temporary = join(dirname(path), `.minutehand-${randomDigits(6)}.tmp`);
  try {
    await files.writeNew(temporary, text, true);
    await files.rename(temporary, path);
  } catch (error) {
    await files.remove(temporary).catch(() => {});
    throw error;
  }
}
