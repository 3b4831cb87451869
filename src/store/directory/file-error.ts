/** The `code` of an error of the file system (`ENOENT`), undefined for any other error: that one is a bug. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

interface Explanation {
  readonly cause: string;
  readonly fix: string;
}

const EXPLANATIONS: ReadonlyMap<string, Explanation> = new Map([
  [
    'ENOSPC',
    { cause: 'the volume is full', fix: 'Free space on the volume, or name another folder with --state.' },
  ],
  [
    'EDQUOT',
    { cause: 'the disk quota is used up', fix: 'Raise the quota, or name another folder with --state.' },
  ],
  [
    'EROFS',
    { cause: 'the file system is read-only', fix: 'Mount it writable, or name another folder with --state.' },
  ],
  [
    'EACCES',
    { cause: 'permission denied', fix: 'Give this user read and write access to the whole state folder.' },
  ],
  [
    'EPERM',
    {
      cause: 'the operation is not permitted',
      fix: 'Give this user read and write access to the whole state folder; the volume must support hard links.',
    },
  ],
  [
    'EMFILE',
    { cause: 'this process has too many open files', fix: 'Raise the limit of open files (ulimit -n).' },
  ],
  [
    'ENFILE',
    { cause: 'the machine has too many open files', fix: 'Raise the limit of open files of the machine.' },
  ],
  [
    'ENOENT',
    { cause: 'it does not exist', fix: 'Check whether somebody removes files from the state folder.' },
  ],
  [
    'ENOTDIR',
    {
      cause: 'a file stands where a folder is needed',
      fix: 'Name a folder with --state, or move the file away.',
    },
  ],
  ['EISDIR', { cause: 'a folder stands where a file is needed', fix: 'Move that folder away.' }],
  ['EEXIST', { cause: 'something of that name is in the way', fix: 'Move it away.' }],
  ['EILSEQ', { cause: 'it is not UTF-8 text', fix: 'Restore the file from a backup.' }],
  ['EIO', { cause: 'the disk reports an error', fix: 'Check the disk.' }],
  [
    'ENOTSUP',
    {
      cause: 'the file system does not support it',
      fix: 'The state folder needs a file system with hard links.',
    },
  ],
  [
    'EOPNOTSUPP',
    {
      cause: 'the file system does not support it',
      fix: 'The state folder needs a file system with hard links.',
    },
  ],
]);

/** Cause and remedy of a file system error, for people. */
export function explainFileError(code: string): Explanation {
  return (
    EXPLANATIONS.get(code) ?? {
      cause: `the system answers ${code}`,
      fix: 'Check the volume of the state folder.',
    }
  );
}

const FORBIDDEN: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM']);

/** Whether a later try can succeed without anybody changing rights. */
export function isForbidden(code: string): boolean {
  return FORBIDDEN.has(code);
}
