import type { Instant } from '#core/time/instant.ts';
import { formatInstant } from '#core/time/instant.ts';
import { type CalendarDay, secondOfDay } from '#core/timeline/days.ts';
import type { Piece, SlotBand } from '#core/timeline/pieces.ts';
import type { Timeline, TimelineRow } from '#core/timeline/timeline.ts';
import { markup } from '#render/escape-markup.ts';
import { momentText } from '#render/moment-text.ts';
import { pieceDetail, pieceLook } from './piece-text.ts';
import type { SlotLook } from './slot-words.ts';

const DAY = 86_400;
const HIGH = 14;

/** Where a day of a row is drawn; `y` is the middle. */
export interface DayBox {
  readonly day: CalendarDay;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function at(box: DayBox, second: number): number {
  return Math.round((box.x + (second * box.width) / DAY) * 10) / 10;
}

function ends(until: Instant, { day }: DayBox, { zone }: Timeline): number {
  return until >= day.end ? DAY : secondOfDay(zone, until);
}

/** `Mon 2026-11-30 03:00 UTC: to come`, for those who point at it or have it read. */
function titleOf(piece: Piece, row: TimelineRow): string {
  if (piece.shape === 'rest') return '';
  const last = piece.shape === 'band' ? ` to ${momentText(piece.last, row.zone)}` : '';
  const detail = pieceDetail(piece, row);
  const said = `${momentText(piece.slot, row.zone)}${last}: ${pieceLook(piece).label}`;
  return `<title>${markup(detail === '' ? said : `${said}; ${detail}`)}</title>`;
}

function isHollow({ id }: SlotLook): boolean {
  return id === 'foretold' || id === 'observed' || id === 'suspended' || id === 'settled';
}

/** A disc with its letter, or a square or rhomb where the tone is a warning or bad. */
export function markShape(look: SlotLook, x: number, y: number): string {
  const { id, tone, letter } = look;
  const hollow = isHollow(look);
  const kind = hollow ? `mark hollow look-${id} tone-${tone}` : `mark tone-${tone}`;
  const text = `<text class="letter${hollow ? ` on-hollow tone-${tone}` : ''}" x="${x}" y="${y + 3.5}">${letter}</text>`;
  const shape =
    tone === 'bad'
      ? `<path class="${kind}" d="M${x - 8} ${y}l8 -8l8 8l-8 8z"/>`
      : tone === 'warning'
        ? `<rect class="${kind}" x="${x - 7}" y="${y - 7}" width="14" height="14" rx="2"/>`
        : `<circle class="${kind}" cx="${x}" cy="${y}" r="6"/>`;
  return id === 'foretold' ? shape : shape + text;
}

function bar(kind: string, from: number, to: number, y: number): string {
  return `<rect class="${kind}" x="${from}" y="${y - HIGH / 2}" width="${Math.max(4, Math.round((to - from) * 10) / 10)}" height="${HIGH}" rx="3"/>`;
}

export function svgPiece(piece: Piece, row: TimelineRow, box: DayBox, timeline: Timeline): string {
  const look = pieceLook(piece);
  const { zone } = timeline;
  if (piece.shape === 'rest') return bar('range', box.x, at(box, ends(piece.until, box, timeline)), box.y);
  const from = at(box, secondOfDay(zone, piece.slot));
  const title = titleOf(piece, row);
  if (piece.shape === 'mark') {
    const shape =
      piece.until === undefined
        ? markShape(look, from, box.y)
        : bar('range', from, at(box, ends(piece.until, box, timeline)), box.y);
    return `<g data-slot="${formatInstant(piece.slot)}">${title}${shape}</g>`;
  }
  return `<g data-slot="${formatInstant(piece.slot)}">${title}${bandShape(piece, look, [from, at(box, ends(piece.last, box, timeline))], box.y)}</g>`;
}

/** A bar with the number of slots, and their letter where there is room. */
function bandShape(
  { count, provisional }: SlotBand,
  look: SlotLook,
  [from, end]: readonly [from: number, end: number],
  y: number,
): string {
  const { id, tone, letter } = look;
  const to = Math.max(from + 18, end);
  const hollow = id !== 'foretold' && isHollow(look);
  const kind = provisional ? 'range' : hollow ? `mark hollow look-${id} tone-${tone}` : `mark tone-${tone}`;
  const ink = provisional || hollow ? `letter on-hollow tone-${tone}` : 'letter';
  const said = id === 'foretold' || to - from < 36 ? String(count) : `${letter} ${count}`;
  const middle = Math.round((from + to) * 5) / 10;
  return `${bar(kind, from, to, y)}<text class="${ink}" x="${middle}" y="${y + 3.5}">${said}</text>`;
}
