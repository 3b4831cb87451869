import { isObject, textMember } from '#core/object/canonical.ts';
import type { Json, JsonObject, KubeObject } from '#core/object/object.ts';
import { readTimeValue, type TimeField } from '#core/object/time-field.ts';
import { parseDuration } from '#core/time/duration.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import type { Effective } from './defaults.ts';

/** A slot of the status as it was read; `cron`, `timezone` and `jitter` stand on the pin only. */
export interface SlotField {
  readonly at: TimeField;
  readonly cron?: string | undefined;
  readonly timezone?: string | undefined;
  readonly jitter?: string | undefined;
  /** The whole field. */
  readonly value: JsonObject;
}

type SlotName = 'lastSchedule' | 'nextSchedule' | 'lastSuccessfulSchedule' | 'lastFailedSchedule';

/** Undefined where the field is absent or null; `scheduledAt` is read for `at` (snapshot-schedule.md 1.2). */
export function slotField(status: Json | undefined, name: SlotName): SlotField | undefined {
  const value = isObject(status) ? status[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) return { at: readTimeValue(value), value: {} };
  return {
    at: readTimeValue(value.at ?? value.scheduledAt),
    cron: textMember(value, 'cron'),
    timezone: textMember(value, 'timezone'),
    jitter: textMember(value, 'jitter'),
    value,
  };
}

export function instantOf(field: SlotField | undefined): Instant | undefined {
  return field?.at.state === 'read' ? field.at.at : undefined;
}

/** D16: as written, before H, with single blanks. */
function recordedCron(cron: string): string {
  return cron.trim().split(/\s+/).join(' ');
}

/** Why a recorded pin no longer holds; an absent value counts as unchanged (snapshot-schedule.md 2.4). */
export function whatChanged(
  pin: SlotField,
  cron: string,
  effective: Effective,
): 'cron' | 'timezone' | 'jitter' | undefined {
  if (pin.cron !== undefined && recordedCron(pin.cron) !== recordedCron(cron)) return 'cron';
  if (pin.timezone !== undefined && pin.timezone !== effective.zone) return 'timezone';
  const window = pin.jitter === undefined ? undefined : parseDuration(pin.jitter);
  return window !== undefined && window !== effective.jitterSeconds ? 'jitter' : undefined;
}

/** The pin as it is recorded: with everything that may invalidate it. */
export function pinRecord(at: Instant, cron: string, { zone, jitter }: Effective): JsonObject {
  return {
    at: formatInstant(at),
    cron: recordedCron(cron),
    timezone: zone,
    ...(jitter === undefined ? {} : { jitter }),
  };
}

/** Fires at once, once, and only while nothing was ever pinned or fired (snapshot-schedule.md 2.3). */
export function isArmed(object: KubeObject): boolean {
  return (
    slotField(object.status, 'nextSchedule') === undefined &&
    slotField(object.status, 'lastSchedule') === undefined
  );
}
