import { formatInstant, type Instant, instant } from '#core/time/instant.ts';
import { offsetAt, type Zone } from '#core/time/zone.ts';
import { escapeText } from '#render/escape-text.ts';

const WEEKDAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'] as const;
const DAY = 86_400;

interface Civil {
  readonly day: string;
  readonly date: string;
  readonly clock: string;
}

/** @param dayNumber counts from 1970-01-01 on, which was a Thursday; earlier days are negative */
export function weekdayOf(dayNumber: number): string {
  return WEEKDAYS[((dayNumber % 7) + 7) % 7] ?? '';
}

function civil(at: Instant, offset: number): Civil {
  const local = instant(at + offset);
  const text = formatInstant(local);
  const seconds = text.slice(17, 19);
  return {
    day: weekdayOf(Math.floor(local / DAY)),
    date: text.slice(0, 10),
    clock: seconds === '00' ? text.slice(11, 16) : text.slice(11, 19),
  };
}

function offsetText(offset: number): string {
  const minutes = Math.trunc(Math.abs(offset) / 60);
  const parts = [Math.trunc(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${offset < 0 ? '-' : '+'}${parts.join(':')}`;
}

/** Whether local times and UTC are the same for good. */
export function isUtc(zone: Zone | undefined): boolean {
  return zone === undefined || /^(Etc\/)?(UTC|UCT|Universal|Zulu)$/.test(zone.name);
}

/** `Sun 2026-11-29 03:00 UTC`. */
export function utcText(at: Instant): string {
  const { day, date, clock } = civil(at, 0);
  return `${day} ${date} ${clock} UTC`;
}

/** `Sun 2026-11-29 04:00 +01:00`: with the offset, because a repeated hour has every time twice. */
export function localText(at: Instant, zone: Zone): string {
  const offset = offsetAt(zone, at);
  const { day, date, clock } = civil(at, offset);
  return `${day} ${date} ${clock} ${offsetText(offset)}`;
}

/** In the zone and in UTC: `Sun 2026-11-29 04:00 +01:00 Europe/Berlin (03:00 UTC)`; the UTC day only where it differs. */
export function momentText(at: Instant, zone: Zone | undefined): string {
  if (zone === undefined || isUtc(zone)) return utcText(at);
  const utc = civil(at, 0);
  const sameDay = civil(at, offsetAt(zone, at)).date === utc.date;
  const inUtc = sameDay ? utc.clock : `${utc.day} ${utc.date} ${utc.clock}`;
  return `${localText(at, zone)} ${escapeText(zone.name)} (${inUtc} UTC)`;
}

/** The time of day alone, in the zone: `02:35`. */
export function clockText(at: Instant, zone: Zone | undefined): string {
  return civil(at, zone === undefined ? 0 : offsetAt(zone, at)).clock;
}
