import { type ObjectDocument, toObjectDocument } from '#core/change/change-document.ts';
import type { ForecastSlot, ScheduleForecast } from '#core/forecast.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';

export interface ForecastSlotDocument {
  readonly slot: string;
  readonly local: string;
  /** Seconds east of UTC. */
  readonly offset: number;
  /** The slot without its jitter. */
  readonly base?: string;
  /** The slot lies between `slot` and this, and is fixed once the object has a uid. */
  readonly until?: string;
  readonly note?: string;
}

/** The published form of what `next` shows. */
export interface ForecastDocument {
  readonly formatVersion: 1;
  readonly now: string;
  readonly schedules: readonly (ObjectDocument & {
    readonly timeZone: string | null;
    readonly suspended: boolean;
    readonly observed: boolean;
    readonly slots: readonly ForecastSlotDocument[];
    readonly why?: string;
  })[];
}

export function toForecastSlotDocument({ slot, base, until, ...rest }: ForecastSlot): ForecastSlotDocument {
  return {
    slot: formatInstant(slot),
    ...rest,
    ...(base === undefined ? {} : { base: formatInstant(base) }),
    ...(until === undefined ? {} : { until: formatInstant(until) }),
  };
}

export function toForecastDocument(schedules: readonly ScheduleForecast[], now: Instant): ForecastDocument {
  return {
    formatVersion: 1,
    now: formatInstant(now),
    schedules: schedules.map(({ type, key, zone, suspended, observed, slots, why }) => ({
      ...toObjectDocument(apiVersionOf(type), key),
      timeZone: zone?.name ?? null,
      suspended,
      observed,
      slots: slots.map(toForecastSlotDocument),
      ...(why === undefined ? {} : { why }),
    })),
  };
}
