import { type Dirent, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { readBytes } from './read-bytes.ts';
import type { Tree, TreeEntry } from './tree.ts';

function entryOf(entry: Dirent): TreeEntry {
  const type = entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'folder' : 'file';
  return { name: entry.name, type };
}

function readSmall(path: string, limit: number): Uint8Array | undefined {
  const read = readBytes(path, limit);
  return 'bytes' in read ? read.bytes : undefined;
}

function shownBelow(folder: string, name: string): string {
  if (folder === '.' || folder === './') return name;
  return `${folder.replace(/\/+$/, '')}/${name}`;
}

/** The disk, as it is at the moment of asking. */
export const workTree: Tree = {
  separator: sep,
  entries: (path) => readdirSync(path, { withFileTypes: true }).map(entryOf),
  resolve: (path) => realpathSync.native(path),
  isFolder: (path) => statSync(path).isDirectory(),
  linkTarget: (path) => readlinkSync(path),
  readSmall,
  shownBelow,
};
