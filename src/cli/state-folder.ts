import { escapeText } from '#render/escape-text.ts';
import type { Io } from './io.ts';

/** Where `reconcile` keeps the state unless a flag says so. */
export const STATE_FOLDER = '.minutehand';

interface StateWords {
  /** What a folder that is not there means. */
  readonly missing: string;
  /** What one that was not read is good for. */
  readonly use: string;
}

const DECISIONS: StateWords = { missing: 'decided as for the first tick of all', use: 'to decide by it' };

/** Of verbs that look for what ticks left. */
export const RECORDS: StateWords = {
  missing: 'only the manifests were looked at',
  use: 'to find what ticks recorded there',
};

/** Verbs that only look take no state unless it is named; said is where some lies unread, and where the named one is missing. */
export async function noteUnusedState(
  state: string | undefined,
  io: Io,
  { missing, use }: StateWords = DECISIONS,
): Promise<void> {
  if (state !== undefined) {
    if (await io.isFolder(state)) return;
    io.stderr.write(`note: there is no state folder ${escapeText(state)}: ${missing}\n`);
    return;
  }
  if (!(await io.isFolder(STATE_FOLDER))) return;
  const add = `add --state ${STATE_FOLDER} ${use}`;
  io.stderr.write(`note: the state folder ./${STATE_FOLDER} is here and was not read: ${add}\n`);
}
