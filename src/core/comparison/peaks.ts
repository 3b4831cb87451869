import { compareText, keyId } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import type { Firing, Window } from './firings.ts';

/** The minute of a window in which the most runs start; the first one of several. */
export interface Peak {
  readonly at: Instant;
  readonly starts: number;
}

export interface PeakChange {
  /** The repository or cluster that is worked on; absent for everything together. */
  readonly lane?: ObjectKey;
  readonly before: Peak | undefined;
  readonly after: Peak | undefined;
}

const MINUTE = 60;

/** Starts per minute of a window. A firing whose minute is not known yet counts where it is the earliest. */
export interface StartCounts {
  /** @param runs how many runs each firing starts */
  readonly add: (firings: readonly Firing[], runs: number, lanes: readonly ObjectKey[]) => void;
  readonly peak: (lane?: string) => Peak | undefined;
  readonly lanes: () => ReadonlyMap<string, ObjectKey>;
}

function countMinutes(minutes: Uint32Array, first: number, firings: readonly Firing[], runs: number): void {
  for (const { slot } of firings) {
    const at = Math.floor(slot / MINUTE) - first;
    minutes[at] = (minutes[at] ?? 0) + runs;
  }
}

function highest(minutes: Uint32Array | undefined, first: number): Peak | undefined {
  let best = -1;
  let starts = 0;
  minutes?.forEach((count, index) => {
    if (count <= starts) return;
    best = index;
    starts = count;
  });
  return best < 0 ? undefined : { at: instant((first + best) * MINUTE), starts };
}

export function startCounts({ now, until }: Window): StartCounts {
  const first = Math.floor(now / MINUTE);
  const size = Math.floor(until / MINUTE) - first + 1;
  const all = new Uint32Array(size);
  const byLane = new Map<string, Uint32Array>();
  const lanes = new Map<string, ObjectKey>();
  function minutesOf(lane: ObjectKey): Uint32Array {
    const id = keyId(lane);
    const known = byLane.get(id) ?? new Uint32Array(size);
    byLane.set(id, known);
    lanes.set(id, lane);
    return known;
  }
  return {
    add: (firings, runs, wanted) => {
      countMinutes(all, first, firings, runs);
      for (const lane of wanted) countMinutes(minutesOf(lane), first, firings, runs);
    },
    peak: (lane) => highest(lane === undefined ? all : byLane.get(lane), first),
    lanes: () => lanes,
  };
}

/** The peak of everything always, that of a lane where it is higher or lower than before. */
export function peakChanges(before: StartCounts, after: StartCounts): readonly PeakChange[] {
  const lanes = new Map([...before.lanes(), ...after.lanes()]);
  const changed = [...lanes]
    .sort(([a], [b]) => compareText(a, b))
    .map(([id, lane]): PeakChange => ({ lane, before: before.peak(id), after: after.peak(id) }))
    .filter((one) => one.before?.starts !== one.after?.starts);
  return [{ before: before.peak(), after: after.peak() }, ...changed];
}
