import { resolve } from 'node:path';

/** What `npm run build` made. */
export const BUNDLE = resolve(import.meta.dirname, '..', '..', 'dist', 'minutehand.mjs');

/** One figure: the median of several runs of one subject in one scenario. */
export interface Measurement {
  readonly scenario: string;
  readonly subject: string;
  /** Milliseconds, each of one run. */
  readonly runs: readonly number[];
  /** `cpu` is what the thread worked, which other processes on the machine hardly touch; `wall` if absent. */
  readonly clock?: 'cpu' | 'wall';
  /** How many items a run handled; ratios are per item. */
  readonly items: number;
  readonly note?: string;
}

/** A part of the benchmark. The first subject of a scenario is what the others are compared with. */
export interface Section {
  readonly name: string;
  /** @param say tells the reader what is left out and why */
  readonly run: (say: (line: string) => void) => Promise<readonly Measurement[]>;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Milliseconds that this thread has worked so far. */
export function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The kernel may count in steps of some milliseconds: what is shorter is done again until it is long beside them. */
const LEAST_MILLISECONDS = 100;

function timed(work: () => void): number {
  const start = threadMilliseconds();
  for (let times = 1; ; times++) {
    work();
    const took = threadMilliseconds() - start;
    if (took >= LEAST_MILLISECONDS) return took / times;
  }
}

/** Milliseconds that this thread worked in each of some runs, the first of which do not count. */
export function worked(runs: number, unmeasured: number, work: () => void): number[] {
  return Array.from({ length: runs + unmeasured }, () => timed(work)).slice(unmeasured);
}
