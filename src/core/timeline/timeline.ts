import type { ChangeSet, ScheduleChanges } from '#core/change/change-set.ts';
import type { VerdictCode } from '#core/change/verdict.ts';
import { timingOf } from '#core/entry-timing.ts';
import { whyNone } from '#core/forecast.ts';
import type { KindRules } from '#core/kind-rules.ts';
import { keyId } from '#core/object/key.ts';
import type { ObjectKey } from '#core/object/object.ts';
import type { ResourceType } from '#core/object/resource.ts';
import type { Observed } from '#core/observed.ts';
import type { Reconciliation } from '#core/reconcile.ts';
import type { Entry } from '#core/settle.ts';
import { dstNotes } from '#core/slot/notes.ts';
import type { Timing } from '#core/slot/timing.ts';
import { type Instant, instant } from '#core/time/instant.ts';
import type { Zone } from '#core/time/zone.ts';
import { type CalendarDay, daysOf } from '#core/timeline/days.ts';
import { NEAR, type Piece, piecesByDay } from '#core/timeline/pieces.ts';
import { type SlotSource, slotsIn, type TimelineSlot, type TimelineWindow } from '#core/timeline/slots.ts';
import { countStarts, type Starts } from '#core/timeline/starts.ts';
import { type SlotTeller, slotTeller } from '#core/timeline/told.ts';

/** One schedule over the window. */
export interface TimelineRow {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  readonly verdict: VerdictCode;
  /** As it is written; undefined where the object cannot be read as a schedule. */
  readonly expression: string | undefined;
  readonly zone: Zone | undefined;
  readonly suspended: boolean;
  /** What becomes of slots while it is suspended. */
  readonly suspendedSlots: KindRules['suspendedSlots'];
  /** Somebody else acts on it. */
  readonly observed: boolean;
  /** Slots in the window. */
  readonly count: number;
  /** What is drawn on each day of the timeline. */
  readonly days: readonly (readonly Piece[])[];
  /** Clock changes in the window that skip, double or move slots, in sentences. */
  readonly notes: readonly string[];
  /** Where the window has no slot. */
  readonly why?: string;
}

/** The slots of all schedules over a window of a calendar. */
export interface Timeline extends TimelineWindow {
  readonly now: Instant;
  /** Of the calendar. */
  readonly zone: Zone;
  readonly days: readonly CalendarDay[];
  readonly rows: readonly TimelineRow[];
  readonly starts: Starts;
}

export interface TimelineRequest extends TimelineWindow {
  readonly zone: Zone;
}

type TimelineInput = Pick<Reconciliation, 'entries'> & {
  /** What the tick was decided from: its events tell of slots that have no run. */
  readonly observed?: Observed;
  readonly changeSet: Pick<ChangeSet, 'schedules' | 'now' | 'graceSeconds'>;
};

const DAY = 86_400;
/** More pieces than that nobody can look at: then each day of a schedule becomes one. */
const MOST_PIECES = 40_000;
const NO_PIECES: readonly Piece[] = [];

interface Read {
  readonly schedule: ScheduleChanges;
  readonly entry: Entry | undefined;
  readonly source: SlotSource | undefined;
  readonly slots: readonly TimelineSlot[];
}

function read(
  schedule: ScheduleChanges,
  { changeSet, entries }: TimelineInput,
  window: TimelineWindow,
  teller: SlotTeller,
): Read {
  const { now, graceSeconds } = changeSet;
  const { key, verdict } = schedule;
  const entry = entries.get(keyId(key));
  const timing = timingOf(entry?.decision);
  if (entry === undefined || timing === undefined) return { schedule, entry, source: undefined, slots: [] };
  const tell = teller(entry.schedule.object);
  const source: SlotSource = { key, entry, timing, verdict, now, graceSeconds, tell };
  return { schedule, entry, source, slots: slotsIn(source, window) };
}

type Calendar = Pick<Timeline, 'zone' | 'days' | 'from' | 'end'>;

/** Notes on clock changes by the base slots that they are about, and those about slots that are not there. */
function notesOf(
  timing: Timing,
  { from, end }: TimelineWindow,
): { readonly all: readonly string[]; readonly bySlot: ReadonlyMap<Instant, string> } {
  // Both passes of a repeated hour are told of it, also where the change itself lies outside.
  const notes = dstNotes(timing, instant(from - DAY), instant(end + DAY)).filter(
    ({ at, instants }) => (at >= from && at < end) || instants.some((slot) => slot >= from && slot < end),
  );
  const bySlot = new Map(
    notes.flatMap(({ instants, what }) => instants.map((slot) => [slot, what] as const)),
  );
  return { all: notes.map(({ what }) => what), bySlot };
}

function rowOf({ schedule, entry, source, slots }: Read, calendar: Calendar, near: number): TimelineRow {
  const { type, key, verdict } = schedule;
  const timing = source?.timing;
  const notes = timing === undefined ? undefined : notesOf(timing, calendar);
  const row = {
    type,
    key,
    verdict: verdict.code,
    expression: entry?.schedule.timing.expression,
    zone: timing?.zone,
    suspended: entry?.schedule.suspended ?? false,
    suspendedSlots: entry?.kind.rules.suspendedSlots ?? 'none',
    observed: verdict.code === 'observed',
    count: slots.length,
    days:
      timing === undefined || notes === undefined
        ? calendar.days.map(() => NO_PIECES)
        : piecesByDay(slots, { timing, ...calendar, notes: notes.bySlot, near }),
    notes: notes?.all ?? [],
  };
  return slots.length > 0 ? row : { ...row, why: whyNone(schedule, timing) };
}

function pieceCount(rows: readonly TimelineRow[]): number {
  return rows.reduce((sum, { days }) => sum + days.reduce((all, pieces) => all + pieces.length, 0), 0);
}

/** The slots of every schedule of a tick over a window, in the order of its change set. */
export function timelineOf(input: TimelineInput, { from, end, zone }: TimelineRequest): Timeline {
  const calendar: Calendar = { from, end, zone, days: daysOf(zone, from, end) };
  const counter = countStarts({ from, end }, zone);
  const teller = slotTeller(input.observed ?? new Map());
  const sources: SlotSource[] = [];
  const build = (distance: number): readonly TimelineRow[] =>
    input.changeSet.schedules.map((schedule) =>
      rowOf(read(schedule, input, calendar, teller), calendar, distance),
    );
  const rows = input.changeSet.schedules.map((schedule) => {
    const found = read(schedule, input, calendar, teller);
    counter.add(found.slots);
    if (found.source !== undefined) sources.push(found.source);
    return rowOf(found, calendar, NEAR);
  });
  return {
    now: input.changeSet.now,
    ...calendar,
    rows: pieceCount(rows) > MOST_PIECES ? build(DAY) : rows,
    starts: counter.result(sources),
  };
}
