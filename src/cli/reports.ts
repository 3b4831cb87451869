import { escapeText } from '#render/escape-text.ts';
import { normalizedPath } from '#render/repository-path.ts';
import type { Io } from './io.ts';
import type { ReportRequest } from './report-flag.ts';

/** How each format is made; only those that are asked for are. */
export type Renderers<Format extends string> = Readonly<Record<Format, () => string | Promise<string>>>;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'one of its folders is a file',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  ENAMETOOLONG: 'the name is too long for this system',
  EFTYPE: 'something that is no file has this name',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return REASONS[code] ?? code;
}

/**
 * Writes each report whole, and goes on to the next where one fails.
 * @param inputs files that were read: none of them is replaced
 * @returns whether all were written; why not has been told
 */
export async function writeReports<Format extends string>(
  requests: readonly ReportRequest<Format>[],
  renderers: Renderers<Format>,
  io: Pick<Io, 'stderr' | 'writeText' | 'cwd'>,
  inputs: Iterable<string> = [],
): Promise<boolean> {
  const written = new Set<string>();
  // Two spellings of one file meet.
  const placeOf = (path: string): string =>
    normalizedPath(path.startsWith('/') ? path : `${io.cwd}/${path}`) ?? '';
  const read = new Set([...inputs].map(placeOf));
  let complete = true;
  const fail = ({ format, path }: ReportRequest, reason: string): void => {
    complete = false;
    io.stderr.write(
      `error: the report ${format}=${escapeText(path)} was not written: ${escapeText(reason)}\n`,
    );
  };
  for (const request of requests) {
    const { format, path } = request;
    const place = placeOf(path);
    if (read.has(place)) {
      fail(request, 'this file was read, and is not replaced');
      continue;
    }
    if (written.has(place)) {
      fail(request, 'another report has the same file');
      continue;
    }
    written.add(place);
    const text = await renderers[format]();
    try {
      await io.writeText(path, text);
    } catch (error) {
      fail(request, reasonOf(error));
    }
  }
  return complete;
}
