import type { Io } from './io.ts';

/** Shorter waits need no word. */
const PATIENCE_MS = 1000;
const WIPE = '\r\u001b[K';

export interface Progress {
  readonly tell: (done: number, total: number) => void;
  readonly clear: () => void;
}

/** A line on stderr that counts schedules, at a terminal only and after one second. */
export function startProgress(io: Io): Progress {
  const started = io.clock();
  let shown = false;
  return {
    tell: (done, total) => {
      if (!io.stderr.isTerminal || io.clock() - started < PATIENCE_MS) return;
      shown = true;
      io.stderr.write(`${WIPE}applied ${done} of ${total} schedules`);
    },
    clear: () => {
      if (shown) io.stderr.write(WIPE);
    },
  };
}
