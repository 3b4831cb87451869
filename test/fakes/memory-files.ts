import type { FolderEntry, StateFiles } from '#store/directory/state-files.ts';

/** The machine went away in the middle of an operation. Nothing answers after it. */
export class PowerCut extends Error {}

/**
 * What a restart finds. `killed`: all that was done · `cut`: only what was synced, files and names each ·
 * `torn`: every name, but files without the bytes that were not synced.
 */
export type Loss = 'killed' | 'cut' | 'torn';

export interface FileOperation {
  /** Counted from 1. */
  readonly nth: number;
  readonly verb: keyof StateFiles;
  readonly path: string;
}

/** What becomes of an operation: a system error code, or the end before, within or after it. */
export type FileFault = { readonly code: string } | 'before' | 'within' | 'after' | undefined;

interface MemoryFile {
  text: string;
  synced: string | undefined;
}

type MemoryNode = MemoryFile | 'folder';
type Names = Map<string, MemoryNode>;

export interface MemoryFiles {
  readonly files: StateFiles;
  readonly operations: () => readonly FileOperation[];
  /** Every file with its text, by path. */
  readonly texts: () => ReadonlyMap<string, string>;
  /** The same disk after a restart, with no faults. */
  readonly restart: (loss: Loss, fault?: (operation: FileOperation) => FileFault) => MemoryFiles;
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path });
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

interface Disk {
  /** Paths as a running system sees them. */
  readonly live: Names;
  /** Paths that a power cut leaves. */
  readonly durable: Names;
}

function requireFile(disk: Disk, path: string): MemoryFile {
  requireFolder(disk, folderOf(path), path);
  const node = disk.live.get(path);
  if (node === undefined) throw systemError('ENOENT', path);
  if (node === 'folder') throw systemError('EISDIR', path);
  return node;
}

/** @param asked the path that an error names */
function requireFolder(disk: Disk, path: string, asked = path): void {
  if (path === '/') return;
  requireFolder(disk, folderOf(path), asked);
  const node = disk.live.get(path);
  if (node === undefined) throw systemError('ENOENT', asked);
  if (node !== 'folder') throw systemError('ENOTDIR', asked);
}

function childrenOf(names: Names, folder: string): string[] {
  return [...names.keys()].filter((path) => folderOf(path) === folder);
}

function requireFree(disk: Disk, path: string): void {
  requireFolder(disk, folderOf(path), path);
  if (disk.live.has(path)) throw systemError('EEXIST', path);
}

function syncFolder(disk: Disk, folder: string): void {
  requireFolder(disk, folder);
  for (const path of childrenOf(disk.durable, folder)) if (!disk.live.has(path)) disk.durable.delete(path);
  for (const path of childrenOf(disk.live, folder)) disk.durable.set(path, disk.live.get(path) ?? 'folder');
}

function isReachable(names: Names, path: string): boolean {
  const folder = folderOf(path);
  return folder === '/' || (names.get(folder) === 'folder' && isReachable(names, folder));
}

function afterLoss(disk: Disk, loss: Loss): Names {
  const names = loss === 'cut' ? disk.durable : disk.live;
  const left: Names = new Map();
  for (const [path, node] of names) {
    if (!isReachable(names, path)) continue;
    if (node === 'folder') left.set(path, node);
    else left.set(path, copyOf(loss === 'killed' ? node.text : (node.synced ?? '')));
  }
  return left;
}

function copyOf(text: string): MemoryFile {
  return { text, synced: text };
}

function listFolder(disk: Disk, folder: string): FolderEntry[] {
  requireFolder(disk, folder);
  const prefix = folder === '/' ? 1 : folder.length + 1;
  return childrenOf(disk.live, folder).map((path) => ({
    name: path.slice(prefix),
    folder: disk.live.get(path) === 'folder',
  }));
}

type Gate = <T>(verb: keyof StateFiles, path: string, run: () => T, within?: () => void) => Promise<T>;

function filesOn(disk: Disk, gate: Gate): StateFiles {
  return {
    read: (path) => gate('read', path, () => requireFile(disk, path).text),
    realPath: (path) =>
      gate('realPath', path, () => {
        requireFolder(disk, folderOf(path), path);
        if (path !== '/' && !disk.live.has(path)) throw systemError('ENOENT', path);
        return path;
      }),
    list: (path) => gate('list', path, () => listFolder(disk, path)),
    writeNew: (path, text, durable) => {
      const write = (part: string, synced: string | undefined): void => {
        requireFree(disk, path);
        disk.live.set(path, { text: part, synced });
      };
      const half = text.slice(0, Math.floor(text.length / 2));
      return gate(
        'writeNew',
        path,
        () => write(text, durable ? text : undefined),
        () => write(half, undefined),
      );
    },
    rename: (from, to) =>
      gate('rename', to, () => {
        const file = requireFile(disk, from);
        requireFolder(disk, folderOf(to));
        if (disk.live.get(to) === 'folder') throw systemError('EISDIR', to);
        disk.live.delete(from);
        disk.live.set(to, file);
      }),
    link: (from, to) =>
      gate('link', to, () => {
        const file = requireFile(disk, from);
        requireFree(disk, to);
        disk.live.set(to, file);
      }),
    remove: (path) =>
      gate('remove', path, () => {
        requireFile(disk, path);
        disk.live.delete(path);
      }),
    makeFolder: (path) =>
      gate('makeFolder', path, () => {
        requireFree(disk, path);
        disk.live.set(path, 'folder');
      }),
    syncFolder: (path) => gate('syncFolder', path, () => syncFolder(disk, path)),
  };
}

function memoryDisk(names: Names, fault: (operation: FileOperation) => FileFault): MemoryFiles {
  const disk: Disk = { live: new Map(names), durable: new Map(names) };
  const operations: FileOperation[] = [];
  let dead = false;
  const gate: Gate = async (verb, path, run, within) => {
    if (dead) throw new PowerCut(`${verb} after the end`);
    const operation = { nth: operations.length + 1, verb, path };
    operations.push(operation);
    const what = fault(operation);
    if (typeof what === 'object') {
      // A full disk often takes half of a file before it says so.
      within?.();
      throw systemError(what.code, path);
    }
    if (what === undefined) return run();
    dead = true;
    if (what === 'within') within?.();
    if (what === 'after') run();
    throw new PowerCut(`${what} ${verb} ${path}`);
  };
  return {
    files: filesOn(disk, gate),
    operations: () => [...operations],
    texts: () =>
      new Map(
        [...disk.live].flatMap(([path, node]) => (node === 'folder' ? [] : [[path, node.text] as const])),
      ),
    restart: (loss, next = () => undefined) => memoryDisk(afterLoss(disk, loss), next),
  };
}

/** An empty disk that knows the difference between written and synced. */
export function memoryFiles(fault: (operation: FileOperation) => FileFault = () => undefined): MemoryFiles {
  return memoryDisk(new Map(), fault);
}
