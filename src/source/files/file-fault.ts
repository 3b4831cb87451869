import type { Diagnostic } from '#core/diagnostic.ts';
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
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : String(error);
}

function fixFor(shown: string): Pick<Fault, 'fix'> {
  if (!/^https?:\/\//.test(shown)) return {};
  return { fix: `Only files are read: \`curl -sSfL ${shown} | minutehand plan -f -\`` };
}

/** A file or folder that the operating system does not hand out. */
export function unreadable(shown: string, error: unknown): Diagnostic {
  const code = codeOf(error);
  const what = `${shown} ${REASONS[code] ?? `cannot be read (${code})`}`;
  return {
    code: 'FileUnreadable',
    severity: 'error',
    place: { file: shown, line: 1, column: 1 },
    what,
    ...fixFor(shown),
  };
}

export function fileDiagnostic(
  file: string,
  fault: Fault,
  severity: Diagnostic['severity'] = 'error',
  line = 1,
): Diagnostic {
  return { ...fault, severity, place: { file, line, column: 1 } };
}
