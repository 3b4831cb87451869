import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..', '..');

/** A file of the repository that is made from others. */
export interface Generated {
  /** From the root of the repository. */
  readonly path: string;
  readonly make: () => Promise<string>;
}

async function current(path: string): Promise<string | undefined> {
  try {
    return await readFile(join(ROOT, path), 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether the file is what it would be made to now. */
export async function isFresh({ path, make }: Generated): Promise<boolean> {
  return (await current(path)) === (await make());
}

/** Makes the file; true if it changed. */
export async function refresh(file: Generated): Promise<boolean> {
  if (await isFresh(file)) return false;
  const path = join(ROOT, file.path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await file.make());
  return true;
}
