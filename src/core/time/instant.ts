declare const instantBrand: unique symbol;

/** Whole seconds since 1970-01-01T00:00:00Z. */
export type Instant = number & { readonly [instantBrand]: 'Instant' };

/** Years 1 to 9999: what RFC 3339 can write and the API can carry. */
const MIN_SECONDS = -62_135_596_800;
const MAX_SECONDS = 253_402_300_799;

/** @param seconds whole or fractional seconds since the epoch; a fraction is dropped towards the past */
export function instant(seconds: number): Instant {
  return Math.floor(seconds) as Instant;
}

/** The later of two, or the one that there is. */
export function later(a: Instant, b: Instant | undefined): Instant;
export function later(a: Instant | undefined, b: Instant | undefined): Instant | undefined;
export function later(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d{2}:\d{2})$/;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (MONTH_DAYS[month - 1] ?? 0);
}

/** Days since 1970-01-01 of a proleptic Gregorian date. */
function epochDays(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

type CivilDate = readonly [year: number, month: number, day: number];
type ClockTime = readonly [hour: number, minute: number, second: number];

/** Seconds since the epoch of a civil time in UTC; NaN if there is no such time. */
function utcSeconds(date: CivilDate, time: ClockTime): number {
  const [year, month, day] = date;
  const [hour, minute, second] = time;
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return Number.NaN;
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return Number.NaN;
  return epochDays(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
}

function offsetSeconds(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/** Two digits at an index; NaN for anything else. */
function twoDigits(text: string, index: number): number {
  const tens = text.charCodeAt(index) - 48;
  const ones = text.charCodeAt(index + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** Whether the separators stand as in `2026-11-29T03:00:00Z`. */
function isPlain(text: string): boolean {
  const isDate = text[4] === '-' && text[7] === '-' && text[10] === 'T';
  return isDate && text[13] === ':' && text[16] === ':' && text[19] === 'Z';
}

/** The form that the API writes, read without a regular expression: a tick reads two of them in every object. */
function plainSeconds(text: string): number {
  if (!isPlain(text)) return Number.NaN;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const date: CivilDate = [year, twoDigits(text, 5), twoDigits(text, 8)];
  return utcSeconds(date, [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)]);
}

/**
 * Reads every RFC 3339 form; a fraction of a second is dropped towards the past.
 * @returns undefined for anything else: other shapes, dates that do not exist, years outside 1 to 9999
 */
export function parseInstant(text: string): Instant | undefined {
  const plain = text.length === 20 ? plainSeconds(text) : Number.NaN;
  if (plain >= MIN_SECONDS) return plain as Instant;
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index]);
  const offset = offsetSeconds(match[8] ?? '') ?? Number.NaN;
  const seconds = utcSeconds([part(1), part(2), part(3)], [part(4), part(5), part(6)]) - offset;
  return seconds >= MIN_SECONDS && seconds <= MAX_SECONDS ? (seconds as Instant) : undefined;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** RFC 3339 in UTC with whole seconds, for example `2026-11-29T03:00:00Z`. */
export function formatInstant(at: Instant): string {
  const days = Math.floor(at / 86_400);
  const rest = at - days * 86_400;
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const clock = `${pad(Math.floor(rest / 3600), 2)}:${pad(Math.floor((rest % 3600) / 60), 2)}:${pad(rest % 60, 2)}`;
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${clock}Z`;
}
