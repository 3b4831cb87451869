export interface TreeEntry {
  readonly name: string;
  /** Anything that is neither a folder nor a link counts as a file; what it really is shows when it is read. */
  readonly type: 'file' | 'folder' | 'link';
}

/**
 * Where manifests stand: the disk, or one commit of a Git repository. What cannot be told throws an error with the
 * code of the system (`ENOENT`).
 */
export interface Tree {
  /** Between the parts of a path. */
  readonly separator: string;
  readonly entries: (path: string) => readonly TreeEntry[];
  /** The path behind all links; undefined when it is not in this tree. */
  readonly resolve: (path: string) => string | undefined;
  /** Links are followed. */
  readonly isFolder: (path: string) => boolean;
  readonly linkTarget: (path: string) => string;
  /** A file of at most so many bytes; undefined for any other. */
  readonly readSmall: (path: string, limit: number) => Uint8Array | undefined;
  /** How a person is shown what lies in a folder. */
  readonly shownBelow: (shown: string, name: string) => string;
}

export function joinPath({ separator }: Tree, folder: string, name: string): string {
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}

/** Both are resolved. */
export function isBelow({ separator }: Tree, root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(separator) ? root : root + separator);
}
