import { type Instant, instant } from '#core/time/instant.ts';
import type { Zone } from '#core/time/zone.ts';
import { type CalendarDay, secondOfDay } from '#core/timeline/days.ts';
import type { Piece, SlotBand } from '#core/timeline/pieces.ts';
import { pieceLook } from './piece-text.ts';
import { heaviest, type SlotLook } from './slot-words.ts';

/** What stands at one place of a line of text. */
export interface DayCell {
  readonly looks: readonly SlotLook[];
  readonly count: number;
  /** Some slot lies somewhere around here. */
  readonly ranged: boolean;
}

const DAY = 86_400;
const NOTHING: DayCell = { looks: [], count: 0, ranged: false };
/** Heavier than this a fate is shown even where other slots stand with it. */
const ORDINARY = 2;

/** The slots of a band: even ones as they are, others spread over its time. */
function bandSlots({ slot, last, count }: SlotBand): readonly Instant[] {
  const gap = count > 1 ? (last - slot) / (count - 1) : 0;
  return [...Array(count).keys()].map((index) => instant(slot + Math.round(index * gap)));
}

/** The day of one schedule as `width` places of equal length on the local clock. */
export function dayCells(
  pieces: readonly Piece[],
  { from, end }: CalendarDay,
  { zone, width }: { readonly zone: Zone; readonly width: number },
): readonly DayCell[] {
  const cells: DayCell[] = Array.from({ length: width }, () => NOTHING);
  const placeOf = (at: Instant): number =>
    Math.min(width - 1, Math.floor((secondOfDay(zone, at) * width) / DAY));
  const put = (index: number, look: SlotLook, ranged: boolean): void => {
    const { looks, count, ranged: was } = cells[index] ?? NOTHING;
    cells[index] = { looks: [...looks, look], count: count + 1, ranged: was || ranged };
  };
  const fill = (start: Instant, until: Instant, look: SlotLook): void => {
    const last = until >= end ? width - 1 : placeOf(until);
    for (let index = placeOf(start); index <= last; index += 1) put(index, look, true);
  };
  for (const piece of pieces) {
    const look = pieceLook(piece);
    switch (piece.shape) {
      case 'mark':
        if (piece.until === undefined) put(placeOf(piece.slot), look, false);
        else fill(piece.slot, piece.until, look);
        break;
      case 'band':
        if (piece.provisional) fill(piece.slot, piece.last, look);
        else for (const slot of bandSlots(piece)) put(placeOf(slot), look, false);
        break;
      case 'rest':
        fill(from, piece.until, look);
        break;
    }
  }
  return cells;
}

/** One character: a letter, a number of slots, `#` for ten and more, `~` inside of a range. */
export function cellText({ looks, count, ranged }: DayCell): {
  readonly character: string;
  readonly tone: SlotLook['tone'];
} {
  if (count === 0) return { character: '·', tone: 'faint' };
  const { letter, tone, weight } = heaviest(looks);
  if (ranged) return { character: '~', tone };
  if (count === 1 || weight > ORDINARY) return { character: letter, tone };
  return { character: count > 9 ? '#' : String(count), tone };
}
