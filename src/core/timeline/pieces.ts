import type { RunPhase } from '#core/run/phase.ts';
import { baseSlotOf } from '#core/slot/search.ts';
import type { Timing } from '#core/slot/timing.ts';
import type { Instant } from '#core/time/instant.ts';
import type { Zone } from '#core/time/zone.ts';
import { type CalendarDay, secondOfDay } from '#core/timeline/days.ts';
import type { SlotCode, TimelineSlot } from '#core/timeline/slots.ts';

/** A slot that is shown by itself. */
export interface SlotMark extends TimelineSlot {
  readonly shape: 'mark';
  /** The slot without its jitter. */
  readonly base?: Instant;
  /** What a clock change does to it. */
  readonly note?: string;
}

export interface SlotCount {
  readonly code: SlotCode;
  readonly phase?: RunPhase;
  readonly count: number;
}

/** Slots too close to each other to be shown apart. */
export interface SlotBand {
  readonly shape: 'band';
  readonly slot: Instant;
  /** The last slot, or the end of its range. */
  readonly last: Instant;
  readonly count: number;
  /** Seconds from each slot to the next, where that is always the same. */
  readonly step?: number;
  /** What becomes of them, in the order of time. */
  readonly counts: readonly SlotCount[];
  readonly provisional: boolean;
}

/** The end of a range that began on an earlier day. */
export interface SlotRest {
  readonly shape: 'rest';
  readonly until: Instant;
  readonly code: SlotCode;
}

export type Piece = SlotMark | SlotBand | SlotRest;

/** Seconds of the local clock: slots that are nearer to each other are shown as one band. */
export const NEAR = 9000;
/** A band whose slots differ falls into at most this many pieces, else it stays one. */
const MOST_PARTS = 6;

export interface PieceInput {
  readonly timing: Timing;
  /** Of the calendar. */
  readonly zone: Zone;
  readonly days: readonly CalendarDay[];
  /** By base slot. */
  readonly notes: ReadonlyMap<Instant, string>;
  readonly near: number;
}

function markOf(slot: TimelineSlot, { timing, notes }: PieceInput): SlotMark {
  const base = slot.until === undefined ? baseSlotOf(timing, slot.slot)?.base : undefined;
  const note = notes.get(base ?? slot.slot);
  const spread = timing.spread !== undefined && base !== undefined;
  return {
    shape: 'mark',
    ...slot,
    ...(spread ? { base } : {}),
    ...(note === undefined ? {} : { note }),
  };
}

function stepOf(slots: readonly TimelineSlot[]): number | undefined {
  const [first, second] = slots;
  if (first === undefined || second === undefined) return undefined;
  const step = second.slot - first.slot;
  const even = slots.every(({ slot }, index) => slot === first.slot + index * step);
  return even ? step : undefined;
}

function isSame(a: TimelineSlot, b: TimelineSlot): boolean {
  return a.code === b.code && a.phase === b.phase && a.told === b.told;
}

/** Neighbours for which a test holds, together. */
function grouped(
  slots: readonly TimelineSlot[],
  belongs: (slot: TimelineSlot, before: TimelineSlot) => boolean,
): readonly (readonly TimelineSlot[])[] {
  const groups: TimelineSlot[][] = [];
  let before: TimelineSlot | undefined;
  for (const slot of slots) {
    const group = groups.at(-1);
    if (group !== undefined && before !== undefined && belongs(slot, before)) group.push(slot);
    else groups.push([slot]);
    before = slot;
  }
  return groups;
}

function countsOf(slots: readonly TimelineSlot[]): readonly SlotCount[] {
  const counts = new Map<string, SlotCount>();
  for (const { code, phase } of slots) {
    const id = `${code} ${phase ?? ''}`;
    const count = (counts.get(id)?.count ?? 0) + 1;
    counts.set(id, { code, ...(phase === undefined ? {} : { phase }), count });
  }
  return [...counts.values()];
}

function pieceOf(slots: readonly TimelineSlot[], input: PieceInput): Piece | undefined {
  const [first] = slots;
  const last = slots.at(-1);
  if (first === undefined || last === undefined) return undefined;
  if (slots.length === 1) return markOf(first, input);
  const step = stepOf(slots);
  return {
    shape: 'band',
    slot: first.slot,
    last: last.until ?? last.slot,
    count: slots.length,
    ...(step === undefined ? {} : { step }),
    counts: countsOf(slots),
    provisional: slots.some(({ until }) => until !== undefined),
  };
}

/** A band is parted where the fate of its slots changes, unless that makes it many. */
function parted(cluster: readonly TimelineSlot[]): readonly (readonly TimelineSlot[])[] {
  const parts = grouped(cluster, isSame);
  return parts.length > MOST_PARTS ? [cluster] : parts;
}

function piecesOfDay(slots: readonly TimelineSlot[], input: PieceInput): readonly Piece[] {
  const { zone, near } = input;
  const clusters = grouped(
    slots,
    ({ slot }, before) =>
      // On the local clock: a time that comes twice stands at one place.
      secondOfDay(zone, slot) - secondOfDay(zone, before.slot) < near,
  );
  return clusters.flatMap(parted).flatMap((part) => pieceOf(part, input) ?? []);
}

/** The ends of ranges that reach into a day from the days before it. */
function restsIn({ from }: CalendarDay, slots: readonly TimelineSlot[]): readonly SlotRest[] {
  return slots.flatMap(({ slot, until, code }) =>
    until !== undefined && slot < from && until >= from ? [{ shape: 'rest' as const, until, code }] : [],
  );
}

/** What is drawn on each day of the calendar, from the slots of a window in their order. */
export function piecesByDay(
  slots: readonly TimelineSlot[],
  input: PieceInput,
): readonly (readonly Piece[])[] {
  const ranged = slots.filter(({ until }) => until !== undefined);
  let next = 0;
  return input.days.map((day) => {
    const first = next;
    while (next < slots.length && (slots[next]?.slot ?? day.end) < day.end) next += 1;
    const pieces = piecesOfDay(slots.slice(first, next), input);
    const rests = ranged.length === 0 ? [] : restsIn(day, ranged);
    return rests.length === 0 ? pieces : [...rests, ...pieces];
  });
}
