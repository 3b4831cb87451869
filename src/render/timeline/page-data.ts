import { type Instant, instant } from '#core/time/instant.ts';
import { offsetAt, transitionsBetween, type Zone } from '#core/time/zone.ts';
import type { Piece, SlotMark } from '#core/timeline/pieces.ts';
import type { Timeline, TimelineRow } from '#core/timeline/timeline.ts';
import { escapeJson } from '#render/escape-json.ts';
import { escapeText } from '#render/escape-text.ts';
import { pieceDetail, pieceLook } from './piece-text.ts';
import { LOOKS } from './slot-words.ts';

/*
 * What the script of the page draws from. Times are seconds behind the start of the window. A piece is a list: time
 * and look of a slot, then the index of a text or -1; a fourth number ends a range, a fifth is the number of slots of
 * a band, or 0 for the end of a range of an earlier day. Where a sixth stands, it is the seconds of jitter of a slot,
 * and null stands for those between. Whatever is left out at the end says nothing.
 */

type PieceData = readonly (number | null)[];

interface ZoneData {
  readonly name: string;
  /** Pairs: from when on, and seconds east of UTC. */
  readonly offsets: readonly (readonly [from: number, offset: number])[];
}

export interface PageData {
  /** Seconds since 1970. */
  readonly from: number;
  readonly now: number;
  /** The first one is that of the calendar. */
  readonly zones: readonly ZoneData[];
  /** Class, words and tone of each look. */
  readonly looks: readonly (readonly [id: string, letter: string, label: string, tone: string])[];
  readonly texts: readonly string[];
  /** Where each day begins and ends. */
  readonly days: readonly (readonly [from: number, end: number])[];
  readonly rows: readonly { readonly zone: number; readonly days: readonly (readonly PieceData[])[] }[];
  /** Minute of the day, most starts, when that is, and all starts of the window. */
  readonly minutes: readonly (readonly [minute: number, most: number, at: number, total: number])[];
}

/** Gives each value the index of its first use. */
function indexer<T>(values: T[]): (value: T) => number {
  const known = new Map<T, number>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    known.set(value, values.length);
    values.push(value);
    return values.length - 1;
  };
}

function zoneData(zone: Zone, { from, end }: Timeline): ZoneData {
  const day = 86_400;
  const start = instant(from - day);
  const changes = transitionsBetween(zone, start, instant(end + day));
  return {
    name: escapeText(zone.name),
    offsets: [[-day, offsetAt(zone, start)], ...changes.map(({ at, after }) => [at - from, after] as const)],
  };
}

function withoutBase({ base: _base, ...mark }: SlotMark): SlotMark {
  return mark;
}

function markEnd({ slot, until, base }: SlotMark, text: number, since: (at: Instant) => number): PieceData {
  if (until !== undefined) return [text, since(until)];
  if (base !== undefined) return [text, null, null, slot - base];
  return text < 0 ? [] : [text];
}

export function pageData(timeline: Timeline): PageData {
  const { from, now, days, rows, starts } = timeline;
  const texts: string[] = [];
  const zones: Zone[] = [];
  const textIndex = indexer(texts);
  const zoneIndex = indexer(zones);
  zoneIndex(timeline.zone);
  const since = (at: Instant): number => at - from;
  const lookIndex = new Map(LOOKS.map((look, index) => [look.id, index]));
  const textOf = (piece: Piece, row: TimelineRow): number => {
    // Jitter differs from slot to slot: as a text it would make the page large.
    const detail = pieceDetail(piece.shape === 'mark' ? withoutBase(piece) : piece, row);
    return detail === '' ? -1 : textIndex(detail);
  };
  const toPiece = (piece: Piece, row: TimelineRow, day: Instant): PieceData => {
    const look = lookIndex.get(pieceLook(piece).id) ?? 0;
    const text = textOf(piece, row);
    switch (piece.shape) {
      case 'mark':
        return [since(piece.slot), look, ...markEnd(piece, text, since)];
      case 'band':
        return [since(piece.slot), look, text, since(piece.last), piece.count];
      case 'rest':
        return [since(day), look, -1, since(piece.until), 0];
    }
  };
  const rowData = rows.map((row) => ({
    zone: row.zone === undefined ? 0 : zoneIndex(row.zone),
    days: row.days.map((pieces, index) =>
      pieces.map((piece) => toPiece(piece, row, days[index]?.from ?? from)),
    ),
  }));
  return {
    from,
    now: since(now),
    zones: zones.map((zone) => zoneData(zone, timeline)),
    looks: LOOKS.map(({ id, letter, label, tone }) => [id, letter, label, tone]),
    texts,
    days: days.map((day) => [since(day.from), since(day.end)]),
    rows: rowData,
    minutes: starts.minutes.flatMap((minute, index) =>
      minute === undefined ? [] : [[index, minute.most, since(minute.at), minute.total] as const],
    ),
  };
}

/** JSON that is inert inside a script element: it can neither end it nor begin a comment. */
export function inertJson(value: unknown): string {
  return escapeJson(JSON.stringify(value)).replace(
    /[<>&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
