/** What a report leaves out when reading failed; the faults themselves are told beside it. */
export interface UnreadOptions {
  /** Some of what was given could not be read. */
  readonly failedReads?: boolean;
}

/** In place of a report about no schedule at all. */
export function noneText({ failedReads = false }: UnreadOptions): string {
  return failedReads ? 'No schedule could be read, so nothing was decided.' : 'No schedules were found.';
}

/** Behind a report about some schedules; undefined where nothing is missing. */
export function partText({ failedReads = false }: UnreadOptions): string | undefined {
  return failedReads ? 'Not everything could be read; this is about the part that could.' : undefined;
}
