import { compareKeys } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import type { Zone } from '#core/time/zone.ts';
import { secondOfDay } from '#core/timeline/days.ts';
import {
  isStart,
  type SlotSource,
  slotsIn,
  type TimelineSlot,
  type TimelineWindow,
} from '#core/timeline/slots.ts';

/** What starts in one minute of the local day. */
export interface MinuteStarts {
  /** The most on one day of the window. */
  readonly most: number;
  /** The first minute in which it is that many. */
  readonly at: Instant;
  /** On all days together. */
  readonly total: number;
}

/** A minute in which several start at once. */
export interface Peak extends MinuteStarts {
  /** Minutes since local midnight. */
  readonly minute: number;
  readonly schedules: readonly ObjectKey[];
}

export interface Starts {
  /** 1,440 of them; undefined where nothing starts. */
  readonly minutes: readonly (MinuteStarts | undefined)[];
  readonly most: number;
  readonly total: number;
  /** The busiest minutes of the day, those first in which most start. */
  readonly peaks: readonly Peak[];
  /** Slots that are only known as a range: they are not counted. */
  readonly unplaced: number;
}

const MINUTES = 1440;
const SHOWN = 5;

/** Collects the starts of a window minute by minute, so that no slot has to be kept. */
export interface StartCounter {
  readonly add: (slots: readonly TimelineSlot[]) => void;
  readonly result: (sources: readonly SlotSource[]) => Starts;
}

export function countStarts({ from, end }: TimelineWindow, zone: Zone): StartCounter {
  const first = Math.floor(from / 60);
  const counts = new Uint32Array(Math.max(0, Math.ceil(end / 60) - first));
  let unplaced = 0;
  return {
    add(slots) {
      for (const slot of slots) {
        if (!isStart(slot)) continue;
        if (slot.until !== undefined) unplaced += 1;
        else {
          const index = Math.floor(slot.slot / 60) - first;
          counts[index] = (counts[index] ?? 0) + 1;
        }
      }
    },
    result(sources) {
      const minutes = minutesOf(counts, first, zone);
      const known = minutes.filter((minute) => minute !== undefined);
      return {
        minutes,
        most: known.reduce((most, minute) => Math.max(most, minute.most), 0),
        total: known.reduce((total, minute) => total + minute.total, 0),
        peaks: peaksOf(minutes, sources),
        unplaced,
      };
    },
  };
}

function minutesOf(counts: Uint32Array, first: number, zone: Zone): readonly (MinuteStarts | undefined)[] {
  const minutes: (MinuteStarts | undefined)[] = Array.from({ length: MINUTES });
  for (const [index, count] of counts.entries()) {
    if (count === 0) continue;
    const at = instant((first + index) * 60);
    const minute = Math.floor(secondOfDay(zone, at) / 60);
    const before = minutes[minute];
    const total = (before?.total ?? 0) + count;
    minutes[minute] =
      before === undefined || count > before.most ? { most: count, at, total } : { ...before, total };
  }
  return minutes;
}

/** One start alone is no peak. */
function peaksOf(
  minutes: readonly (MinuteStarts | undefined)[],
  sources: readonly SlotSource[],
): readonly Peak[] {
  return minutes
    .flatMap((found, minute) => (found === undefined || found.most < 2 ? [] : [{ ...found, minute }]))
    .sort((a, b) => b.most - a.most || b.total - a.total || a.minute - b.minute)
    .slice(0, SHOWN)
    .map((peak) => ({ ...peak, schedules: startingIn(peak.at, sources) }));
}

function startingIn(from: Instant, sources: readonly SlotSource[]): readonly ObjectKey[] {
  const window = { from, end: instant(from + 60) };
  return sources
    .filter((source) => slotsIn(source, window).some((slot) => isStart(slot) && slot.until === undefined))
    .map(({ key }) => key)
    .sort(compareKeys);
}
