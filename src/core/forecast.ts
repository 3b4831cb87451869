import type { ScheduleChanges } from '#core/change/change-set.ts';
import { effectiveVerdict } from '#core/change/verdict.ts';
import { owingOfEntry, timingOf } from '#core/entry-timing.ts';
import { keyId } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import type { Entry } from '#core/settle.ts';
import { type DstNote, dstNotes } from '#core/slot/notes.ts';
import { type SlotRange, spansAfter } from '#core/slot/range.ts';
import { baseSlotOf, firstAfter, latestAtOrBefore } from '#core/slot/search.ts';
import { type Timing, unbound } from '#core/slot/timing.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import { formatLocal, offsetAt, type Zone } from '#core/time/zone.ts';

export interface ForecastSlot {
  readonly slot: Instant;
  /** RFC 3339 in the schedule's zone. */
  readonly local: string;
  /** Seconds east of UTC. */
  readonly offset: number;
  /** The slot without its jitter; absent where slots are not spread. */
  readonly base?: Instant;
  /** The slot lies between `slot` and this, and is fixed once the object has a uid. */
  readonly until?: Instant;
  /** Where a clock change skips, doubles or moves slots here. */
  readonly note?: string;
}

export interface ForecastWindow {
  /** The most slots. */
  readonly count: number;
  /** No slot later than this. */
  readonly upTo?: Instant;
}

const DAY = 86_400;

/** The slots strictly after an instant, in order; fewer where the schedule ends, the window does, or nothing matches. */
export function forecast(
  timing: Timing,
  after: Instant,
  { count, upTo }: ForecastWindow,
  next: (after: Instant) => Instant | undefined = (from) => firstAfter(timing, from),
): readonly ForecastSlot[] {
  const slots: Instant[] = [];
  for (let slot = next(after); slot !== undefined; slot = next(slot)) {
    if (slots.length >= count || (upTo !== undefined && slot > upTo)) break;
    slots.push(slot);
  }
  return describeSlots(timing, slots, after);
}

/** The last slots up to an instant, the latest first, whether they were owed or not. */
export function lookBack(timing: Timing, upTo: Instant, count: number): readonly ForecastSlot[] {
  const whole = unbound(timing);
  const slots: Instant[] = [];
  let slot = latestAtOrBefore(whole, upTo);
  while (slot !== undefined && slots.length < count) {
    slots.unshift(slot);
    slot = latestAtOrBefore(whole, instant(slot - 1));
  }
  return [...describeSlots(whole, slots, instant((slots[0] ?? upTo) - 1))].reverse();
}

function describeSlots(timing: Timing, slots: readonly Instant[], after: Instant): readonly ForecastSlot[] {
  const notes = notesBySlot(timing, slots, after);
  return slots.map((slot): ForecastSlot => {
    const note = notes.get(slot);
    const base = timing.spread === undefined ? undefined : baseSlotOf(timing, slot)?.base;
    return {
      slot,
      local: formatLocal(timing.zone, slot),
      offset: offsetAt(timing.zone, slot),
      ...(base === undefined ? {} : { base }),
      ...(note === undefined ? {} : { note }),
    };
  });
}

/** A note stands at the slots that it names; a skipped time at the first slot behind the change. */
function notesBySlot(
  timing: Timing,
  slots: readonly Instant[],
  after: Instant,
): ReadonlyMap<Instant, string> {
  const found = new Map<Instant, string>();
  const last = slots.at(-1);
  if (last === undefined) return found;
  // Both passes of a repeated hour are told of it, also where the change itself lies outside of the list.
  const notes = dstNotes(timing, instant(after - DAY), instant(last + DAY));
  const bases = new Map(slots.map((slot) => [baseSlotOf(timing, slot)?.base ?? slot, slot]));
  for (const note of notes) {
    for (const slot of slotsOf(note, slots, { bases, after })) {
      const before = found.get(slot);
      found.set(slot, before === undefined ? note.what : `${before}; ${note.what}`);
    }
  }
  return found;
}

function slotsOf(
  note: DstNote,
  slots: readonly Instant[],
  { bases, after }: { readonly bases: ReadonlyMap<Instant, Instant>; readonly after: Instant },
): readonly Instant[] {
  const named = note.instants.flatMap((base) => bases.get(base) ?? []);
  if (named.length > 0 || note.at <= after) return named;
  const behind = slots.find((slot) => slot >= note.at);
  return behind === undefined ? [] : [behind];
}

/** The next slots of one schedule, or why there are none. */
export interface ScheduleForecast {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly zone: Zone | undefined;
  /** Slots are listed nevertheless: they are what passes or waits meanwhile. */
  readonly suspended: boolean;
  /** Somebody else acts on it. */
  readonly observed: boolean;
  readonly slots: readonly ForecastSlot[];
  /** Where there are none. */
  readonly why?: string;
}

/** The next slots of one schedule, its pin among them; ranges where its object has no uid of its own yet. */
export function forecastEntry(
  entry: Entry,
  timing: Timing,
  now: Instant,
  window: ForecastWindow,
): readonly ForecastSlot[] {
  if (entry.range !== undefined) return forecastRanges(entry.range, now, window);
  return forecast(timing, now, window, owingOfEntry(entry, timing).next);
}

function forecastRanges(
  range: SlotRange,
  now: Instant,
  { count, upTo }: ForecastWindow,
): readonly ForecastSlot[] {
  const { zone } = range.last;
  return spansAfter(range, now, count)
    .filter(({ from }) => upTo === undefined || from <= upTo)
    .map(({ from, until }) => {
      return { slot: from, until, local: formatLocal(zone, from), offset: offsetAt(zone, from) };
    });
}

/** The next slots of every schedule of a tick, in the order of its change set. */
export function forecastSchedules(
  { changeSet, entries }: Pick<Reconciliation, 'changeSet' | 'entries'>,
  window: ForecastWindow,
): readonly ScheduleForecast[] {
  return changeSet.schedules.map((schedule): ScheduleForecast => {
    const { type, key } = schedule;
    const entry = entries.get(keyId(key));
    const timing = timingOf(entry?.decision);
    const slots =
      entry === undefined || timing === undefined ? [] : forecastEntry(entry, timing, changeSet.now, window);
    const found = {
      type,
      key,
      zone: timing?.zone,
      suspended: entry?.schedule.suspended ?? false,
      observed: schedule.verdict.code === 'observed',
      slots,
    };
    return slots.length > 0 ? found : { ...found, why: whyNone(schedule, timing) };
  });
}

/** Why no slot of a schedule is named. */
export function whyNone({ verdict }: ScheduleChanges, timing: Timing | undefined): string {
  const { code, detail, next } = effectiveVerdict(verdict);
  if (timing !== undefined && code !== 'invalid')
    return next === undefined ? 'no further slot' : 'none within this time';
  return detail ?? (code === 'deleting' ? 'it is being deleted' : code);
}
