import { type Instant, instant } from '#core/time/instant.ts';

const MINUTE = 60;

/** The instants at which ticks start: one a minute, always at the same second. */
export interface Grid {
  /** The first tick at or after an instant. */
  readonly tickAt: (at: Instant) => Instant;
  readonly after: (tick: Instant) => Instant;
}

export function minuteGrid(offsetSeconds: number): Grid {
  return {
    tickAt: (at) => instant(Math.ceil((at - offsetSeconds) / MINUTE) * MINUTE + offsetSeconds),
    after: (tick) => instant(tick + MINUTE),
  };
}

/** Which schedules are looked at in which tick. */
export interface Agenda {
  /** Not later than that, unless it is sooner already. */
  readonly wake: (id: string, tick: Instant) => void;
  /** Those whose turn it is, in a fixed order; they are off the agenda then. */
  readonly take: (tick: Instant) => ReadonlySet<string>;
}

export function openAgenda(): Agenda {
  const turns = new Map<string, Instant>();
  const byTick = new Map<Instant, Set<string>>();
  return {
    wake(id, tick) {
      const known = turns.get(id);
      if ((known !== undefined && known <= tick) || !Number.isFinite(tick)) return;
      turns.set(id, tick);
      const ids = byTick.get(tick);
      if (ids === undefined) byTick.set(tick, new Set([id]));
      else ids.add(id);
    },
    take(tick) {
      const ids = [...(byTick.get(tick) ?? [])].filter((id) => turns.get(id) === tick).sort();
      byTick.delete(tick);
      for (const id of ids) turns.delete(id);
      return new Set(ids);
    },
  };
}
