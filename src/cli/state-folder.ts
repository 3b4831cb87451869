import { escapeText } from '#render/escape-text.ts';
import type { Io } from './io.ts';
import { PROGRAM } from './program.ts';

/** Where `reconcile` keeps the state unless a flag says so. */
export const STATE_FOLDER = '.minutehand';

/** Verbs that only look take no state unless it is named; said is where some lies unread, and where the named one is missing. */
export async function noteUnusedState(state: string | undefined, verb: string, io: Io): Promise<void> {
  if (state !== undefined) {
    if (await io.isFolder(state)) return;
    const shown = escapeText(state);
    io.stderr.write(`note: there is no state folder ${shown}: decided as for the first tick of all\n`);
    return;
  }
  if (!(await io.isFolder(STATE_FOLDER))) return;
  const decide = `write ${PROGRAM} ${verb} --state ${STATE_FOLDER} to decide by it`;
  io.stderr.write(`note: the state folder ./${STATE_FOLDER} is here and was not read: ${decide}\n`);
}
