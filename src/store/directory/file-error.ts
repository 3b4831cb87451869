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
    { cause: 'the volume is full', fix: 'free space on the volume, or name another folder with --state' },
  ],
  [
    'EDQUOT',
    { cause: 'the disk quota is used up', fix: 'raise the quota, or name another folder with --state' },
  ],
  [
    'EROFS',
    { cause: 'the file system is read-only', fix: 'mount it writable, or name another folder with --state' },
  ],
  [
    'EACCES',
    { cause: 'permission denied', fix: 'give this user read and write access to the whole state folder' },
  ],
  [
    'EPERM',
    {
      cause: 'the operation is not permitted',
      fix: 'give this user read and write access to the whole state folder; the volume must support hard links',
    },
  ],
  [
    'EMFILE',
    { cause: 'this process has too many open files', fix: 'raise the limit of open files (ulimit -n)' },
  ],
  [
    'ENFILE',
    { cause: 'the machine has too many open files', fix: 'raise the limit of open files of the machine' },
  ],
  [
    'ENOENT',
    { cause: 'it does not exist', fix: 'check whether somebody removes files from the state folder' },
  ],
  [
    'ENOTDIR',
    {
      cause: 'a file stands where a folder is needed',
      fix: 'name a folder with --state, or move the file away',
    },
  ],
  ['EISDIR', { cause: 'a folder stands where a file is needed', fix: 'move that folder away' }],
  [
    'EFTYPE',
    {
      cause: 'it is a device, socket or named pipe, not a file',
      fix: 'remove it, and restore the file from a backup',
    },
  ],
  [
    'ENXIO',
    { cause: 'it is a socket or a device, not a file', fix: 'remove it, and restore the file from a backup' },
  ],
  ['EFBIG', { cause: 'it is larger than 16 MiB', fix: 'restore the file from a backup' }],
  ['ELOOP', { cause: 'it is a link that leads to itself', fix: 'restore the file from a backup' }],
  [
    'ENOLINK',
    {
      cause: 'it is a link to something that does not exist',
      fix: 'bring the target back, or restore the file from a backup',
    },
  ],
  ['EEXIST', { cause: 'something of that name is in the way', fix: 'move it away' }],
  ['EILSEQ', { cause: 'it is not UTF-8 text', fix: 'restore the file from a backup' }],
  ['EIO', { cause: 'the disk reports an error', fix: 'check the disk' }],
  [
    'ENOTSUP',
    {
      cause: 'the file system does not support it',
      fix: 'the state folder needs a file system with hard links',
    },
  ],
  [
    'EOPNOTSUPP',
    {
      cause: 'the file system does not support it',
      fix: 'the state folder needs a file system with hard links',
    },
  ],
]);

/** Cause and remedy of a file system error, for people. */
export function explainFileError(code: string): Explanation {
  return (
    EXPLANATIONS.get(code) ?? {
      cause: `the system answers ${code}`,
      fix: 'check the volume of the state folder',
    }
  );
}

const FORBIDDEN: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM']);

/** Whether a later try can succeed without anybody changing rights. */
export function isForbidden(code: string): boolean {
  return FORBIDDEN.has(code);
}
