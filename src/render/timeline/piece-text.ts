import type { Piece, SlotBand, SlotCount, SlotMark } from '#core/timeline/pieces.ts';
import type { SlotCode } from '#core/timeline/slots.ts';
import type { Timeline, TimelineRow } from '#core/timeline/timeline.ts';
import { escapeText } from '#render/escape-text.ts';
import { clockText, momentText } from '#render/moment-text.ts';
import { listed, plural } from '#render/plural.ts';
import { spanText } from '#render/span-text.ts';
import { pauseText } from './row-text.ts';
import { heaviest, LOOKS, lookOf, type SlotLook } from './slot-words.ts';

export function pieceLook(piece: Piece): SlotLook {
  switch (piece.shape) {
    case 'mark':
      return lookOf(piece.code, piece.phase);
    case 'band':
      return heaviest(piece.counts.map(({ code, phase }) => lookOf(code, phase)));
    case 'rest':
      return lookOf(piece.code);
  }
}

/** Only the looks that are seen, in the order of a legend. */
export function usedLooks({ rows }: Timeline): readonly SlotLook[] {
  const used = new Set(rows.flatMap(({ days }) => days.flat()).map((piece) => pieceLook(piece).id));
  return LOOKS.filter(({ id }) => used.has(id));
}

/** What the bars of a picture are, where there are some. */
export function barsText({ rows }: Timeline): string | undefined {
  const isThere = rows.some(({ days }) => days.flat().some(({ shape }) => shape === 'band'));
  return isThere ? 'a bar with a number: that many slots' : undefined;
}

/** What the runs of a slot are to it. */
function runsText({ code, runs = [], phase }: SlotMark): readonly string[] {
  if (runs.length === 0) return [];
  const names = listed(runs.map(escapeText));
  const word = runs.length === 1 ? 'run' : 'runs';
  if (code === 'ran' && phase !== undefined) return [`${word} ${names} (${phase})`];
  if (code === 'held') return [`by ${names}`];
  return [code === 'fired' ? `it would start ${word} ${names}` : `${word} ${names}`];
}

function pauseDetail(codes: readonly { readonly code: SlotCode }[], row: TimelineRow): readonly string[] {
  return codes.some(({ code }) => code === 'suspended') ? [pauseText(row)] : [];
}

function markDetail(mark: SlotMark, row: TimelineRow): readonly string[] {
  const { slot, until, by, base, note, told } = mark;
  const { zone } = row;
  return [
    ...pauseDetail([mark], row),
    ...(until === undefined
      ? []
      : [`some time up to ${momentText(until, zone)}, fixed once the object has a uid`]),
    ...runsText(mark),
    ...(by === undefined ? [] : [`by ${momentText(by, zone)}`]),
    ...(base === undefined ? [] : [`base ${clockText(base, zone)} and ${spanText(slot - base)} of jitter`]),
    ...(told === undefined ? [] : [escapeText(`${told.reason}: ${told.note}`)]),
    ...(note === undefined ? [] : [escapeText(note)]),
  ];
}

function countText({ code, phase, count }: SlotCount): string {
  return `${count} ${lookOf(code, phase).label}`;
}

function bandDetail({ count, step, counts, provisional }: SlotBand, row: TimelineRow): readonly string[] {
  const every = step === undefined ? '' : `, every ${spanText(step)}`;
  return [
    `${plural(count, 'slot')}${every}`,
    ...(counts.length > 1 ? [counts.map(countText).join(', ')] : []),
    ...pauseDetail(counts, row),
    ...(provisional ? ['fixed once the object has a uid'] : []),
  ];
}

/** What a piece says beside its time and its fate, safe to print; empty where there is nothing. */
export function pieceDetail(piece: Piece, row: TimelineRow): string {
  switch (piece.shape) {
    case 'mark':
      return markDetail(piece, row).join('; ');
    case 'band':
      return bandDetail(piece, row).join('; ');
    case 'rest':
      return '';
  }
}

/** How many slots a piece stands for. */
export function pieceSlots(piece: Piece): number {
  switch (piece.shape) {
    case 'mark':
      return 1;
    case 'band':
      return piece.count;
    case 'rest':
      return 0;
  }
}
