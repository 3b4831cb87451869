import type { Diagnostic } from '#core/diagnostic.ts';
import { PIPED_IN } from '#core/object/piped-in.ts';
import type { Fault } from '#source/text/problem.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  ELOOP: 'is a symbolic link that leads to itself',
  ENOTDIR: 'goes through a file as if it were a folder',
  EISDIR: 'is a folder',
  ENAMETOOLONG: 'is too long a name for this system',
  EMFILE: 'could not be opened: too many open files',
  EFTYPE: 'is not a regular file',
  EFBIG: 'is too large',
  ESUBMODULE: 'is a submodule: its files are in another repository',
};

/** How the system calls it; the whole error where that is not told. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : String(error);
}

const NOT_READ = 'what it defines is not known, so nothing that is missing counts as removed';

const REMEDIES: Readonly<Record<string, string>> = {
  ENOENT: 'check the path; a relative one starts from the working directory',
  EACCES: 'give this user the right to read it',
  EPERM: 'give this user the right to read it',
  ELOOP: 'name the file that is meant',
  ENOTDIR: 'check the path: one of its folders is a file',
  ENAMETOOLONG: 'shorten the path',
  EMFILE: 'raise the limit of open files (ulimit -n)',
  ESUBMODULE: 'name only folders beside it, or compare folders that hold its files',
};

function fixFor(shown: string, code: string, remedy = REMEDIES[code]): string {
  if (code === 'ENOENT' && shown.includes('*')) {
    return 'patterns are the business of the shell: write it without quotes, or name the folder and add -R';
  }
  return /^https?:\/\//.test(shown)
    ? `only files are read: \`curl -sSfL ${shown} ${PIPED_IN}\``
    : (remedy ?? 'check the file, and the volume that it is on');
}

/** A file or folder that the operating system does not hand out. */
export function unreadable(shown: string, error: unknown): Diagnostic {
  const code = codeOf(error);
  const what = `${shown} ${REASONS[code] ?? `cannot be read (${code})`}`;
  return {
    code: 'FileUnreadable',
    severity: 'error',
    what,
    why: NOT_READ,
    fix: fixFor(shown, code),
  };
}

/** Nothing is there, which is another matter than what cannot be read. */
export function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
}

/** @param remedy what to do, unless the path itself tells that it is meant for somebody else */
export function notThere(shown: string, remedy?: string): Diagnostic {
  const fix = fixFor(shown, 'ENOENT', remedy);
  return { code: 'FileUnreadable', severity: 'error', what: `${shown} does not exist`, why: NOT_READ, fix };
}

/** A fault of a file; one that has no line has no place, and names the file itself. */
export function fileDiagnostic(
  file: string,
  fault: Fault,
  severity: Diagnostic['severity'] = 'error',
  line?: number,
): Diagnostic {
  return { ...fault, severity, ...(line === undefined ? {} : { place: { file, line, column: 1 } }) };
}
