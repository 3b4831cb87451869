import type { Durations, Phase } from '#core/tick-record.ts';

/** Tells how long the phases of a tick take. */
export interface Stopwatch {
  /** What passed since the last call, or since the start, belongs to the phase. */
  readonly lap: (phase: Phase) => void;
  readonly durations: () => Durations;
}

/** @param clock milliseconds; one that is put back counts as one that stands still */
export function startStopwatch(clock: () => number): Stopwatch {
  const started = clock();
  let last = started;
  const spent = { read: 0, decide: 0, apply: 0 };
  return {
    lap: (phase) => {
      const now = clock();
      spent[phase] += Math.max(0, now - last);
      last = now;
    },
    durations: () => ({ ...spent, total: Math.max(0, clock() - started) }),
  };
}
