import type { ScheduleChanges } from '#core/change/change-set.ts';
import type { ScheduleKind, Settings } from '#core/kind.ts';
import type { Observed } from '#core/observed.ts';
import type { RunEnd } from '#core/run/lifecycle.ts';
import type { ExtendedDays } from '#core/slot/extended-days.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Zone } from '#core/time/zone.ts';
import type { Agenda } from './agenda.ts';
import type { Durations, RunDuration } from './duration.ts';
import type { Ledger } from './ledger.ts';
import type { Orders, PlayedOrders } from './orders/orders.ts';
import type { RunChange, World } from './world.ts';

export interface SimulationInput {
  readonly observed: Observed;
  readonly kinds: readonly ScheduleKind[];
  readonly settings: Settings;
  readonly extend?: ExtendedDays;
  /** Ticks from here on, before `until`. */
  readonly from: Instant;
  readonly until: Instant;
  /** The second of the minute at which ticks start. */
  readonly tickOffsetSeconds: number;
  readonly durations: Durations;
  /** How every run comes out. */
  readonly end: RunEnd;
  /** Orders that are carried out beside the schedules, and those that schedules make. */
  readonly played?: PlayedOrders;
}

/** A schedule on its way through the simulation. */
export interface Line {
  /** What the first tick wanted for it. */
  readonly changes: ScheduleChanges;
  readonly ledger: Ledger;
  readonly duration: RunDuration | undefined;
  zone: Zone | undefined;
}

/** When a run is over. */
export interface Ending {
  /** `typeId` of the run. */
  readonly type: string;
  readonly id: string;
  readonly uid: string | undefined;
  readonly at: Instant;
  /** The schedule that it counts for. */
  readonly line: Line | undefined;
}

/** Everything that changes on the way. */
export interface Course {
  readonly input: SimulationInput;
  readonly world: World;
  readonly agenda: Agenda;
  readonly lines: ReadonlyMap<string, Line>;
  /** Schedules by the keys under which they look for runs. */
  readonly watchers: Map<string, Set<string>>;
  /** By the type of runs: schedules with a slot that waits, which any run may concern. */
  readonly waiting: Map<string, Set<string>>;
  /** By the tick that sees them. */
  readonly endings: Map<Instant, Ending[]>;
  /** The first tick at or after an instant. */
  readonly tickAt: (at: Instant) => Instant;
  readonly orders: Orders | undefined;
}

export function watchKey(type: string, key: string): string {
  return `${type} ${key}`;
}

export function addTo<K>(sets: Map<K, Set<string>>, key: K, id: string): void {
  const ids = sets.get(key);
  if (ids === undefined) sets.set(key, new Set([id]));
  else ids.add(id);
}

/** Whoever looks at these runs does so in the tick. */
export function wakeWatchers(
  { watchers, waiting, agenda }: Pick<Course, 'watchers' | 'waiting' | 'agenda'>,
  changes: readonly RunChange[],
  tick: Instant,
): void {
  for (const { type, keys } of changes) {
    const concerned = keys.flatMap((key) => [...(watchers.get(watchKey(type, key)) ?? [])]);
    for (const id of [...concerned, ...(waiting.get(type) ?? [])]) agenda.wake(id, tick);
  }
}

export function planEnding({ endings, tickAt }: Pick<Course, 'endings' | 'tickAt'>, ending: Ending): void {
  const tick = tickAt(ending.at);
  const known = endings.get(tick);
  if (known === undefined) endings.set(tick, [ending]);
  else known.push(ending);
}
