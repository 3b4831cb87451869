import { link, mkdir, open, readdir, realpath, rename, unlink } from 'node:fs/promises';
import { readText } from './read-text.ts';

export interface FolderEntry {
  readonly name: string;
  readonly folder: boolean;
}

/**
 * The few operations of a file system that the state folder needs, each of which may be the last one before a
 * crash. Every function rejects with the error of `node:fs`, whose `code` (`ENOENT`, `ENOSPC` …) callers read.
 */
export interface StateFiles {
  /** The text of a regular file; what is none rejects with a code that says so (`readText`). */
  readonly read: (path: string) => Promise<string>;
  /** The path without symbolic links; rejects with `ENOENT` when there is nothing. */
  readonly realPath: (path: string) => Promise<string>;
  readonly list: (path: string) => Promise<readonly FolderEntry[]>;
  /** Creates a file that must not exist yet (`EEXIST`); its bytes are on the disk when `durable`. */
  readonly writeNew: (path: string, text: string, durable: boolean) => Promise<void>;
  /** Replaces `to` in one step. */
  readonly rename: (from: string, to: string) => Promise<void>;
  /** A second name for a file; `EEXIST` when the name is taken. */
  readonly link: (from: string, to: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  /** One level; `EEXIST` when something of that name is there. */
  readonly makeFolder: (path: string) => Promise<void>;
  /** Puts the names in a folder on the disk: a rename is lost in a power cut until this returns. */
  readonly syncFolder: (path: string) => Promise<void>;
}

async function writeNew(path: string, text: string, durable: boolean): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(text);
    if (durable) await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function list(path: string): Promise<readonly FolderEntry[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.map((entry) => ({ name: entry.name, folder: entry.isDirectory() }));
}

/** The file system of the machine. */
export const machineFiles: StateFiles = {
  read: readText,
  realPath: (path) => realpath(path),
  list,
  writeNew,
  rename: (from, to) => rename(from, to),
  link: (from, to) => link(from, to),
  remove: (path) => unlink(path),
  makeFolder: async (path) => {
    await mkdir(path);
  },
  syncFolder,
};
