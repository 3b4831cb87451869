import type { Io } from './io.ts';

/** Shorter waits need no word. */
const PATIENCE_MS = 1000;
const WIPE = '\r\u001b[K';

export interface Progress {
  readonly tell: (done: number, total: number) => void;
  readonly clear: () => void;
}

/**
 * A line on stderr that says how far something has come, at a terminal only and after one second.
 * @param words such as `applied 3 of 40 schedules`
 */
export function startProgress(io: Io, words: (done: number, total: number) => string): Progress {
  const started = io.clock();
  let shown = false;
  return {
    tell: (done, total) => {
      if (!io.stderr.isTerminal || io.clock() - started < PATIENCE_MS) return;
      shown = true;
      io.stderr.write(`${WIPE}${words(done, total)}`);
    },
    clear: () => {
      if (shown) io.stderr.write(WIPE);
    },
  };
}
