import { median } from '#test/bench/section.ts';
import type { FaultName } from './disturbance.ts';

/** One minute that was settled, as far as figures go. */
export interface Minute {
  /** Of the tick that came through. */
  readonly peak: number;
  readonly cpu: number;
  readonly milliseconds: number;
  readonly reads: number;
  /** Of all ticks of the minute. */
  readonly writes: number;
  readonly created: number;
}

export interface Tally {
  ticks: number;
  kills: number;
  /** Processes that were not alone. */
  doubles: number;
  edits: number;
  /** Ticks that nothing disturbed and that had to be repeated all the same. */
  repeated: number;
  readonly faults: Map<FaultName, number>;
  readonly codes: Map<string, number>;
  readonly minutes: Minute[];
}

export function newTally(): Tally {
  return {
    ticks: 0,
    kills: 0,
    doubles: 0,
    edits: 0,
    repeated: 0,
    faults: new Map(),
    codes: new Map(),
    minutes: [],
  };
}

export function count<K>(counts: Map<K, number>, key: K, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

/** The figures of a quarter of the soak. */
export interface Quarter {
  readonly peak: number;
  readonly cpu: number;
  readonly milliseconds: number;
  readonly reads: number;
  readonly writesPerRun: number;
  readonly created: number;
}

export function quarters(minutes: readonly Minute[]): readonly Quarter[] {
  const size = minutes.length / 4;
  return [0, 1, 2, 3].map((number) => {
    const some = minutes.slice(Math.floor(number * size), Math.floor((number + 1) * size));
    const middle = (of: (minute: Minute) => number): number => median(some.map(of));
    const sum = (of: (minute: Minute) => number): number => some.reduce((total, one) => total + of(one), 0);
    const created = sum((minute) => minute.created);
    return {
      peak: middle(({ peak }) => peak),
      cpu: middle(({ cpu }) => cpu),
      milliseconds: middle(({ milliseconds }) => milliseconds),
      reads: middle(({ reads }) => reads),
      writesPerRun: sum(({ writes }) => writes) / created,
      created,
    };
  });
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, number]) => `${name} ${number}`)
    .join(', ');
}

export function reportText(tally: Tally): string {
  const { ticks, kills, doubles, edits, repeated, minutes, faults, codes } = tally;
  const rows = quarters(minutes).map(
    ({ peak, cpu, milliseconds, reads, writesPerRun, created }, index) =>
      `quarter ${index + 1}: peak ${peak.toFixed(0)} MB, ${milliseconds.toFixed(0)} ms, ${cpu.toFixed(0)} ms of them at work, ` +
      `${reads} reads a tick, ${writesPerRun.toFixed(2)} writes a run, ${created} runs`,
  );
  return [
    `${minutes.length} minutes, ${ticks} ticks, ${kills} killed, ${doubles} two at once, ${edits} edits`,
    `ticks ended: ${listed(codes)}; undisturbed and repeated: ${repeated}`,
    `faults: ${listed(faults)}`,
    ...rows,
  ].join('\n');
}
