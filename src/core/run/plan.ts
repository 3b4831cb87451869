import type { KubeObject } from '#core/object/object.ts';

/** A run that a slot wants, for one of its targets. */
export interface PlannedRun {
  /** Empty where a slot has one run. */
  readonly target: string;
  readonly name: string;
  /** Built when it is really to be created. */
  readonly build: () => KubeObject;
}

/** A target for which nothing can be started now; the slot stays owed. */
export interface Blocker {
  readonly code: 'held' | 'unreadable';
  readonly target: string;
  /** One sentence for people. */
  readonly what: string;
}

/** A target that gets no run for this slot, which is settled without it. */
export interface Omission {
  /** The kind's own word. */
  readonly reason: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly target: string;
  readonly what: string;
}

/** Everything that one slot wants started. */
export interface RunPlan {
  /** In the order in which they are created. */
  readonly runs: readonly PlannedRun[];
  readonly blocked: readonly Blocker[];
  readonly omitted: readonly Omission[];
}

/** A target whose run is not created now: its name is another's or not free yet, a referent or a budget stops it. */
export type Unmet =
  | { readonly state: 'taken'; readonly target: string; readonly name: string }
  | { readonly state: 'leaving'; readonly target: string; readonly name: string }
  | { readonly state: 'deferred'; readonly target: string; readonly name: string; readonly budget: string }
  | { readonly state: 'blocked'; readonly target: string; readonly blocker: Blocker };

/** The plan of a slot that has exactly one run. */
export function oneRun(name: string, build: () => KubeObject): RunPlan {
  return { runs: [{ target: '', name, build }], blocked: [], omitted: [] };
}
