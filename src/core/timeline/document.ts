import { type ObjectDocument, toObjectDocument } from '#core/change/change-document.ts';
import type { VerdictCode } from '#core/change/verdict.ts';
import { apiVersionOf } from '#core/object/resource.ts';
import type { RunPhase } from '#core/run/phase.ts';
import { formatInstant, type Instant } from '#core/time/instant.ts';
import { formatLocal, type Zone } from '#core/time/zone.ts';
import type { SlotBand, SlotCount, SlotMark } from '#core/timeline/pieces.ts';
import type { SlotCode } from '#core/timeline/slots.ts';
import type { MinuteStarts, Peak } from '#core/timeline/starts.ts';
import type { Timeline, TimelineRow } from '#core/timeline/timeline.ts';

export interface TimelineSlotDocument {
  readonly slot: string;
  /** In the schedule's zone. */
  readonly local: string;
  readonly code: SlotCode;
  readonly phase?: RunPhase;
  readonly runs?: readonly string[];
  /** The slot that stands for it. */
  readonly by?: string;
  /** The slot without its jitter. */
  readonly base?: string;
  /** The slot lies between `slot` and this. */
  readonly until?: string;
  readonly note?: string;
  /** What an event says of a slot that has no run. */
  readonly told?: { readonly reason: string; readonly note: string };
}

/** Slots of one day that lie close together. */
export interface TimelineBandDocument {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly stepSeconds?: number;
  readonly counts: readonly SlotCount[];
  /** They lie somewhere in this time, and are fixed once the object has a uid. */
  readonly provisional?: true;
}

interface StartsDocument {
  /** Minute of the day in the zone of the calendar, `03:00`. */
  readonly minute: string;
  /** The most on one day. */
  readonly most: number;
  readonly at: string;
  /** On all days of the window. */
  readonly total: number;
}

/** The published form of what `timeline` shows. */
export interface TimelineDocument {
  readonly formatVersion: 1;
  readonly now: string;
  readonly from: string;
  /** The first instant behind the window. */
  readonly end: string;
  /** Of the calendar. */
  readonly timeZone: string;
  readonly schedules: readonly (ObjectDocument & {
    readonly verdict: VerdictCode;
    readonly expression: string | null;
    readonly timeZone: string | null;
    readonly suspended: boolean;
    readonly observed: boolean;
    readonly count: number;
    readonly slots: readonly TimelineSlotDocument[];
    readonly bands: readonly TimelineBandDocument[];
    readonly notes: readonly string[];
    readonly why?: string;
  })[];
  readonly starts: {
    readonly total: number;
    readonly most: number;
    /** Slots that are known as a range only and not counted. */
    readonly unplaced: number;
    readonly peaks: readonly (StartsDocument & { readonly schedules: readonly PeakSchedule[] })[];
    /** Minutes in which nothing starts are left out. */
    readonly minutes: readonly StartsDocument[];
  };
}

interface PeakSchedule {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** `03:05`, of minutes since midnight. */
export function minuteText(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

function optional<T>(name: string, value: T | undefined): Readonly<Record<string, T>> {
  return value === undefined ? {} : { [name]: value };
}

function timeOf(at: Instant | undefined): string | undefined {
  return at === undefined ? undefined : formatInstant(at);
}

function toSlot({ slot, code, ...mark }: SlotMark, zone: Zone): TimelineSlotDocument {
  return {
    slot: formatInstant(slot),
    local: formatLocal(zone, slot),
    code,
    ...optional('phase', mark.phase),
    ...optional('runs', mark.runs),
    ...optional('by', timeOf(mark.by)),
    ...optional('base', timeOf(mark.base)),
    ...optional('until', timeOf(mark.until)),
    ...optional('note', mark.note),
    ...optional('told', mark.told),
  };
}

function toBand({ slot, last, count, step, counts, provisional }: SlotBand): TimelineBandDocument {
  return {
    from: formatInstant(slot),
    to: formatInstant(last),
    count,
    ...optional('stepSeconds', step),
    counts,
    ...(provisional ? { provisional } : {}),
  };
}

function toSchedule(row: TimelineRow, calendarZone: Zone): TimelineDocument['schedules'][number] {
  const { type, key, verdict, expression, suspended, observed, count, notes, why } = row;
  const zone = row.zone ?? calendarZone;
  const pieces = row.days.flat();
  return {
    ...toObjectDocument(apiVersionOf(type), key),
    verdict,
    expression: expression ?? null,
    timeZone: row.zone?.name ?? null,
    suspended,
    observed,
    count,
    slots: pieces.flatMap((piece) => (piece.shape === 'mark' ? [toSlot(piece, zone)] : [])),
    bands: pieces.flatMap((piece) => (piece.shape === 'band' ? [toBand(piece)] : [])),
    notes,
    ...(why === undefined ? {} : { why }),
  };
}

function toStarts({ most, at, total }: MinuteStarts, minute: number): StartsDocument {
  return { minute: minuteText(minute), most, at: formatInstant(at), total };
}

function toPeak(peak: Peak): TimelineDocument['starts']['peaks'][number] {
  const schedules = peak.schedules.map(({ kind, namespace, name }) => ({ kind, namespace, name }));
  return { ...toStarts(peak, peak.minute), schedules };
}

export function toTimelineDocument({ now, from, end, zone, rows, starts }: Timeline): TimelineDocument {
  const { total, most, unplaced, peaks, minutes } = starts;
  return {
    formatVersion: 1,
    now: formatInstant(now),
    from: formatInstant(from),
    end: formatInstant(end),
    timeZone: zone.name,
    schedules: rows.map((row) => toSchedule(row, zone)),
    starts: {
      total,
      most,
      unplaced,
      peaks: peaks.map(toPeak),
      minutes: minutes.flatMap((found, minute) => (found === undefined ? [] : [toStarts(found, minute)])),
    },
  };
}
